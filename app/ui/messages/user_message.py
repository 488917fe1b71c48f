"""The user's turn: pictures, words, and editing in place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.store.records import StoredMessage
from app.ui.composer.growing_edit import GrowingEdit
from app.ui.composer.thumbnail_button import ThumbnailButton
from app.ui.composer.thumbnails import Thumbnails
from app.ui.escape import keep_escape
from app.ui.messages.block_text import BlockText
from app.ui.messages.buttons import BUTTON_INSET, CopyButton, IconButton
from app.ui.messages.flow_layout import FlowLayout
from app.ui.messages.markdown import line_height
from app.ui.messages.message_widget import MessageWidget
from app.ui.theme import Radius, Space, colours, font

_EDIT_LINES = 12


class PlainText(BlockText):
    """Words exactly as they were typed."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.restyle()

    def restyle(self) -> None:
        """Show the words in the font in force."""
        self.document().setDefaultFont(font())
        self.setPlainText(self._text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        shape = QTextBlockFormat()
        shape.setLineHeight(line_height(font()), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(shape)
        self.updateGeometry()


class UserMessage(MessageWidget):
    """A card with the thumbnails above the words.

    Signals:
        edited: the words were changed and are to be sent again.
    """

    edited = Signal(str)

    def __init__(self, message: StoredMessage, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(message, "", parent)
        self.name.setText(self.tr("You") if message.role == "user" else self.tr("System prompt"))
        self.column.setContentsMargins(Space.L, Space.S, Space.L - BUTTON_INSET, Space.M)
        self.content = QVBoxLayout()
        self.content.setContentsMargins(0, 0, BUTTON_INSET, 0)
        self.column.setSpacing(Space.XS)
        self.text = PlainText(message.text)
        self.text.setAccessibleName(f"{self.name.text()}: {message.text}")
        self.copy_button = CopyButton(self.tr("Copy message"), lambda: self.message.text)
        self.edit_button = IconButton("edit", self.tr("Edit and send again"))
        self.edit_button.clicked.connect(self.start_editing)
        self.editor: QWidget | None = None
        self.header.addWidget(self.copy_button)
        self.header.addWidget(self.edit_button)
        self.add_siblings(self.header)
        if message.images:
            self.content.addLayout(self._images(thumbnails))
            self.content.addSpacing(Space.XS)
        self.content.addWidget(self.text)
        self.column.addLayout(self.content)
        self.text.setVisible(bool(message.text))  # only now: a widget without a parent would be a window
        self.edit_button.setVisible(message.role == "user")
        self._reveal(False)

    @property
    def in_use(self) -> bool:
        """Whether it is being edited."""
        return self.editor is not None

    def texts(self) -> list[BlockText]:
        """Return the one text there is."""
        return [self.text]

    def restyle(self) -> None:
        """Take the fonts and colours in force."""
        super().restyle()
        self.text.restyle()
        self.update()

    def start_editing(self) -> None:
        """Put a text field in the place of the words."""
        if self.editor is not None:
            return
        self.editor = QWidget()
        self.field = GrowingEdit(_EDIT_LINES)
        self.field.setAccessibleName(self.tr("Edit message"))
        self.field.setPlainText(self.message.text)
        self.field.submitted.connect(self._send)
        self.field.cancelled.connect(self.stop_editing)
        keep_escape(self.field)
        self.content.addWidget(self.field)
        self.content.addWidget(self.editor)
        self._add_editor_buttons(self.editor)
        self.text.hide()
        self.field.show()
        self.editor.show()
        self.field.setFocus()
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def stop_editing(self) -> None:
        """Show the words again, unchanged."""
        if self.editor is None:
            return
        for widget in (self.field, self.editor):
            widget.hide()
            widget.deleteLater()
        self.editor = None
        self.text.setVisible(bool(self.message.text))
        self.edit_button.setFocus()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the buttons."""
        self._reveal(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Put the buttons away."""
        self._reveal(False)
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().sidebar if not colours().dark else colours().card))
        painter.drawRoundedRect(self.rect(), Radius.CARD, Radius.CARD)
        painter.end()

    def _reveal(self, revealed: bool) -> None:
        self.copy_button.reveal(revealed)
        self.edit_button.reveal(revealed)

    def _images(self, thumbnails: Thumbnails) -> FlowLayout:
        row = FlowLayout(Space.S)
        for image in self.message.images:
            button = ThumbnailButton(thumbnails, image)
            button.clicked.connect(lambda _checked=False, digest=image.digest: self.image_activated.emit(digest))
            row.addWidget(button)
        return row

    def _add_editor_buttons(self, place: QWidget) -> None:
        cancel = QPushButton(self.tr("Cancel"))
        send = QPushButton(self.tr("Send again"))
        send.setProperty("kind", "primary")
        cancel.clicked.connect(self.stop_editing)
        send.clicked.connect(self._send)
        row = QHBoxLayout(place)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch()
        row.addWidget(cancel)
        row.addWidget(send)

    def _send(self) -> None:
        text = self.field.toPlainText().strip()
        if text or self.message.images:
            self.stop_editing()
            self.edited.emit(text)
