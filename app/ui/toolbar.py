"""The row on top: sidebar, new chat, title, model, and the way to panel and settings."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.ui.model_state import ModelState
from app.ui.status_dot import StatusDot
from app.ui.theme import Space, TextRole, font, set_icon
from app.ui.theme.tokens import ICON
from app.ui.title_edit import TitleEdit

HEIGHT: Final = 48
TITLE_WIDTH: Final = 420


class Toolbar(QWidget):
    """Shows the open chat's title and the model's state; its buttons are the window's actions.

    Signals:
        title_edited(str): the user gave the chat another title.
    """

    title_edited = Signal(str)

    def __init__(self, left: list[QAction], right: list[QAction], model_menu: QMenu, main_menu: QMenu) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.title = self._make_title()
        self.model_button = self._make_model_button(model_menu)
        self.dot = StatusDot()
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.S, 0, Space.S, 0)
        row.setSpacing(Space.XS)
        for action in left:
            row.addWidget(action_button(action))
        row.addSpacing(Space.S)
        row.addWidget(self.title, 1)
        row.addStretch()
        row.addWidget(self.model_button)
        row.addWidget(self.dot)
        row.addSpacing(Space.S)
        for action in right:
            row.addWidget(action_button(action))
        row.addWidget(self._make_menu_button(main_menu))

    def show_title(self, title: str, *, editable: bool) -> None:
        """Show the title of the open chat; an unsaved chat's cannot be edited yet."""
        self.title.show_title(title)
        self.title.setReadOnly(not editable)

    def show_model(self, state: ModelState) -> None:
        """Show the model and how it is."""
        self.model_button.setText(state.name)
        self.model_button.setToolTip(state.details)
        self.dot.show_state(state)

    def _make_title(self) -> TitleEdit:
        field = TitleEdit()
        field.setProperty("kind", "flat")
        field.setFont(font(TextRole.BODY, bold=True))
        field.setAccessibleName(self.tr("Title of this chat"))
        field.setMaximumWidth(TITLE_WIDTH)
        field.setMinimumWidth(64)
        field.editingFinished.connect(self._on_title_edited)
        return field

    def _on_title_edited(self) -> None:
        if self.title.isModified() and not self.title.isReadOnly():
            self.title.setModified(False)
            self.title_edited.emit(" ".join(self.title.text().split()))

    def _make_model_button(self, menu: QMenu) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "menu")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(menu)
        button.setAccessibleName(self.tr("Model"))
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        return button

    def _make_menu_button(self, menu: QMenu) -> QToolButton:
        button = QToolButton()
        set_icon(button, "more")
        button.setIconSize(QSize(ICON, ICON))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(menu)
        button.setAccessibleName(self.tr("Main menu"))
        button.setToolTip(self.tr("Main menu"))
        return button


def action_button(action: QAction) -> QToolButton:
    """Return an icon-only button for ``action``, with its name and shortcut as tooltip."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(ICON, ICON))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAccessibleName(action.text())
    return button
