"""The strip of attached pictures: in the order of the prompt, scrolling sideways when there are many."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from app.store.records import StoredImage
from app.ui.composer.attachment import Attachment
from app.ui.composer.badge import Known
from app.ui.composer.thumbnails import Thumbnails
from app.ui.theme import Space
from app.ui.theme.tokens import THUMBNAIL

_BAR_ROOM: Final = 10


class AttachmentStrip(QScrollArea):
    """Owns the attachments.

    Signals:
        changed: one was added, removed, moved, kept or refused.
        emptied_by_key: the last one was removed by keyboard, so that the focus needs another place.
        activated: the place, counted from 0, of the picture to show large.
    """

    changed = Signal()
    emptied_by_key = Signal()
    activated = Signal(int)

    def __init__(self, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._known: dict[str, Known] = {}
        self._body = QWidget()
        self._row = QHBoxLayout(self._body)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(Space.S)
        self._row.addStretch()
        self.setWidget(self._body)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Attached pictures"))
        self.viewport().setAutoFillBackground(False)
        self._body.setAutoFillBackground(False)
        self._fit()

    # Content

    def add(self, name: str) -> Attachment:
        """Add a picture that is still being opened, at the end."""
        item = Attachment(self._thumbnails, name)
        item.clicked.connect(lambda: self.activated.emit(self.items().index(item)))
        item.remove_requested.connect(lambda: self.remove(item))
        item.moved.connect(lambda step: self.put(item, self.items().index(item) + step))
        item.dragged.connect(lambda point: self._carry(item, point))
        self._row.insertWidget(self._row.count() - 1, item)
        self._on_changed()
        return item

    def keep(self, item: Attachment, image: StoredImage) -> None:
        """Let ``item`` show the picture it has become."""
        item.keep(image)
        if image.digest in self._known:
            item.set_known(self._known[image.digest])
        self._on_changed()

    def refuse(self, item: Attachment, reason: str) -> None:
        """Let ``item`` say why it cannot be used."""
        item.refuse(reason)
        self._on_changed()

    def remove(self, item: Attachment) -> None:
        """Take ``item`` out; a keyboard user goes on with its neighbour."""
        had_focus = item.hasFocus()
        index = self.items().index(item)
        self._row.removeWidget(item)
        item.hide()
        item.deleteLater()
        left = self.items()
        if had_focus and left:
            left[min(index, len(left) - 1)].setFocus()
        elif had_focus:
            self.emptied_by_key.emit()
        self._on_changed()

    def put(self, item: Attachment, to: int) -> None:
        """Put ``item`` at place ``to``, counted from 0."""
        items = self.items()
        to = max(0, min(to, len(items) - 1))
        if items[to] is item:
            return
        self._row.removeWidget(item)
        self._row.insertWidget(to, item)
        self._order_tabs()
        self._on_changed()

    def clear(self) -> None:
        """Take all out."""
        for item in self.items():
            self._row.removeWidget(item)
            item.hide()
            item.deleteLater()
        self._known.clear()
        self._on_changed()

    def set_known(self, digest: str, known: Known) -> None:
        """Show what is known about the picture with this digest, wherever it stands."""
        self._known[digest] = known
        for item in self.items():
            if item.image is not None and item.image.digest == digest:
                item.set_known(known)
        self.changed.emit()

    def items(self) -> list[Attachment]:
        """Return all attachments in order."""
        found = (self._row.itemAt(i) for i in range(self._row.count()))
        widgets = (item.widget() for item in found if item is not None)
        return [widget for widget in widgets if isinstance(widget, Attachment)]

    def images(self) -> list[StoredImage]:
        """Return the pictures that are kept, in order; one of them may be unfit for the present model."""
        return [item.image for item in self.items() if item.image is not None and item.state != "refused"]

    def reasons(self) -> list[str]:
        """Return why pictures cannot be used, in order, also those that only the present model cannot take."""
        return [item.note for item in self.items() if item.state in ("refused", "unfit")]

    def unfit(self) -> str:
        """Return why the present model cannot take a picture that would be sent, or an empty text."""
        return next((item.note for item in self.items() if item.state == "unfit"), "")

    def is_loading(self) -> bool:
        """Whether a picture is still being opened."""
        return any(item.state == "loading" for item in self.items())

    # Qt

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways with an ordinary wheel too."""
        delta = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (delta.x() or delta.y()))
        event.accept()

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Keep the picture that has the focus in sight."""
        moved = super().focusNextPrevChild(next_)
        if (focused := self.focusWidget()) is not None:
            self.ensureWidgetVisible(focused, Space.L, 0)
        return moved

    def _carry(self, item: Attachment, point: QPoint) -> None:
        others = [other for other in self.items() if other is not item]
        before = sum(other.geometry().center().x() < point.x() for other in others)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.put(item, len(others) - before if rtl else before)

    def _on_changed(self) -> None:
        first: dict[str, int] = {}
        for position, item in enumerate(self.items(), 1):
            digest = item.image.digest if item.image else ""
            item.set_twin(first.get(digest, 0) if digest else 0)
            first.setdefault(digest, position)
        self._fit()
        self.changed.emit()

    def _fit(self) -> None:
        needed = self._body.sizeHint().width() > self.viewport().width()
        self.setFixedHeight(THUMBNAIL + (_BAR_ROOM if needed else 0))
        self.setVisible(bool(self.items()))

    def _order_tabs(self) -> None:
        items = self.items()
        for before, after in pairwise(items):
            QWidget.setTabOrder(before, after)
