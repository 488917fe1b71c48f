"""Fixtures that tests of several rooms share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # widgets are drawn off screen unless told otherwise


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return ``family → folder`` of a tiny checkpoint (see :mod:`tests.models`), each made once per session."""
    from tests.models import checkpoint

    root = tmp_path_factory.mktemp("models")
    return lambda family: checkpoint(family, root)
