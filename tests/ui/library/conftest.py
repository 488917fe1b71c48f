"""The page of models against a hub on this computer, with a model state instead of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import paths
from app.ui.model_state import ModelState
from app.ui.tuning import Tuning
from app.worker.backend import EngineOptions
from app.worker.service import InferenceService
from tests.hub.conftest import REPOSITORY, cache, hub, line

__all__ = ["REPOSITORY", "cache", "hub", "line"]


class PlainModels(QObject):
    """What the page needs of :class:`app.ui.models.Models`; notes what it is asked for."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.state = ModelState("demo")
        self.asked: list[str] = []

    def choose(self, ref: str) -> None:
        self.asked.append(f"choose {ref}")

    def unload(self) -> None:
        self.asked.append("unload")

    def stop_loading(self) -> None:
        self.asked.append("stop")

    def show(self, state: ModelState) -> None:
        self.state = state
        self.changed.emit(state)


@pytest.fixture
def models(qapp: QApplication) -> PlainModels:
    return PlainModels()


@pytest.fixture
def service(qtbot: QtBot) -> Iterator[InferenceService]:
    """A worker; what it does with models is real."""
    made = InferenceService(EngineOptions())
    yield made
    assert made.close(30.0)


@pytest.fixture
def tuning(qapp: QApplication) -> Tuning:
    return Tuning(paths.settings_file(), qapp)
