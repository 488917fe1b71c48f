"""How the vision cache speaks to the disk tier. Without a tier, or when it fails, every answer is "nothing"."""

from __future__ import annotations

import logging
from typing import Any

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
