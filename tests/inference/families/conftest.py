"""Loaded models, each opened once per session by the loader of the app."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from app.inference.families.base import FamilyAdapter
from tests.models import SPECS


@pytest.fixture(scope="session")
def adapters(checkpoints: Callable[[str], Path]) -> Callable[[str], FamilyAdapter]:
    """Return ``family → adapter`` of its tiny checkpoint."""
    from app.inference.loading import load_adapter
    from app.inference.types import CancelToken

    @cache
    def load(family: str) -> FamilyAdapter:
        around = SPECS[family].around
        with around() if around else contextlib.nullcontext():
            return load_adapter(str(checkpoints(family)), lambda progress: None, CancelToken())

    return load
