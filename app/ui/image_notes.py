"""What is said of a picture before it is sent: the size in which the model will see it, and its tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.inference.events import ImageView
from app.store.records import StoredImage
from app.ui.messages.words import plural
from app.ui.requests import image_reference

if TYPE_CHECKING:
    from app.store.images import ImageStore
    from app.worker.service import InferenceService


class ImageNotes(QObject):
    """Asks the worker once per picture and model.

    Signals:
        changed(digest): another note holds for this picture.
    """

    changed = Signal(str)

    def __init__(self, service: InferenceService, images: ImageStore) -> None:
        super().__init__()
        self._service, self._images = service, images
        self._shown: dict[str, StoredImage] = {}
        self._notes: dict[str, str] = {}
        service.measured.connect(self._on_measured)

    def show(self, images: Iterable[StoredImage]) -> None:
        """Take these pictures as what stands in the composer."""
        before, self._shown = self._shown, {image.digest: image for image in images}
        self._notes = {digest: note for digest, note in self._notes.items() if digest in self._shown}
        for digest in self._shown.keys() - before.keys():
            self._ask(self._shown[digest])

    def ask_again(self) -> None:
        """Ask anew for all, as another model sees them otherwise."""
        for image in self._shown.values():
            self._ask(image)

    def note_of(self, digest: str) -> str:
        """Return the note for a picture; empty until the worker has answered, and where there is nothing to say."""
        return self._notes.get(digest, "")

    def _ask(self, image: StoredImage) -> None:
        self._service.measure(image_reference(image, self._images))

    def _on_measured(self, digest: str, view: ImageView | None) -> None:
        if (image := self._shown.get(digest)) is not None:
            self._notes[digest] = size_note(image, view)
            self.changed.emit(digest)


def size_note(image: StoredImage, view: ImageView | None) -> str:
    """Return ``1568×980 → 1024×640, 414 tokens``; without the arrow where the model sees every pixel."""
    if view is None:
        return ""
    given, seen = f"{image.width}×{image.height}", f"{view.width}×{view.height}"
    sizes = given if given == seen else f"{given} → {seen}"
    return f"{sizes}, {plural(view.tokens, 'token')}"
