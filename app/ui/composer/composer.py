"""The composer: a text field that grows, the strip of attached pictures, add and send buttons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.store.records import Draft, StoredImage
from app.ui.composer.badge import Known
from app.ui.composer.card import Card
from app.ui.composer.composer_edit import ComposerEdit
from app.ui.composer.lightbox import Lightbox, LightboxSource
from app.ui.composer.mime import Picture, offers_pictures, pasted, read_file, read_pictures
from app.ui.composer.opener import Keeper, Opener
from app.ui.composer.send_button import SendButton
from app.ui.composer.strip import AttachmentStrip
from app.ui.composer.thumbnails import Thumbnails, ThumbnailSource
from app.ui.theme import Space, TextRole, font, set_icon
from app.ui.theme.tokens import ICON

_BUTTON: Final = 32


class ImageKeeper(ThumbnailSource, LightboxSource, Keeper, Protocol):
    """What is needed of the image store here."""


class Composer(QWidget):
    """Where a question is written.

    Signals:
        submitted: text and the list of :class:`StoredImage`, in the order of the prompt.
        stop_requested: the answer on its way is to be stopped.
        changed: text or pictures are others than before; time to keep the draft.
        refused: nothing was sent, for the reason in this sentence.
    """

    submitted = Signal(str, list)
    stop_requested = Signal()
    changed = Signal()
    refused = Signal(str)

    def __init__(self, image_store: ImageKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = image_store
        self.thumbnails = Thumbnails(image_store, self)
        self._busy = False
        self._send_when_loaded = False
        self.edit = ComposerEdit()
        self.strip = AttachmentStrip(self.thumbnails)
        self._opener = Opener(image_store, self.strip, self)
        self.reasons = QLabel()
        self.add_button = QToolButton()
        self.send_button = SendButton()
        self._dress()
        self._lay_out()
        self._connect()
        self._refresh()

    # The agreed face

    def set_busy(self, busy: bool) -> None:
        """Turn the send button into a stop button, and back."""
        self._busy = busy
        self._refresh()

    def set_draft(self, text: str, images: Sequence[StoredImage]) -> None:
        """Show an unsent message."""
        self.edit.setPlainText(text)
        self.strip.clear()
        for image in images:
            self.strip.keep(self.strip.add(image.name or pasted()), image)
        self._refresh()

    def draft(self) -> Draft:
        """Return what stands here unsent, of the pictures those that are kept already."""
        return Draft(self.edit.toPlainText(), tuple(self.strip.images()))

    def add_files(self, paths: Iterable[str | Path]) -> None:
        """Attach files, read at once."""
        self._opener.attach(read_file(Path(path)) for path in paths)

    def add_image_bytes(self, data: bytes, name: str) -> None:
        """Attach an encoded picture."""
        self._opener.attach([Picture(data, name)])

    def add_stored(self, image: StoredImage) -> None:
        """Attach a picture that is kept already, as from the gallery of this chat."""
        self.strip.keep(self.strip.add(image.name or pasted()), image)

    def take(self, mime: QMimeData) -> bool:
        """Attach what a drop or paste holds; false if there is nothing to attach."""
        if not offers_pictures(mime):
            return False
        self._opener.attach(read_pictures(mime))
        self.focus_input()
        return True

    def paste(self) -> None:
        """Paste the clipboard, wherever the focus is."""
        if not self.take(QGuiApplication.clipboard().mimeData()):
            self.edit.paste()
        self.focus_input()

    def set_known(self, digest: str, known: Known) -> None:
        """Show on the thumbnails what is known about a picture; one that is unfit keeps the question here."""
        self.strip.set_known(digest, known)

    def offer(self, actions: Sequence[QAction]) -> None:
        """Let the add button open a menu of these ways to come by a picture, instead of the file dialog."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.addActions(actions)
        self.add_button.clicked.disconnect(self.choose_files)
        self.add_button.setMenu(menu)
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_button.setToolTip(self.tr("Add images"))
        self.add_button.setAccessibleName(self.tr("Add images"))

    def set_incognito(self, incognito: bool) -> None:
        """Keep pictures added from now on in memory only."""
        self._opener.incognito = incognito

    def focus_input(self) -> None:
        """Put the keyboard's focus into the text."""
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def drop_targets(self) -> list[QWidget]:
        """Return the widgets here that take drops themselves, for a frame around the window to watch."""
        return [self, self.edit.viewport()]

    @property
    def card(self) -> QWidget:
        """The part that is drawn as a card, for what is to stand above it."""
        return self._card

    # Sending

    def submit(self) -> None:
        """Send, as soon as all pictures have been opened; nothing happens while there is nothing to send.

        A picture that the present model cannot take is no question for it: all stays here, since another model may.
        """
        if self._busy:
            return
        if self.strip.is_loading():
            self._send_when_loaded = True
            self._refresh()
            return
        text, images = self.edit.toPlainText().strip(), self.strip.images()
        self._send_when_loaded = False
        if not text and not images:
            return
        if why := self.strip.unfit():
            self.refused.emit(why)
            return
        self.edit.clear()
        self.strip.clear()
        self.submitted.emit(text, images)

    def wait_no_more(self) -> None:
        """Do not send what waits for its pictures to open."""
        self._send_when_loaded = False
        self._refresh()

    def _on_button(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self.submit()

    def _on_opened(self) -> None:
        if self._send_when_loaded and not self.strip.is_loading():
            self.submit()

    def _on_failed(self) -> None:
        self._send_when_loaded = False  # what was to be sent is not what would go out

    # Attaching

    def choose_files(self) -> None:
        """Let the user choose files to attach."""
        paths, _ = QFileDialog.getOpenFileNames(
            self,
            self.tr("Add images"),
            "",
            self.tr("Images (*.png *.jpg *.jpeg *.webp *.gif *.heic *.heif *.avif *.tif *.tiff *.bmp);;All files (*)"),
        )
        self.add_files(paths)
        self.focus_input()

    def _show_large(self, index: int) -> None:
        images = self.strip.images()
        item = self.strip.items()[index]
        if item.image is not None and item.image in images:
            before = self.strip.items()[:index]
            place = sum(other.image is not None and other.state != "refused" for other in before)
            Lightbox.open_over(self.window(), self._store, images, place)

    # Looks

    def _dress(self) -> None:
        self.reasons.setProperty("role", "danger")
        self.reasons.setFont(font(TextRole.CAPTION))
        self.reasons.setWordWrap(True)
        self.reasons.setTextFormat(Qt.TextFormat.PlainText)
        self.edit.setAccessibleName(self.tr("Message"))
        self.add_button.setToolTip(self.tr("Add images…"))
        self.add_button.setAccessibleName(self.tr("Add images…"))
        set_icon(self.add_button, "attach")
        for button in (self.add_button, self.send_button):
            button.setIconSize(QSize(ICON, ICON))
            button.setFixedSize(_BUTTON, _BUTTON)
        self.setAcceptDrops(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(Space.XS)
        middle = QVBoxLayout()
        middle.setContentsMargins(0, Space.XS, 0, Space.XS + 2)
        middle.addStretch()
        middle.addWidget(self.edit)
        line.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignBottom)
        line.addLayout(middle, 1)
        line.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        self._card = Card(self.edit)
        inside = QVBoxLayout(self._card)
        inside.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        inside.setSpacing(Space.S)
        inside.addWidget(self.strip)
        inside.addWidget(self.reasons)
        inside.addLayout(line)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.L, 0, Space.L, Space.L)
        row.addStretch()
        row.addWidget(self._card, 1000)
        row.addStretch()

    def _connect(self) -> None:
        self.edit.submitted.connect(self.submit)
        self.edit.cancelled.connect(self.wait_no_more)
        self.edit.pictures_offered.connect(self.take)
        self.edit.textChanged.connect(self._on_changed)
        self.edit.focus_changed.connect(self._card.update)
        self._opener.opened.connect(self._on_opened)
        self._opener.failed.connect(self._on_failed)
        self.strip.changed.connect(self._on_changed)
        self.strip.emptied_by_key.connect(self.focus_input)
        self.strip.activated.connect(self._show_large)
        self.add_button.clicked.connect(self.choose_files)
        self.send_button.clicked.connect(self._on_button)

    def _on_changed(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        items = self.strip.items()
        self.reasons.setText("\n".join(self.strip.reasons()))
        self.reasons.setVisible(bool(self.reasons.text()))
        self.edit.invite(
            self.tr("Ask about these pictures…") if items else self.tr("Ask something, or drop pictures here")
        )
        sendable = bool(self.edit.toPlainText().strip() or self.strip.images() or self.strip.is_loading())
        self.send_button.show_state(busy=self._busy, waits=self._send_when_loaded, sendable=sendable)

    def changeEvent(self, event: QEvent) -> None:
        """Take a new font size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.reasons.setFont(font(TextRole.CAPTION))

    # Drops beside the text

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take pictures."""
        if offers_pictures(event.mimeData()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take pictures anywhere here."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Read the pictures now: their files may be gone in a moment."""
        if self.take(event.mimeData()):
            event.acceptProposedAction()
