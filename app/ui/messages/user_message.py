"""The user's turn: pictures, words, and editing in place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.store.records import StoredImage, StoredMessage
from app.ui.composer.badge import Known
from app.ui.composer.growing_edit import GrowingEdit
from app.ui.composer.mime import pasted
from app.ui.composer.strip import AttachmentStrip
from app.ui.composer.thumbnail_button import ThumbnailButton
from app.ui.composer.thumbnails import Thumbnails
from app.ui.escape import keep_escape
from app.ui.messages.block_text import BlockText
from app.ui.messages.buttons import BUTTON_INSET, CopyButton, IconButton
from app.ui.messages.flow_layout import FlowLayout
from app.ui.messages.markdown import line_height
from app.ui.messages.message_widget import MessageWidget
from app.ui.theme import Radius, Space, TextRole, colours, font

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
        edited: the words and the list of :class:`StoredImage` that are to be sent in its place; the editor stays until
            the message goes, so that nothing is lost where that cannot be.
        editing_changed: editing began or ended, or a picture was taken off.
    """

    edited = Signal(str, list)
    editing_changed = Signal()

    def __init__(self, message: StoredMessage, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(message, "", parent)
        self.name.setText(self.tr("You") if message.role == "user" else self.tr("System prompt"))
        self.column.setContentsMargins(Space.L, Space.S, Space.L - BUTTON_INSET, Space.M)
        self.content = QVBoxLayout()
        self.content.setContentsMargins(0, 0, BUTTON_INSET, 0)
        self.column.setSpacing(Space.XS)
        self._thumbnails = thumbnails
        self.text = PlainText(message.text)
        self.text.setAccessibleName(f"{self.name.text()}: {message.text}")
        self.copy_button = CopyButton(self.tr("Copy message"), lambda: self.message.text)
        self.edit_button = IconButton("edit", self.tr("Edit and send again"))
        self.edit_button.clicked.connect(self.start_editing)
        self.editor: QWidget | None = None
        self.header.addWidget(self.copy_button)
        self.header.addWidget(self.edit_button)
        self.add_siblings(self.header)
        self.pictures = self._images(thumbnails)
        self.content.addWidget(self.pictures)
        self.content.addWidget(self.text)
        self.column.addLayout(self.content)
        self.pictures.setVisible(bool(message.images))
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
        """Put a text field in the place of the words, and pictures that can be taken off in that of the pictures."""
        if self.editor is not None:
            return
        self.editor = QWidget()
        self.field = GrowingEdit(_EDIT_LINES)
        self.field.setAccessibleName(self.tr("Edit message"))
        self.field.setPlainText(self.message.text)
        self.field.submitted.connect(self._send)
        self.field.cancelled.connect(self.stop_editing)
        keep_escape(self.field)
        self._add_strip()
        self.content.addWidget(self.field)
        self.content.addWidget(self.editor)
        self._add_editor_buttons(self.editor)
        self.text.hide()
        self.pictures.hide()
        self.field.show()
        self.editor.show()
        self.field.setFocus()
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self.editing_changed.emit()

    def stop_editing(self) -> None:
        """Show the words again, unchanged."""
        if self.editor is None:
            return
        for widget in (self.strip, self.why, self.field, self.editor):
            widget.hide()
            widget.deleteLater()
        self.editor = None
        self.pictures.setVisible(bool(self.message.images))
        self.text.setVisible(bool(self.message.text))
        self.edit_button.setFocus()
        self.editing_changed.emit()

    def edited_images(self) -> list[StoredImage]:
        """Return the pictures that are left of those of the message while it is being edited."""
        return self.strip.images()

    def set_known(self, digest: str, known: Known) -> None:
        """Show what is known about a picture while the message is being edited."""
        self.strip.set_known(digest, known)

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

    def _images(self, thumbnails: Thumbnails) -> QWidget:
        place = QWidget(self)
        row = FlowLayout(Space.S, place)
        row.setContentsMargins(0, 0, 0, Space.XS)
        for image in self.message.images:
            button = ThumbnailButton(thumbnails, image)
            button.clicked.connect(lambda _checked=False, digest=image.digest: self.image_activated.emit(digest))
            row.addWidget(button)
        return place

    def _add_strip(self) -> None:
        self.strip = AttachmentStrip(self._thumbnails)
        self.why = QLabel()
        self.why.setProperty("role", "danger")
        self.why.setFont(font(TextRole.CAPTION))
        self.why.setWordWrap(True)
        self.why.setTextFormat(Qt.TextFormat.PlainText)
        for widget in (self.strip, self.why):
            self.content.addWidget(widget)
        for image in self.message.images:
            self.strip.keep(self.strip.add(image.name or pasted()), image)
        self._show_reasons()
        self.strip.changed.connect(self._show_reasons)
        self.strip.changed.connect(self.editing_changed)
        self.strip.emptied_by_key.connect(self.field.setFocus)
        self.strip.activated.connect(lambda place: self.image_activated.emit(self.strip.images()[place].digest))

    def _show_reasons(self) -> None:
        self.why.setText("\n".join(self.strip.reasons()))
        self.why.setVisible(bool(self.why.text()))

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
        text, images = self.field.toPlainText().strip(), self.strip.images()
        if (text or images) and not self.strip.unfit():
            self.edited.emit(text, images)
