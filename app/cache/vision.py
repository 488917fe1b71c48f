"""The vision cache: processed pixels, and features after the projector.

The engine asks for features by encoder unit (:mod:`app.cache.unit_cache`); here are the calls of the cache contract for
callers that have pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.cache.identity import namespace_of
from app.cache.pixels import compute_image_hash, compute_images_hash
from app.cache.unit_cache import UnitCache
from app.cache.units import Features, PixelEntry, UnitGeometry, UnitKey, fresh_handles, rows_of
from app.cache.vision_entries import Held


class VisionEmbeddingCache(UnitCache):
    """Pixels and features of pictures within one byte budget and a count limit for each; see :class:`UnitCache`."""

    def get_features(self, image: Any, identity: object) -> Features | None:
        """Return the features of a picture (path, bytes, Pillow image or digest), or ``None``.

        Raises:
            ImageRefused: the picture cannot be decoded.
        """
        found = self._get(UnitKey(namespace_of(identity), _digest(image)))
        return None if found is None else found.features

    def set_features(
        self, image: Any, identity: object, features: Features, grid: Sequence[int], encode_time: float = 0.0
    ) -> bool:
        """Keep the features of a picture; ``False`` if their number cannot belong to ``grid``.

        Raises:
            ImageRefused: the picture cannot be decoded.
        """
        geometry = UnitGeometry(_flat_grid(grid), rows_of(features), encode_time)
        return self._put(Held("features", UnitKey(namespace_of(identity), _digest(image)), features, geometry))

    def get_pixel_values(self, images: Sequence[Any], settings: str = "") -> PixelEntry | None:
        """Return what the processor made of these pictures in this order, or ``None``.

        Raises:
            ImageRefused: one of the pictures cannot be decoded.
        """
        key = (compute_images_hash(images), settings)
        try:
            return self._pixels(key)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"look-up failed ({error})", error)
            return None

    def _pixels(self, key: tuple[str, str]) -> PixelEntry | None:
        with self.entries.lock:
            held, counts = self.entries.get("pixels", key) if self.enabled else None, self.entries.counters
            if held is None:
                counts.pixel_cache_misses += 1
                return None
            entry: PixelEntry = fresh_handles(held.value)
            self.entries.touch(held)
            counts.pixel_cache_hits += 1
            counts.total_time_saved += entry.processing_time
        return entry

    def set_pixel_values(
        self,
        images: Sequence[Any],
        pixel_values: Any,
        image_grid_thw: Any = None,
        processing_time: float = 0.0,
        settings: str = "",
    ) -> bool:
        """Keep what the processor made of these pictures.

        Raises:
            ImageRefused: one of the pictures cannot be decoded.
        """
        entry = PixelEntry(pixel_values, image_grid_thw, processing_time)
        return self._keep(Held("pixels", (compute_images_hash(images), settings), entry, persist=False))


def _digest(image: Any) -> str:
    """Return the content digest of a picture; 64 hex digits are one already."""
    if isinstance(image, str) and len(image) == 64 and all(c in "0123456789abcdef" for c in image):
        return image
    return compute_image_hash(image)


def _flat_grid(grid: Any) -> tuple[int, ...]:
    """Return a grid given as numbers, nested lists or an array as a flat tuple."""
    values = grid.tolist() if hasattr(grid, "tolist") else grid
    return tuple(int(n) for item in (values or ()) for n in (item if isinstance(item, (list, tuple)) else (item,)))
