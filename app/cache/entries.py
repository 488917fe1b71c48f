"""The store of whole-sequence entries that every prefix cache here is a policy over.

One index, one ledger, one eviction order, one lock. Work that may be slow or foreign (copying, spilling, subscribers)
runs outside the lock, on what was decided inside it; an entry that is being copied from is pinned meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from app.cache.counters import Counters
from app.cache.events import CacheEvent, EventBus, EvictionReason
from app.cache.index import Match, PrefixIndex
from app.cache.ledger import ByteLedger
from app.cache.lru import LRU
from app.cache.matching import Choice, Stored, choose
from app.cache.media import MediaSpan
from app.cache.protocols import PROMPT, Ending
from app.cache.snapshot import Snapshot
from app.cache.superseding import at_once, left_behind, superseded
from app.cache.telling import PromptTelling
from app.cache.why import Evidence, explain

SPILLED: frozenset[EvictionReason] = frozenset({"memory", "count", "superseded", "limit_lowered"})
Spill = Callable[[Stored], None]


class EntryStore(PromptTelling):
    """Whole-sequence snapshots by (identity, tokens), within a byte limit and a count limit.

    Invariant, whenever the lock is free: ledger.used == sum of the entries' bytes <= limit, index, order and entries
    name the same keys, and the lender of an entry that borrows is stored.
    """

    def __init__(self, max_bytes: int, max_entries: int, bus: EventBus | None = None) -> None:
        super().__init__(threading.RLock(), bus)
        self.index: PrefixIndex[Stored] = PrefixIndex()
        self.order: LRU[Stored] = LRU()
        self.ledger = ByteLedger(max_bytes)
        self.max_entries = max_entries
        self.spill: Spill | None = None
        self._leaving: list[Stored] = []

    def __len__(self) -> int:
        return len(self.order)

    # -- look-up ----------------------------------------------------------------------------------------------------

    def find(
        self, identity: str, tokens: Sequence[int], spans: Sequence[MediaSpan] = (), minimum: int = 1
    ) -> tuple[Choice, str]:
        """Return the best legal reuse for ``tokens``, and why no more of them is reused."""
        key = tuple(tokens)
        with self.lock:
            match = self.index.find(identity, key)
            choice = choose(match, key, spans, minimum)
            nearest = match.exact or (match.branches[0][1] if match.branches else None)
            known = next(self.index.entries(identity), None) is not None
            seen = Evidence(
                tokens=key,
                spans=spans,
                reused=choice.reused,
                common=match.common,
                stored=nearest.tokens if nearest is not None else (),
                blocker=choice.blocker,
                minimum=minimum,
                model_known=known,
                model_changed=not known and len(self.order) > 0,
            )
        return choice, explain(seen)

    def restore(self, choice: Choice) -> list[Any]:
        """Return private layer caches for ``choice``, and make its entry the most recently used.

        Raises:
            LayerRefused: the entry cannot be cut there.
        """
        entry = choice.entry
        assert entry is not None
        with self._pinned(entry):
            cache = entry.snapshot.restore(choice.reused)
        with self.lock:
            entry.hits += 1
            if entry in self.order:
                self.order.touch(entry)
        return cache

    # -- storing ----------------------------------------------------------------------------------------------------

    def add(
        self,
        identity: str,
        tokens: Sequence[int],
        plan: Snapshot,
        *,
        persist: bool = True,
        supersede: bool = True,
        source: tuple[Stored, int] | None = None,
        ending: Ending = PROMPT,
        about: tuple[object, int] = (None, 0),
    ) -> bool:
        """Store a planned snapshot; ``False``, with nothing changed, if it cannot fit.

        Args:
            identity: namespace.
            tokens: the key; the snapshot holds exactly these.
            plan: copied only once there is room for it.
            persist: whether it may go to disk.
            supersede: let entries go that the new one makes superfluous.
            source: entry and cut that this sequence was started from, if it was cut short.
            ending: what the tokens end with.
            about: what to attach to the entry, and the bytes that it takes, charged with the entry.
        """
        key = tuple(map(int, tokens))
        entry = Stored(identity, key, plan, plan.nbytes + about[1], persist, about=about[0], ending=ending)
        orphans = self._admit(entry, supersede, source)
        if orphans is None:
            return False
        try:
            plan.settle()
        except BaseException:
            self._abandon(orphans, "memory")
            raise
        finally:
            self.ledger.release(entry.nbytes)
            self.flush()
        return self._commit(entry, orphans, supersede)

    def _admit(self, entry: Stored, supersede: bool, source: tuple[Stored, int] | None) -> set[Stored] | None:
        """Reserve room for ``entry``: what it takes the place of goes, then what was not used for longest.

        Returns:
            Those that borrowed from what went; ``None``, with nothing changed, if the entry cannot fit.
        """
        with self.lock:
            if entry.ending.halfway and (entry.nbytes > self.ledger.free or len(self.order) >= self.max_entries):
                return None  # nothing is given up for it
            pinned = self._pinned_bytes(entry.tokens, entry.identity)
            if entry.nbytes > self.ledger.limit - self.ledger.reserved - pinned or self.max_entries < 1:
                self.counters.refused += 1
                return None
            match, orphans = self.index.find(entry.identity, entry.tokens), set[Stored]()
            if match.exact is not None:
                replaced = match.exact.value
                entry.stem, entry.ending = replaced.stem, at_once(entry.ending, replaced.ending)
                orphans |= self._retire(replaced, "replaced")
            if supersede:
                orphans |= self._succeed(entry, match, source)
            self._make_room(entry.nbytes)
            self.ledger.reserve(entry.nbytes)
            return orphans

    def _succeed(self, entry: Stored, match: Match[Stored], source: tuple[Stored, int] | None) -> set[Stored]:
        """Let those go that ``entry`` makes superfluous, and note its stem; return those that borrowed from them."""
        key, plan = entry.tokens, entry.snapshot
        gone = superseded(key, match, plan, self.index, entry.ending)
        shorter = [len(e.tokens) for e in gone if key[: len(e.tokens)] == e.tokens]
        replaceable = [length for length in shorter if plan.can_cut(length)]
        # A state before the prompt's last token is where it was stopped, or another turn's, not its prompt.
        entry.stem = max([entry.stem, *(length for length in replaceable if length >= entry.ending.answer_at - 1)])
        return self._supersede([*gone, *_left(source, plan)])

    def _commit(self, entry: Stored, orphans: set[Stored], lend: bool) -> bool:
        """Put a copied entry in place; ``False`` if another thread took its room meanwhile.

        It lends its layers to those of its boundaries that borrow already, ``orphans`` among them, and with ``lend`` to
        the others but the oldest, which is short and outlives conversations.
        """
        with self.lock:
            match = self.index.find(entry.identity, entry.tokens)
            if match.exact is not None:
                orphans |= self._retire(match.exact.value, "replaced")
            kept = len(self.order) < self.max_entries and self.ledger.charge(entry.nbytes)
            if kept:
                self.index.insert(entry.identity, entry.tokens, entry)
                self.order.touch(entry)
                self.counters.stored += 1
                self._events.append(CacheEvent("stored", "prefix", "", len(entry.tokens), entry.nbytes))
                ancestors = [ancestor.value for ancestor in match.ancestors]
                boundaries = ancestors[:-1] if lend else []
                self._lend(entry, [old for old in ancestors if old in boundaries or old.snapshot.borrowed])
            else:
                self.counters.refused += 1
            self._abandon(orphans, "superseded" if kept else "memory")
        self.flush()
        return kept

    def _abandon(self, orphans: set[Stored], reason: EvictionReason) -> None:
        """Let those go that found no other lender."""
        with self.lock:
            for orphan in orphans:
                if orphan.lender is None and orphan in self.order:
                    self._evict(orphan, reason)

    def _lend(self, lender: Stored, boundaries: Sequence[Stored]) -> None:
        """Keep once what ``lender`` and its boundaries all hold."""
        for old in boundaries:
            thin = old.snapshot.leaning_on(lender.snapshot)
            if not thin.borrowed or not thin.borrowed >= old.snapshot.borrowed:
                continue
            freed = old.snapshot.nbytes - thin.nbytes
            if old.lender is not None:
                old.lender.borrowers.discard(old)
            old.snapshot, old.lender, old.nbytes = thin, lender, old.nbytes - freed
            lender.borrowers.add(old)
            self.ledger.refund(freed)

    def _supersede(self, entries: Sequence[Stored]) -> set[Stored]:
        """Let entries go; return those that borrowed from them."""
        going = [entry for entry in dict.fromkeys(entries) if entry in self.order and not self.order.pinned(entry)]
        orphans = set[Stored]().union(*(self._retire(entry, "superseded") for entry in going))
        return orphans.difference(going)

    def _make_room(self, nbytes: int) -> None:
        while len(self.order) >= self.max_entries and self._evict_oldest("count"):
            pass
        while self.ledger.free < nbytes and self._evict_oldest("memory"):
            pass

    def _pinned_bytes(self, key: tuple[int, ...], identity: str) -> int:
        return sum(e.nbytes for e in self.order.pins() if not (e.identity == identity and e.tokens == key))

    # -- leaving ----------------------------------------------------------------------------------------------------

    def remove(self, identity: str, tokens: Sequence[int], reason: EvictionReason = "cleared") -> bool:
        """Remove one entry; ``False`` if there is none."""
        with self.lock:
            entry = self.index.get(identity, tokens)
            if entry is not None:
                self._evict(entry, reason)
        self.flush()
        return entry is not None

    def drop(self, identity: str) -> list[Stored]:
        """Forget everything of one identity; return it, most recently used first."""
        with self.lock:
            gone = [entry for entry in reversed(list(self.order)) if entry.identity == identity]
            for entry in gone:
                self._retire(entry, "cleared")
        self.flush()
        return gone

    def clear(self) -> None:
        """Forget everything; reservations stay."""
        with self.lock:
            count, nbytes = len(self.order), self.ledger.used
            for entry in list(self.order):
                self._retire(entry, "cleared")
            self._events.append(CacheEvent("cleared", "prefix", "", count, nbytes))
        self.flush()

    def set_limit(self, nbytes: int) -> None:
        """Change the byte limit and evict down to it; pinned entries go when they are let go."""
        with self.lock:
            self.ledger.set_limit(nbytes)
            while self.ledger.overdraft and self._evict_oldest("limit_lowered"):
                pass
            self._events.append(CacheEvent("resized", "prefix", "", 0, nbytes))
        self.flush()

    def set_max_entries(self, count: int) -> None:
        """Change the count limit and evict down to it."""
        with self.lock:
            self.max_entries = count
            while len(self.order) > count and self._evict_oldest("limit_lowered"):
                pass
        self.flush()

    def reserve(self, nbytes: int) -> bool:
        """Promise ``nbytes`` to work to come, evicting for it; ``False``, with nothing evicted, if they cannot fit."""
        with self.lock:
            room = self.ledger.limit - self.ledger.reserved - sum(e.nbytes for e in self.order.pins())
            if nbytes > room:
                return False
            while self.ledger.free < nbytes and self._evict_oldest("memory"):
                pass
            done = self.ledger.reserve(nbytes)
        self.flush()
        return done

    def _evict_oldest(self, reason: EvictionReason) -> bool:
        passing = (e for e in self.order if e.ending.halfway and not e.borrowers and not self.order.pinned(e))
        entry = next(passing, None) or self.order.victim()
        if entry is None:
            return False
        self._evict(entry, reason)
        return True

    def _evict(self, entry: Stored, reason: EvictionReason) -> None:
        """Let an entry go, and with it those that are nothing without it."""
        for borrower in self._retire(entry, reason):
            self._evict(borrower, reason)

    def _retire(self, entry: Stored, reason: EvictionReason) -> set[Stored]:
        """Let an entry go; return those that borrowed from it, which the caller has to see to."""
        if entry.lender is not None:
            entry.lender.borrowers.discard(entry)
        orphans, entry.borrowers, entry.lender = entry.borrowers, set(), None
        for orphan in orphans:
            orphan.lender = None
        self.index.remove(entry.identity, entry.tokens)
        self.order.discard(entry)
        self.ledger.refund(entry.nbytes)
        self.counters.evicted[reason] += 1
        self._events.append(CacheEvent("evicted", "prefix", reason, len(entry.tokens), entry.nbytes))
        if reason in SPILLED and entry.persist and not entry.ending.halfway:
            self._leaving.append(entry)
        return orphans

    # -- pins and side effects --------------------------------------------------------------------------------------

    @contextmanager
    def pinned(self, identity: str, tokens: Sequence[int]) -> Iterator[None]:
        """Protect the entry with exactly ``tokens``, if there is one, from eviction for the duration of the block."""
        entry = self.index.get(identity, tokens)
        if entry is None:
            yield
            return
        with self._pinned(entry):
            yield

    @contextmanager
    def _pinned(self, entry: Stored) -> Iterator[None]:
        with self.lock:
            pinned = [held for held in (entry, entry.lender) if held is not None and held in self.order]
            for held in pinned:
                self.order.pin(held)
        try:
            yield
        finally:
            with self.lock:
                for held in pinned:
                    self.order.unpin(held)
                while self.ledger.overdraft and self._evict_oldest("limit_lowered"):
                    pass
            self.flush()

    def flush(self) -> None:
        """Spill what left and tell the subscribers what happened; call it without holding the lock."""
        with self.lock:
            leaving, self._leaving = self._leaving, []
            spill = self.spill
        for entry in leaving if spill is not None else ():
            try:
                assert spill is not None
                spill(entry)
            except Exception as error:  # noqa: BLE001 - a failing disk must not lose the entry that was just stored
                self.bypass(f"an entry could not be spilled ({error})", error)
        super().flush()

    def snapshot_counters(self) -> Counters:
        """Return a consistent copy of the counters."""
        with self.lock:
            now = self.counters
            return replace(now, kinds=now.kinds.copy(), evicted=now.evicted.copy())


def _left(source: tuple[Stored, int] | None, plan: Snapshot) -> list[Stored]:
    return [source[0]] if source is not None and left_behind(*source, plan) else []
