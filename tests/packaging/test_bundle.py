"""The Linux bundle, built from the checkout and used as a user does; the run of all checks asks for it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT, run

BUILDING, USING = 800, 300
"""Seconds."""
KINDS = ("app", "x11", "tools")
FAMILIES = ("qwen2_vl", "gemma3", "smolvlm", "text_qwen3")


@pytest.mark.takes_minutes
@pytest.mark.timeout(BUILDING + USING)
@pytest.mark.skipif(
    os.environ.get("SECOND_GLANCE_BUNDLE") != "build", reason="takes minutes; SECOND_GLANCE_BUNDLE=build runs it"
)
def test_the_bundle_is_built_and_works(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    build = ROOT / "packaging" / "linux" / "build.sh"
    built = run(build, tmp_path, cwd=ROOT, patience=BUILDING, PYTHON=sys.executable, ARCHIVE="no")
    assert built.returncode == 0, built.stderr
    screen = ("xvfb-run", "--auto-servernum") if shutil.which("xvfb-run") else ()
    smoke = (sys.executable, ROOT / "packaging" / "linux" / "smoke.py", tmp_path / "second-glance", *FAMILIES)
    # The bundle's answers are compared with the checkout's on the BLAS that both take by themselves.
    used = run(*screen, *smoke, cwd=ROOT, patience=USING, SECOND_GLANCE_BLAS="")
    assert used.returncode == 0, used.stdout + used.stderr
    record_property("bundle", used.stdout)
    shutil.rmtree(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="about Debian's packages")
def test_the_packages_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "ldconfig").write_text(
        "#!/bin/sh\necho '\tlibxcb-icccm.so.4 (libc6,x86-64) => /usr/lib/libxcb-icccm.so.4'\n"
    )
    (tmp_path / "xauth").write_text("#!/bin/sh\n")
    for program in tmp_path.iterdir():
        program.chmod(0o755)
    script = ROOT / "packaging" / "linux" / "missing.sh"
    found = {kind: run("/bin/bash", script, kind, cwd=ROOT, PATH=str(tmp_path)).stdout.split() for kind in KINDS}
    assert {"libegl1", "libgomp1"} < set(found["app"])
    assert "libxcb-cursor0" in found["x11"]
    assert "libxcb-icccm4" not in found["x11"]
    assert found["tools"] == ["desktop-file-utils", "xvfb"]
