"""The eviction policy: least recently used, with pins for what is in use. One policy for every store."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class LRU(Generic[K]):
    """An order of keys from least to most recently used. Not locked: the owner's lock covers it."""

    def __init__(self) -> None:
        self._order: OrderedDict[K, float] = OrderedDict()
        self._added: dict[K, float] = {}
        self._pins: dict[K, int] = {}

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, key: K) -> bool:
        return key in self._order

    def __iter__(self) -> Iterator[K]:
        """Iterate from least to most recently used."""
        return iter(self._order)

    def touch(self, key: K) -> None:
        """Make ``key`` the most recently used; adds it if it is new."""
        self._order[key] = now = time.time()
        self._order.move_to_end(key)
        self._added.setdefault(key, now)

    def times(self, key: K) -> tuple[float, float]:
        """Return when ``key`` was added and when it was last used, as ``time.time()``; order never follows from them.

        Raises:
            KeyError: the key is not known.
        """
        return self._added[key], self._order[key]

    def discard(self, key: K) -> None:
        """Forget ``key`` and its pins."""
        self._order.pop(key, None)
        self._added.pop(key, None)
        self._pins.pop(key, None)

    def pin(self, key: K) -> None:
        """Protect ``key`` from eviction until :meth:`unpin` was called as often.

        Raises:
            KeyError: the key is not known.
        """
        if key not in self._order:
            raise KeyError(key)
        self._pins[key] = self._pins.get(key, 0) + 1

    def unpin(self, key: K) -> None:
        """Take one pin away; a key that was discarded meanwhile is no error."""
        count = self._pins.get(key, 0) - 1
        if count > 0:
            self._pins[key] = count
        else:
            self._pins.pop(key, None)

    def pinned(self, key: K) -> bool:
        """Whether ``key`` is protected."""
        return key in self._pins

    def pins(self) -> Iterator[K]:
        """Iterate over the protected keys."""
        return iter(self._pins)

    def victim(self, *spare: K) -> K | None:
        """Return the least recently used key that is neither pinned nor in ``spare``; ``None`` if there is none."""
        return next((key for key in self._order if key not in self._pins and key not in spare), None)

    def clear(self) -> None:
        """Forget all keys and pins."""
        self._order.clear()
        self._added.clear()
        self._pins.clear()
