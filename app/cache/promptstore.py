"""The ``PromptStore`` protocol over whole entries, with a disk tier behind it where one is attached."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from app.cache.counters import Counters
from app.cache.disk_port import DiskPort, SpillTier
from app.cache.entries import EntryStore
from app.cache.identity import namespace_of
from app.cache.inventory import Holding, of_entries
from app.cache.layers import LayerRefused
from app.cache.matching import Choice, Stored
from app.cache.media import MediaSpan
from app.cache.protocols import PROMPT, Ending, LayerCaches, Lookup, TierRow
from app.cache.snapshot import Snapshot
from app.cache.why import NO_SPANS, SWITCHED_OFF

MISS = Lookup(None, 0, "miss")
PATIENCE_SECONDS = 5.0


class WholeEntryPrompts:
    """Finds, restores and keeps whole-sequence snapshots; the base of the whole-entry prefix caches.

    Attributes:
        entries: the store itself.
        disk: the tier behind it, if one is attached.
        identity: namespace in use.
        last_lookup: what the last look-up found, and why not more; without the state itself.
        placeholder_ids: token ids that only stand for media; a request that still has them carries no spans.
    """

    def __init__(self, entries: EntryStore, model: object = None, min_prefix_tokens: int = 1) -> None:
        self.entries = entries
        self.disk = DiskPort()
        self.identity = namespace_of(model)
        self.min_prefix_tokens = min_prefix_tokens
        self.placeholder_ids: frozenset[int] = frozenset()
        self.last_lookup: Lookup = MISS
        self._source: tuple[Stored, int] | None = None
        entries.spill = self._spill

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, tokens: Sequence[int]) -> bool:
        with self.entries.lock:
            return (self.identity, tokens) in self.entries.index

    # -- PromptStore ------------------------------------------------------------------------------------------------

    def lookup(self, tokens: Sequence[int], spans: Sequence[MediaSpan] = ()) -> Lookup:
        """Find the longest reusable state for ``tokens``; at least one token is always left to run. Never raises."""
        try:
            found = self._lookup(tuple(tokens), spans)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"look-up failed ({error})", error)
            found = Lookup(None, 0, "bypassed", "the cache failed; see the log")
        self.last_lookup = found.without_state()
        return found

    def save(
        self,
        tokens: Sequence[int],
        cache: LayerCaches,
        *,
        spans: Sequence[MediaSpan] = (),
        persist: bool = True,
        ending: Ending = PROMPT,
    ) -> bool:
        """Keep a snapshot of ``cache``, which holds exactly ``tokens``. Never raises."""
        source, self._source = self._source, None
        if len(tokens) < self.min_prefix_tokens:
            return False
        return self._keep(tokens, cache, persist=persist, source=_of(source, tokens), ending=ending)

    def use(self, identity: object) -> None:
        """Serve and fill the namespace of this identity from now on."""
        self.identity = namespace_of(identity)
        self.disk.use(self.identity)

    def drop(self, identity: object) -> None:
        """Spill (where a tier is attached) and forget everything of this identity."""
        self._source = None
        self._spill_patiently(self.entries.drop(namespace_of(identity)))

    def set_limit(self, nbytes: int) -> None:
        """Change the byte budget now, evicting down to it; 0 turns the store off."""
        self.entries.set_limit(nbytes)

    def clear(self) -> None:
        """Forget everything, counted as evictions with the reason ``cleared``. Reservations and the tier stay."""
        self._source = None
        self.entries.clear()

    def row(self) -> TierRow:
        """Return a consistent statistics row; safe from any thread."""
        with self.entries.lock:
            counts, ledger = self.entries.snapshot_counters(), self.entries.ledger
            size = (len(self.entries), ledger.used, ledger.limit)
        extra = {"tokens_saved": counts.tokens_saved, "refused": counts.refused, "reserved": ledger.reserved}
        return TierRow("prefix", *size, counts.hits, counts.misses, counts.bypassed, counts.reasons(), extra)

    def holdings(self) -> list[Holding]:
        """Return the entries as a list for people, last used first; safe from any thread."""
        return of_entries(self.entries)

    def pinned(self, tokens: Sequence[int]) -> AbstractContextManager[None]:
        """Protect the entry with exactly ``tokens``, if there is one, from eviction for the duration of the block."""
        return self.entries.pinned(self.identity, tokens)

    # -- shared with the contract's classes -------------------------------------------------------------------------

    def reset_stats(self) -> None:
        """Zero the counters; sizes stay."""
        with self.entries.lock:
            self.entries.counters = Counters()

    def set_ssd_tier(self, tier: SpillTier | None) -> None:
        """Attach the disk tier that evicted entries are spilled to; ``None`` detaches it."""
        self.disk = DiskPort(tier)
        self.disk.use(self.identity)

    def spill_all(self) -> None:
        """Hand every entry that may be persisted to the disk tier, newest first; the entries stay in memory."""
        with self.entries.lock:
            newest_first = list(reversed(list(self.entries.order)))
        self._spill_patiently(newest_first)

    def _lookup(self, tokens: tuple[int, ...], spans: Sequence[MediaSpan]) -> Lookup:
        started = time.perf_counter()
        self._source = None
        if self.entries.ledger.limit == 0:
            return Lookup(None, 0, "miss", SWITCHED_OFF)
        if self._unnamed_media(tokens):
            self.entries.bypass(NO_SPANS)
            return Lookup(None, 0, "bypassed", NO_SPANS)
        choice, why = self.entries.find(self.identity, tokens, spans, self.min_prefix_tokens)
        found = self._from_disk(tokens, spans, choice, why) or self._from_memory(choice, why)
        seconds = time.perf_counter() - started
        self.entries.note(found.kind, found.reused, found.why, seconds, found.nbytes)
        return Lookup(found.cache, found.reused, found.kind, found.why, found.source, seconds, found.nbytes)

    def _from_memory(self, choice: Choice, why: str) -> Lookup:
        if choice.entry is None:
            return Lookup(None, 0, "miss", why)
        cache = self.entries.restore(choice)
        if choice.reused < len(choice.entry.tokens):
            self._source = (choice.entry, choice.reused)
        share = choice.entry.nbytes * choice.reused // len(choice.entry.tokens)
        return Lookup(cache, choice.reused, choice.kind, why, "memory", nbytes=share)

    def _from_disk(
        self, tokens: tuple[int, ...], spans: Sequence[MediaSpan], choice: Choice, why: str
    ) -> Lookup | None:
        """Bring back a longer state from disk, keep it in memory, and serve it; ``None`` if there is none."""
        found = self.disk.longer(tokens, spans, choice.reused, self.min_prefix_tokens)
        if found is None:
            return None
        snapshot, why = found.snapshot, "" if found.reused == len(tokens) - 1 else found.why
        self.entries.add(self.identity, tokens[: snapshot.n_tokens], snapshot)
        cache = snapshot.restore(found.reused)
        return Lookup(cache, found.reused, found.kind, why, "disk", nbytes=snapshot.nbytes)

    def _keep(
        self,
        tokens: Sequence[int],
        cache: Sequence[Any],
        *,
        persist: bool = True,
        supersede: bool = True,
        source: tuple[Stored, int] | None = None,
        ending: Ending = PROMPT,
    ) -> bool:
        if len(tokens) == 0 or not cache or self.entries.ledger.limit == 0:
            return False
        if self._unnamed_media(tokens):
            self.entries.bypass(NO_SPANS)
            return False
        try:
            plan = self._plan(cache, len(tokens))
            return self.entries.add(
                self.identity, tokens, plan, persist=persist, supersede=supersede, source=source, ending=ending
            )
        except LayerRefused as refused:
            self.entries.bypass(f"a state was not stored ({refused})", refused)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"storing failed ({error})", error)
        return False

    def _unnamed_media(self, tokens: Sequence[int]) -> bool:
        """Whether placeholders are left that were not salted, so that nobody knows which media they stand for."""
        return bool(self.placeholder_ids) and not self.placeholder_ids.isdisjoint(tokens)

    def _plan(self, cache: Sequence[Any], n_tokens: int) -> Snapshot:
        return Snapshot.plan(cache, n_tokens)

    def _spill(self, entry: Stored) -> None:
        self.disk.spill(entry, back_to=self.identity)

    def _spill_patiently(self, entries: Sequence[Stored]) -> None:
        """Spill entries of a model that is left or an app that closes: wait, within bounds, where the queue is full."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        for entry in entries:
            if not entry.persist:
                continue
            try:
                if not self.disk.spill(entry, back_to=self.identity):
                    self.disk.wait(deadline - time.monotonic())
                    self.disk.spill(entry, back_to=self.identity)
            except Exception as error:  # noqa: BLE001 - a failing disk must not keep the app from closing
                self.entries.bypass(f"an entry could not be spilled ({error})", error)


def _of(source: tuple[Stored, int] | None, tokens: Sequence[int]) -> tuple[Stored, int] | None:
    """Return ``source`` if ``tokens`` really continue what was cut from it."""
    if source is None:
        return None
    entry, cut = source
    return source if tuple(tokens[:cut]) == entry.tokens[:cut] else None
