"""What is said of a picture before it is sent: whether it was seen before, its size for the model, its tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.inference.events import ImageView
from app.store.records import StoredImage
from app.ui.composer.badge import ImageState, Known
from app.ui.messages.words import tokens
from app.ui.requests import image_reference
from app.ui.sentences import translated
from app.ui.translation import translate

if TYPE_CHECKING:
    from app.cache.events import CacheEvent
    from app.store.images import ImageStore
    from app.ui.ahead import WorkAhead
    from app.worker.service import InferenceService


class ImageNotes(QObject):
    """Asks the worker once per picture and model, and again when the caches may have changed.

    Signals:
        changed(digest): something else is known of this picture.
    """

    changed = Signal(str)

    def __init__(self, service: InferenceService, images: ImageStore, ahead: WorkAhead) -> None:
        super().__init__()
        self._service, self._images, self._ahead = service, images, ahead
        self._drafted: dict[str, StoredImage] = {}
        self._edited: dict[str, StoredImage] = {}
        self._looked_at: dict[str, StoredImage] = {}
        self._views: dict[str, ImageView | None] = {}
        self._refusals: dict[str, str] = {}
        service.measured.connect(self._on_measured)
        service.prepared.connect(lambda *_: self.ask_again())
        service.cache_events.connect(self._on_cache_events)
        ahead.image_state.connect(lambda digest, _: self.changed.emit(digest))

    def show(self, images: Iterable[StoredImage]) -> None:
        """Take these pictures as what stands in the composer."""
        before, self._drafted = self._drafted, {image.digest: image for image in images}
        for digest in self._drafted.keys() - before.keys():
            self._ask(self._drafted[digest])

    def edit(self, images: Iterable[StoredImage]) -> None:
        """Take these pictures as what stands in questions that are being edited."""
        before, self._edited = self._edited, {image.digest: image for image in images}
        for digest in self._edited.keys() - before.keys():
            self._ask(self._edited[digest])

    def look_at(self, images: Iterable[StoredImage]) -> None:
        """Take these pictures as what the user can choose from, beside those in the composer."""
        self._looked_at = {image.digest: image for image in images}
        for image in self._looked_at.values():
            self._ask(image)

    def ask_again(self) -> None:
        """Ask anew for what stands in the composer: another model sees it otherwise, other caches know it or not."""
        for image in (self._drafted | self._edited).values():
            self._ask(image)

    def forget_refusals(self) -> None:
        """Ask anew as another model may take what the one before could not; nothing is refused until it has said so."""
        refused, self._refusals = list(self._refusals), {}
        for digest in refused:
            self.changed.emit(digest)
        self.ask_again()

    def known(self, digest: str) -> Known:
        """Return what is known of a picture now."""
        if refusal := self._refusals.get(digest):
            return Known("unfit", translated(refusal))
        image = self._shown().get(digest)
        return known_of(image, self._views.get(digest), self._ahead.state_of(digest))

    def _ask(self, image: StoredImage) -> None:
        self._service.measure(image_reference(image, self._images))

    def _on_measured(self, digest: str, view: ImageView | None, refusal: str) -> None:
        shown = self._shown()
        if digest not in shown:
            return
        self._views = {d: v for d, v in self._views.items() if d in shown} | {digest: view}
        self._refusals = {d: why for d, why in self._refusals.items() if d in shown and d != digest}
        if refusal:
            self._refusals[digest] = refusal
        self.changed.emit(digest)

    def _shown(self) -> dict[str, StoredImage]:
        return self._looked_at | self._edited | self._drafted

    def _on_cache_events(self, events: list[CacheEvent]) -> None:
        if any(event.tier == "vision" and event.kind in ("evicted", "cleared") for event in events):
            self.ask_again()


def known_of(image: StoredImage | None, view: ImageView | None, state: ImageState) -> Known:
    """Return what is known of ``image``: ``state`` is the work ahead's own word, ``view`` what the engine counted."""
    note = size_note(image, view) if image is not None else ""
    if view is None or not view.tiles_known or state == "ready":
        return Known(state, note)
    if view.tiles_known == view.tiles:
        return Known("ready", note)
    if state == "preparing":
        return Known(state, note)
    tiles = translate("ImageNotes", "{known} of %Ln tile(s) known", None, view.tiles).format(known=view.tiles_known)
    return Known("partly", "\n".join(part for part in (note, tiles) if part), f"{view.tiles_known}/{view.tiles}")


def size_note(image: StoredImage, view: ImageView | None) -> str:
    """Return ``1568×980 → 1024×640, 414 tokens``; without the arrow where the model sees every pixel."""
    if view is None:
        return ""
    given, seen = f"{image.width}×{image.height}", f"{view.width}×{view.height}"
    sizes = given if given == seen else f"{given} → {seen}"
    return translate("ImageNotes", "{sizes}, {tokens}").format(sizes=sizes, tokens=tokens(view.tokens))
