"""The pages that set nothing: shortcuts, and what stays private."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app.ui.labels import caption, heading, scroll_area
from app.ui.theme import Space, TextRole
from app.ui.translation import translate


def shortcuts_page(actions: Sequence[QAction]) -> QWidget:
    """Return a page that lists the actions that have shortcuts."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(Space.XL)
    grid.setVerticalSpacing(Space.S)
    grid.setColumnStretch(2, 1)
    for row, action in enumerate(action for action in actions if not action.shortcut().isEmpty()):
        keys = QLabel(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
        keys.setProperty("role", "meta")
        grid.addWidget(QLabel(action.text().removesuffix("…")), row, 0)
        grid.addWidget(keys, row, 1)
    return _page(translate("Pages", "Shortcuts"), grid)


def privacy_page(data: Path, settings: Path) -> QWidget:
    """Return a page that says what is kept where, and what never leaves the computer."""
    lines = QVBoxLayout()
    lines.setSpacing(Space.M)
    for words in (
        translate(
            "Pages",
            "Everything runs on this computer. Nothing is sent anywhere: no telemetry, no update check, no account.",
        ),
        translate("Pages", "The network is used only when you download a model yourself."),
        translate(
            "Pages",
            "Chats and images are kept until you delete them. Incognito chats are kept in memory only, and their text "
            "and images never reach the disk cache.",
        ),
        translate("Pages", "Logs hold no text and no image of a chat."),
    ):
        label = QLabel(words)
        label.setWordWrap(True)
        lines.addWidget(label)
    for title, path in (
        (translate("Pages", "Chats, images and logs"), data),
        (translate("Pages", "Settings"), settings),
    ):
        place = caption(str(path))
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        lines.addWidget(QLabel(title))
        lines.addWidget(place)
    return _page(translate("Pages", "Privacy"), lines)


def _page(title: str, content: QGridLayout | QVBoxLayout) -> QWidget:
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.XL)
    column.setSpacing(Space.L)
    column.addWidget(heading(title, TextRole.TITLE))
    column.addLayout(content)
    column.addStretch()
    return scroll_area(body)
