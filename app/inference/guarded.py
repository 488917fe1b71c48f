"""The caches as the engine uses them: a fault in one of them costs time, never an answer.

Each fault is logged with its cause the first time it is seen, and the cache is bypassed for that call.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from app.cache.media import MediaSpan
from app.cache.protocols import PROMPT, Ending, LayerCaches, Lookup, PromptStore
from app.cache.vision import VisionEmbeddingCache
from app.inference.families.layout import Features

log = logging.getLogger(__name__)

_FAULT = "the cache failed and was bypassed; the log has the cause"


class _Faults:
    """Logs each kind of fault once."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def note(self, where: str, error: Exception) -> None:
        """Log ``error`` unless one like it was logged before."""
        kind = f"{where}: {type(error).__name__}: {error}"
        if kind not in self._seen:
            self._seen.add(kind)
            log.error("Cache fault in %s; bypassed", where, exc_info=error)


@dataclass(frozen=True, slots=True)
class VisionHit:
    """Features from the cache, and how many seconds it took to make them."""

    features: Features
    seconds: float


class GuardedPrompts:
    """A prompt store, or none: ``store`` is ``None`` where a request or a family uses no caches."""

    def __init__(self, store: PromptStore | None, why_not: str = "", *, persist: bool = True) -> None:
        self._store, self._why_not, self._persist = store, why_not, persist
        self._faults = _Faults()

    def lookup(self, key: Sequence[int], spans: Sequence[MediaSpan]) -> Lookup:
        """Return the longest reusable state, or a miss or bypass with its reason."""
        if self._store is None:
            return Lookup(None, 0, "bypassed", self._why_not)
        try:
            return self._store.lookup(key, spans)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a cache must not end the chat
            self._faults.note("prefix look-up", error)
            return Lookup(None, 0, "bypassed", _FAULT)

    def save(
        self,
        key: Sequence[int],
        cache: LayerCaches,
        spans: Sequence[MediaSpan],
        ending: Ending = PROMPT,
    ) -> bool:
        """Keep a snapshot of ``cache``, which holds exactly the tokens of ``key`` (see ``PromptStore.save``)."""
        if self._store is None or not key:
            return False
        held = [span for span in spans if span.end <= len(key)]
        try:
            return self._store.save(key, cache, spans=held, persist=self._persist, ending=ending)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note("prefix store", error)
            return False


class GuardedVision:
    """The vision cache as one request uses it, or none; features made in the request itself serve it in any case."""

    def __init__(self, cache: VisionEmbeddingCache | None, identity: str, *, persist: bool = True) -> None:
        self._cache, self._identity, self._persist = cache, identity, persist
        self._made: dict[tuple[str, tuple[int, ...]], VisionHit] = {}
        self._faults = _Faults()

    def get(self, digest: str, grid: tuple[int, ...], tokens: int) -> VisionHit | None:
        """Return the features of a unit that has ``tokens`` rows, or ``None``."""
        if self._cache is None:
            return None
        try:
            found = self._cache.get_unit(self._identity, digest, grid=grid, tokens=tokens)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note("vision look-up", error)
            found = None
        return VisionHit(found.features, found.seconds) if found else self._made.get((digest, grid))

    def holds(self, digest: str, grid: tuple[int, ...]) -> bool:
        """Whether :meth:`get` would find the features of a unit; counts nothing."""
        if self._cache is None:
            return False
        try:
            return self._cache.holds(self._identity, digest, grid=grid)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note("vision look-up", error)
            return False

    def put(self, digest: str, grid: tuple[int, ...], features: Features, seconds: float) -> None:
        """Keep the features of a unit, which took ``seconds`` to make."""
        if self._cache is None:
            return
        self._made[digest, grid] = VisionHit(features, seconds)
        tokens = int(features[0].shape[0])
        try:
            self._cache.put_unit(
                self._identity,
                digest,
                features=features,
                grid=grid,
                tokens=tokens,
                seconds=seconds,
                persist=self._persist,
            )
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note("vision store", error)

    def tiles_of(self, image: str) -> tuple[str, ...] | None:
        """Return the digests of the tiles of an image that was cut before a restart, or ``None``."""
        if self._cache is None:
            return None
        try:
            return self._cache.tier.tiles_of(self._identity, image)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note("look-up of tiles", error)
            return None

    def put_tiles(self, image: str, tiles: Sequence[str]) -> None:
        """Keep the digests of an image's tiles beyond a restart."""
        if self._cache is None or not self._persist:
            return
        try:
            self._cache.tier.spill_tiles(self._identity, image, tiles)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note("store of tiles", error)

    def skip(self, digest: str, grid: tuple[int, ...]) -> float:
        """Count a unit that reused state covers; return how many seconds it once took, 0.0 where that is forgotten."""
        if self._cache is None:
            return 0.0
        try:
            return self._cache.skip(self._identity, digest, grid=grid)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note("vision statistics", error)
            return 0.0
