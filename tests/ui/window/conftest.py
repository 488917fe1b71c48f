"""A real window on a real engine with the demo model, and a user's hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app import paths
from app.settings.declarations import Settings
from app.settings.fields import changed
from app.settings.file import save
from app.store.records import StoredMessage
from app.store.store import Store
from app.ui.application import OpenApp, open_window
from app.ui.tuning import Tuning
from app.worker.backend import REAL, Backend, EngineOptions
from app.worker.jobs import EngineLike

LONG = 60_000
"""Milliseconds that a step may take on a loaded machine; no test waits for a time to pass."""
NO_KEY = Qt.KeyboardModifier.NoModifier


def settings(**values: object) -> Settings:
    """Return settings for tests: greedy, short answers, no work ahead, light; ``section__key`` changes one."""
    made = Settings()
    usual = {
        "generation__temperature": 0.0,
        "generation__max_tokens": 12,
        "caches__work_ahead": False,
        "appearance__theme": "light",
    }
    for name, value in {**usual, **values}.items():
        section, key = name.split("__")
        made = changed(made, section, key, value)
    return made


@dataclass
class Desk:
    """The open window, and what a user does with it."""

    qtbot: QtBot
    opened: OpenApp
    store: Store
    engines: list[EngineLike] = field(default_factory=list)

    @property
    def window(self):
        return self.opened.window

    @property
    def controller(self):
        return self.opened.controller

    @property
    def engine(self) -> EngineLike:
        return self.engines[0]

    # What the user does

    def type(self, text: str) -> None:
        self.qtbot.keyClicks(self.window.composer.edit, text)

    def press_enter(self) -> None:
        self.qtbot.keyClick(self.window.composer.edit, Qt.Key.Key_Return)

    def ask(self, text: str) -> StoredMessage:
        self.type(text)
        return self.sends(self.press_enter)

    def drop(self, *files: Path) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
        self.drop_mime(mime)
        self.wait(lambda: not self.window.composer.strip.is_loading())

    def drop_mime(self, mime: QMimeData, on: QWidget | None = None) -> None:
        target = on or self.window
        for event in (
            QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, NO_KEY),
            QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, NO_KEY),
        ):
            QApplication.sendEvent(target, event)

    def paste(self, file: Path) -> None:
        QGuiApplication.clipboard().setImage(QImage(str(file)))
        self.qtbot.keyClick(self.window.composer.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        self.wait(lambda: not self.window.composer.strip.is_loading())

    def click(self, widget: QWidget) -> None:
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)

    def activate(self) -> None:
        """Shortcuts work in the active window only."""
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)

    def keys(self, *keys: str) -> None:
        self.activate()
        for key in keys:
            self.qtbot.keySequence(self.window, key)

    def keys_in(self, field: QWidget) -> None:
        self.qtbot.keyClick(field, Qt.Key.Key_Return)

    def choose_chat(self, conversation_id: str) -> None:
        view = self.window.sidebar.list
        at = view.visualRect(self.window.sidebar.model.index_of(conversation_id)).center()
        self.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, NO_KEY, at)

    def sends(self, act: Callable[[], object]) -> StoredMessage:
        """Do what makes the model answer, and return the answer when it is there."""
        with self.qtbot.waitSignal(self.controller.dialogue.answers.ended, timeout=LONG) as ended:
            act()
        return self.store.message(ended.args[0].id)

    # What the user sees

    @property
    def chat_id(self) -> str:
        return self.controller.chats.current.id

    def messages(self) -> list[StoredMessage]:
        return self.window.messages.messages()

    def widget(self, number: int):
        """Return the widget of a message that is shown, counted like a list's."""
        message_id = self.messages()[number].id
        self.window.messages.show_message(message_id)
        return self.window.messages.widget_of(message_id)

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=LONG)

    def wait_ready(self) -> None:
        self.wait(lambda: self.controller.models.state.phase == "ready")


@pytest.fixture
def open_desk(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., Desk]]:
    """Return a function that opens a window on the test's data folder; what is still open is closed at the end."""
    desks: list[Desk] = []

    def open_(backend: Backend = REAL, **values: object) -> Desk:
        save(paths.settings_file(), settings(**values))
        store = Store(paths.data_dir())
        engines: list[EngineLike] = []

        def make(options: EngineOptions) -> EngineLike:
            engines.append(backend.make(options))
            return engines[-1]

        opened = open_window(store, Tuning(paths.settings_file(), qapp), Backend(make, backend.config))
        desk = Desk(qtbot, opened, store, engines)
        desks.append(desk)
        return desk

    yield open_
    for desk in desks:
        desk.window.close()
        desk.window.deleteLater()


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    """Return an open window with the model loaded."""
    made = open_desk()
    made.wait_ready()
    return made


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of pictures: ``renamed.bmp`` has the pixels of ``first.png``, ``other.png`` its size."""
    folder = tmp_path_factory.mktemp("pictures")
    first = _picture((320, 200), "red")
    first.save(folder / "first.png")
    first.save(folder / "renamed.bmp")
    _picture((320, 200), "blue").save(folder / "other.png")
    _picture((240, 240), "green").save(folder / "second.png")
    (folder / "broken.png").write_bytes(b"not a picture")
    return folder


def _picture(size: tuple[int, int], colour: str) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).rectangle((40, 40, 140, 160), fill=colour)
    return picture
