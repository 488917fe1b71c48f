"""How the vision cache speaks to the disk tier. Without a tier, or when it fails, every answer is "nothing"."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import mlx.core as mx
import numpy as np

from app.cache.identity import digest_of

log = logging.getLogger(__name__)


class FeatureTier:
    """A tier, or none. Features lie in the namespace of the model that made them.

    Attributes:
        back_to: the namespace that the tier is pointed at outside of a call.
    """

    def __init__(self, tier: Any = None) -> None:
        self.tier = tier
        self.back_to = ""

    def spill(self, identity: str, key: str, features: object, meta: dict[str, Any]) -> None:
        """Queue features for writing, unless the tier has them."""
        if self.tier is None:
            return
        self.tier.use(identity)
        try:
            if not self.tier.has_features(key):
                self.tier.spill_features(key, features, meta)
        except Exception:
            log.exception("Vision features could not be spilled")
        finally:
            self.tier.use(self.back_to)

    def spill_tiles(self, identity: str, image: str, tiles: Sequence[str]) -> None:
        """Queue the digests (hex SHA-256) of an image's tiles for writing, so that it need not be cut to know them."""
        if self.tier is None:
            return
        rows = np.frombuffer(bytes.fromhex("".join(tiles)), np.uint8).reshape(len(tiles), -1)
        self.spill(identity, _tiles_key(identity, image), mx.array(rows), {"tiles": len(tiles)})

    def tiles_of(self, identity: str, image: str) -> tuple[str, ...] | None:
        """Return the digests of an image's tiles, or ``None`` where they were never stored or are damaged."""
        key = _tiles_key(identity, image)
        found = self.load(identity, key) if self.holds(identity, key) else None
        return None if found is None else tuple(bytes(row).hex() for row in np.array(found[0]))

    def holds(self, identity: str, key: str) -> bool:
        """Whether features are stored; reads no file."""
        if self.tier is None:
            return False
        self.tier.use(identity)
        try:
            return bool(self.tier.has_features(key))
        finally:
            self.tier.use(self.back_to)

    def load(self, identity: str, key: str) -> tuple[Any, dict[str, Any]] | None:
        """Read features, or ``None``."""
        if self.tier is None:
            return None
        self.tier.use(identity)
        try:
            found: tuple[Any, dict[str, Any]] | None = self.tier.load_features(key)
            return found
        except Exception:
            log.exception("Vision features could not be read from disk")
            return None
        finally:
            self.tier.use(self.back_to)


def _tiles_key(identity: str, image: str) -> str:
    return digest_of(["tiles", identity, image])
