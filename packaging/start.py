"""One command from a fresh checkout to the open window, or to a tested project. Needs Python 3.11 and nothing else.

python3 packaging/start.py              set up if needed, then open the app
python3 packaging/start.py ask …        the same for any command of `python -m app`
python3 packaging/start.py test         set up with the development tools, then run all checks
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin") / "python"
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("importlinter",),
    ("pytest", "-n", "2", "--dist", "worksteal"),
)

EXPECTED = (0, 2, 130)
"""Done, refused with a sentence, stopped by Ctrl+C."""
BUNDLE = "SECOND_GLANCE_BUNDLE"
"""``build`` makes a test build the Linux bundle and use it, which takes minutes."""
COVERAGE = ("--cov=app.cache", "--cov-branch", "--cov-report=term:skip-covered", "--cov-fail-under=95")
"""The floor under the cache core; only a run of all tests can hold it."""


def main(arguments: list[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what an older Python is started with
        print(f"Second Glance needs Python 3.11 or newer; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 2
    if arguments[:1] == ["test"]:
        set_up("dev,bundle" if os.environ.get(BUNDLE) == "build" else "dev")
        return check(arguments[1:])
    set_up("")
    # From the caller's folder, so that relative paths of pictures mean what they say.
    status = subprocess.run([str(PYTHON), "-m", "app", *arguments], check=False).returncode
    if status not in EXPECTED and sys.platform == "linux":
        explain()
    return status


def explain() -> None:
    """Say what of the system's is missing, as far as it can be known: Qt itself only says that it cannot go on."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        print(
            "There is no display for the window here. Commands work without one: ask, models, cache.", file=sys.stderr
        )
    search = [str(ROOT / "packaging" / "linux" / "missing.sh"), "app", "x11"]
    found = subprocess.run(search, capture_output=True, text=True, check=False).stdout.split()
    if found:
        print("Libraries that the window needs are missing here. On Debian and Ubuntu:", file=sys.stderr)
        print(f"    sudo apt install {' '.join(found)}", file=sys.stderr)


def set_up(extra: str) -> None:
    """Make the environment and install the project; a stamp of what was installed makes the next start instant."""
    wanted = stamp(extra)
    installed = ENVIRONMENT / f"installed-{extra or 'app'}"
    if installed.is_file() and installed.read_text() == wanted and PYTHON.exists():
        return
    if not PYTHON.exists():
        if importlib.util.find_spec("ensurepip") is None:
            raise SystemExit("Python's venv module is incomplete. On Debian and Ubuntu: apt install python3-venv")
        print(f"Setting up {ENVIRONMENT} …", flush=True)
        venv.create(ENVIRONMENT, with_pip=True, clear=ENVIRONMENT.exists())
    print("Installing what the app needs; this takes a few minutes the first time …", flush=True)
    target = f".[{extra}]" if extra else "."
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # Modules are compiled when they are first imported; most never are.
    pip += ["--no-compile", "--editable", target]
    subprocess.run(pip, cwd=ROOT, check=True)
    installed.write_text(wanted)


def stamp(extra: str) -> str:
    """What an installation depends on: the project file, the interpreter, the folder and the extra."""
    parts = ((ROOT / "pyproject.toml").read_bytes(), sys.version.encode(), str(ROOT).encode(), extra.encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def check(pytest_options: list[str]) -> int:
    """Run all checks, also after one failed, and return 1 if any did; pytest comes last and ends the output."""
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    # Else each of the many processes that tests start would compile all its modules anew.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    failed = []
    for name, *options in CHECKS:
        command = module_command(name, options + (pytest_options or list(COVERAGE) if name == "pytest" else []))
        print(f"\n== {name} {' '.join(options)}".rstrip(), flush=True)
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            failed.append(" ".join((name, *options)))
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def module_command(name: str, options: list[str]) -> list[str]:
    if name == "importlinter":
        return [str(PYTHON.with_name("lint-imports"))]
    return [str(PYTHON), "-m", name, *options]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        print(f"Setting up failed: {' '.join(error.cmd[2:])} ended with status {error.returncode}.", file=sys.stderr)
        sys.exit(1)
