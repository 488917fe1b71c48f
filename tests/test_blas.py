"""The BLAS is in place before MLX, whichever module asks for MLX first."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="macOS uses Metal and Accelerate")

WHICH = """
import logging
logging.basicConfig(level=logging.INFO)
import {module}
import mlx.core
print(any("openblas" in line for line in open("/proc/self/maps")))
"""


def run(module: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("SECOND_GLANCE_BLAS", "OPENBLAS"))}
    return subprocess.run(
        [sys.executable, "-c", WHICH.format(module=module)],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )


@linux_only
@pytest.mark.parametrize("module", ["app.cache.snapshot", "app.inference.prefill"])
def test_openblas_is_loaded_whichever_room_is_imported_first(module: str):
    done = run(module, SECOND_GLANCE_BLAS_THREADS="1")

    assert done.stdout.strip() == "True"
    assert done.stderr.count("INFO:app.blas:BLAS:") == 1
    assert "1 threads" in done.stderr


@linux_only
def test_it_can_be_switched_off():
    done = run("app.cache.snapshot", SECOND_GLANCE_BLAS="off")

    assert done.stdout.strip() == "False"
    assert "MLX's own" in done.stderr


def test_importing_the_app_alone_loads_no_mlx():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, app; print('mlx' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "False"
