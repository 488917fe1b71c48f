"""How the vision cache speaks to the disk tier. Without a tier, or when it fails, every answer is "nothing"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import mlx.core as mx
import numpy as np

from app.cache.identity import digest_of

Fault = Callable[[str, Exception], None]
LOOK_UP = "look-up failed"


class FeatureTier:
    """A tier, or none. Features lie in the namespace of the model that made them.

    Attributes:
        back_to: the namespace that the tier is pointed at outside of a call.
        on_fault: told what failed, and why; the answer is "nothing" then.
    """

    def __init__(self, tier: Any = None, *, on_fault: Fault) -> None:
        self.tier = tier
        self.back_to = ""
        self.on_fault = on_fault

    def spill(self, identity: str, key: str, features: object, meta: dict[str, Any]) -> None:
        """Queue features for writing, unless the tier has them."""
        if self.tier is None:
            return
        tier = self.tier
        self._pointed_at(
            identity,
            "an entry could not be spilled",
            lambda: tier.has_features(key) or tier.spill_features(key, features, meta),
        )

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
        return bool(self._pointed_at(identity, LOOK_UP, lambda: self.tier.has_features(key)))

    def load(self, identity: str, key: str) -> tuple[Any, dict[str, Any]] | None:
        """Read features, or ``None``."""
        if self.tier is None:
            return None
        found = self._pointed_at(identity, LOOK_UP, lambda: self.tier.load_features(key))
        return cast("tuple[Any, dict[str, Any]] | None", found)

    def _pointed_at(self, identity: str, failed: str, work: Callable[[], Any]) -> Any:
        """Do ``work`` with the tier pointed at a model's namespace; ``None`` if it fails, which is told."""
        try:
            self.tier.use(identity)
            return work()
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.on_fault(f"{failed} ({error})", error)
            return None
        finally:
            self.tier.use(self.back_to)


def _tiles_key(identity: str, image: str) -> str:
    return digest_of(["tiles", identity, image])
