"""Fixtures that tests of several rooms share."""

from __future__ import annotations

import gc
import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.patience import PatientBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ["SECOND_GLANCE_LANGUAGE"] = "en"  # texts are asserted in English, whatever this machine speaks
os.environ.setdefault("SECOND_GLANCE_BLAS", "off")  # MLX's own: results do not depend on how a prompt is cut

LIBRARIES = ("transformers", "huggingface_hub", "mlx_vlm", "mlx_lm", "PIL", "asyncio", "hypothesis")
"""Loggers whose warnings are none of ours."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "allows_log(*patterns): warnings in the log that match are expected")
    config.addinivalue_line("markers", "takes_minutes: runs first, so that nobody waits for it alone in the end")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("takes_minutes") is None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what tests recorded, such as the size of the bundle."""
    recorded = [entry for report in terminalreporter.getreports("passed") for entry in report.user_properties]
    for name, value in recorded:
        terminalreporter.section(name)
        terminalreporter.write(str(value))


@pytest.fixture(autouse=True, scope="module")
def frozen_before() -> None:
    """Take what is there before a file's tests out of garbage collection.

    The libraries alone are hundreds of thousands of objects, and each model that is let go has them looked through.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> PatientBot:
    """Return pytest-qt's robot, with more patience."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def fresh_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test data and configuration folders of its own, and return their parent."""
    root = tmp_path_factory.mktemp("home", numbered=True)
    monkeypatch.setenv("SECOND_GLANCE_DATA_DIR", str(root / "data"))
    monkeypatch.setenv("SECOND_GLANCE_CONFIG_DIR", str(root / "config"))
    return root


class _Unexpected(logging.Handler):
    def __init__(self, patterns: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.patterns = patterns
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        foreign = record.name.split(".")[0] in LIBRARIES
        if not foreign and not any(re.search(pattern, message) for pattern in self.patterns):
            self.seen.append(f"{record.levelname} {record.name}: {message}")


@pytest.fixture(autouse=True)
def quiet_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a warning or an error in the log.

    Expected ones are named by ``@pytest.mark.allows_log("pattern", …)``; a test that takes ``caplog`` judges the log
    itself. (The idea is qutebrowser's.)
    """
    patterns = [pattern for mark in request.node.iter_markers("allows_log") for pattern in mark.args]
    handler = _Unexpected(patterns)
    logging.getLogger().addHandler(handler)
    yield
    logging.getLogger().removeHandler(handler)
    if handler.seen and "caplog" not in request.fixturenames:
        pytest.fail("unexpected in the log:\n" + "\n".join(handler.seen), pytrace=False)


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return ``family → folder`` of a tiny checkpoint (see :mod:`tests.models`), each made once per session."""
    from tests.models import checkpoint

    root = tmp_path_factory.mktemp("models")
    return lambda family: checkpoint(family, root)
