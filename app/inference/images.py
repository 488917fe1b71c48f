"""The images of one request: digests of their units, features from the cache or the tower, and what was done."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import mlx.core as mx

from app.inference.events import ImageUse, Progress
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import Features, ImageLayout, UnitPixels, pixels_digest
from app.inference.guarded import GuardedVision
from app.inference.prompt import BuiltPrompt, PlacedImage
from app.inference.types import CancelToken, ImageRef

TILED_IMAGES_KEPT = 512


class TileDigests:
    """Remembers the digests of an image's tiles, so that a known image is not decoded to find them again."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def get(self, image: str) -> tuple[str, ...] | None:
        """Return the tile digests of the image with this digest."""
        return self._known.get(image)

    def images(self) -> dict[str, str]:
        """Return the digest of an image by that of each of its tiles."""
        return {tile: image for image, tiles in self._known.items() for tile in tiles}

    def put(self, image: str, tiles: tuple[str, ...]) -> None:
        """Remember them; the oldest are forgotten."""
        self._known[image] = tiles
        while len(self._known) > TILED_IMAGES_KEPT:
            self._known.popitem(last=False)


@dataclass
class RequestImages:
    """Images of one request.

    Attributes:
        features: by index of the span in the prompt, for the spans that have to be run.
        uses: one per image of the prompt, in order, filled by :meth:`gather`.
        encode_seconds: time spent in processor and tower.
        encoded: by digest of an image, how many of its tiles went through the tower.
    """

    adapter: FamilyAdapter
    vision: GuardedVision
    tiles: TileDigests
    features: dict[int, Features] = field(default_factory=dict)
    uses: list[ImageUse] = field(default_factory=list)
    encode_seconds: float = 0.0
    encoded: Counter[str] = field(default_factory=Counter)
    _pixels: dict[str, list[UnitPixels]] = field(default_factory=dict)

    def unit_digests(self, ref: ImageRef, layout: ImageLayout) -> Sequence[str]:
        """Return the digest of each unit: the image's, or where tiles are independent each tile's own."""
        if self.adapter.tiles == "joint":
            return [ref.digest] * len(layout.units)
        known = self.tiles.get(ref.digest)
        if known is None:
            began = time.perf_counter()
            known = self._stored_tiles(ref, layout)
            known = known or tuple(pixels_digest(unit) for unit in self._prepared(ref))
            self.encode_seconds += time.perf_counter() - began
            self.tiles.put(ref.digest, known)
        return known

    def _stored_tiles(self, ref: ImageRef, layout: ImageLayout) -> tuple[str, ...] | None:
        stored = self.vision.tiles_of(ref.digest)
        return stored if stored is not None and len(stored) == len(layout.units) else None

    def known_units(self, ref: ImageRef) -> list[bool]:
        """Say of each unit whether its features are in the cache; nothing is encoded or counted."""
        layout = self.adapter.layout(ref.width, ref.height)
        digests = self.unit_digests(ref, layout)
        return [self.vision.holds(digest, unit.grid) for digest, unit in zip(digests, layout.units, strict=True)]

    def gather(self, prompt: BuiltPrompt, reused: int, cancel: CancelToken) -> Iterator[Progress]:
        """Get features for every span that state of the first ``reused`` tokens does not cover.

        Raises:
            Cancelled: between two encoder units; what was encoded is in the cache.
            ValueError: the encoder gave another number of rows than the prompt has placeholders; nothing is stored.
        """
        for number, image in enumerate(prompt.images):
            cancel.check()
            if prompt.final.spans[image.spans[-1]].end <= reused and not self.adapter.needs_all_features():
                self.uses.append(self._covered(prompt, image))
                continue
            yield Progress("encode", number, len(prompt.images), note=image.ref.name)
            self.uses.append(self._provide(prompt, image, cancel))
        self._pixels.clear()
        if prompt.images:
            yield Progress("encode", len(prompt.images), len(prompt.images))

    def _provide(self, prompt: BuiltPrompt, image: PlacedImage, cancel: CancelToken) -> ImageUse:
        spans = [prompt.final.spans[index] for index in image.spans]
        known = [self.vision.get(span.digest, span.grid, span.length) for span in spans]
        missing = [i for i, hit in enumerate(known) if hit is None]
        if missing and self.adapter.tiles == "joint":
            missing = list(range(len(spans)))
        saved = sum(hit.seconds for i, hit in enumerate(known) if hit is not None and i not in missing)
        for index, hit in zip(image.spans, known, strict=True):
            if hit is not None:
                self.features[index] = hit.features
        if self.adapter.tiles != "joint":
            self.vision.put_tiles(image.ref.digest, [span.digest for span in spans])
        for group in [missing] if self.adapter.tiles == "joint" else [[i] for i in missing]:
            if group:
                cancel.check()
                self._encode(image, group)
        return ImageUse(
            image.ref.source,
            skipped=not missing,
            tiles=len(spans),
            tiles_run=len(missing),
            seconds_saved=saved,
            tokens=image.layout.tokens,
        )

    def _encode(self, image: PlacedImage, group: Sequence[int]) -> None:
        began = time.perf_counter()
        pixels = self._prepared(image.ref)
        encoded = self.adapter.encode([pixels[i] for i in group])
        mx.eval(encoded)
        seconds = time.perf_counter() - began
        self.encode_seconds += seconds
        digests = self.unit_digests(image.ref, image.layout)
        for i, features in zip(group, encoded, strict=True):
            unit = image.layout.units[i]
            self.adapter.check_features(features, unit)
            self.features[image.spans[i]] = features
            self.vision.put(digests[i], unit.grid, features, seconds / len(group))
        self.encoded[image.ref.source] += len(group)

    def _prepared(self, ref: ImageRef) -> list[UnitPixels]:
        if ref.digest not in self._pixels:
            self._pixels[ref.digest] = self.adapter.preprocess(ref.load())
        return self._pixels[ref.digest]

    def _covered(self, prompt: BuiltPrompt, image: PlacedImage) -> ImageUse:
        """Account for an image whose state was reused whole: its features are not even looked up."""
        spans = [prompt.final.spans[index] for index in image.spans]
        saved = sum(self.vision.skip(span.digest, span.grid) for span in spans)
        return ImageUse(
            image.ref.source, skipped=True, tiles=len(spans), seconds_saved=saved, tokens=image.layout.tokens
        )
