"""The byte ledger: what a store holds and has promised, against a limit that may change at any time."""

from __future__ import annotations

import threading


class ByteLedger:
    """Counts bytes charged for entries and bytes reserved for work to come. Safe from any thread.

    Invariant: ``used + reserved <= limit`` after every successful call of :meth:`charge` and :meth:`reserve`. Lowering
    the limit may break it for a moment; ``overdraft`` says by how much, and the owner evicts.
    """

    def __init__(self, limit: int) -> None:
        self._lock = threading.Lock()
        self._limit = _natural(limit)
        self._used = 0
        self._reserved = 0

    @property
    def limit(self) -> int:
        """Bytes allowed in all."""
        return self._limit

    @property
    def used(self) -> int:
        """Bytes charged."""
        return self._used

    @property
    def reserved(self) -> int:
        """Bytes promised to work that has not been stored yet."""
        return self._reserved

    @property
    def free(self) -> int:
        """Bytes that can still be charged or reserved; never negative."""
        with self._lock:
            return max(0, self._limit - self._used - self._reserved)

    @property
    def overdraft(self) -> int:
        """Bytes above the limit, after it was lowered."""
        with self._lock:
            return max(0, self._used + self._reserved - self._limit)

    def charge(self, nbytes: int) -> bool:
        """Book ``nbytes`` if they fit; otherwise change nothing and return ``False``."""
        with self._lock:
            if self._used + self._reserved + _natural(nbytes) > self._limit:
                return False
            self._used += nbytes
            return True

    def refund(self, nbytes: int) -> None:
        """Give back what was charged.

        Raises:
            ValueError: more than was charged.
        """
        with self._lock:
            if _natural(nbytes) > self._used:
                raise ValueError(f"refund of {nbytes} bytes, but only {self._used} are charged")
            self._used -= nbytes

    def reserve(self, nbytes: int) -> bool:
        """Promise ``nbytes`` if they fit; otherwise change nothing and return ``False``."""
        with self._lock:
            if self._used + self._reserved + _natural(nbytes) > self._limit:
                return False
            self._reserved += nbytes
            return True

    def release(self, nbytes: int) -> None:
        """Take back a promise; releasing more than was promised releases all."""
        with self._lock:
            self._reserved -= min(_natural(nbytes), self._reserved)

    def set_limit(self, limit: int) -> None:
        """Change the limit; the owner then evicts ``overdraft`` bytes."""
        with self._lock:
            self._limit = _natural(limit)


def _natural(nbytes: int) -> int:
    if nbytes < 0:
        raise ValueError(f"{nbytes} is not a number of bytes")
    return nbytes
