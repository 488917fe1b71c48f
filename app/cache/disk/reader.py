"""Reading entries back, on the thread that owns MLX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from app.cache.disk.buffers import to_mlx
from app.cache.disk.chains import Chain
from app.cache.disk.codec import decode_snapshot, decode_tree
from app.cache.disk.entry_file import EntryDamaged, EntryHeader, read_entry
from app.cache.disk.folder import CacheFolder
from app.cache.disk.index import DiskIndex, IndexRow
from app.cache.snapshot import Snapshot

Arrays = dict[str, NDArray[np.generic]]


class Reader:
    """Reads what the index found. A damaged or vanished file is forgotten (and set aside) and gives ``None``."""

    def __init__(self, folder: CacheFolder, index: DiskIndex, on_damaged: Callable[[str, str], None]) -> None:
        self._folder = folder
        self._index = index
        self._on_damaged = on_damaged

    def chain(self, chain: Chain, n_tokens: int) -> Snapshot | None:
        """Return the state after ``n_tokens`` tokens of ``chain``.

        Raises:
            LayerRefused, KeyError, ValueError: the segments do not fit together.
        """
        segments: list[tuple[Arrays, int]] = []
        for position, row in enumerate(chain.rows):
            entry = self._file(row)
            if entry is None:
                return None
            header, arrays = entry
            stop = row.stop if row is chain.last else chain.rows[position + 1].start
            segments.append((arrays, stop - row.start))
        codes = {name: code for name, (code, _) in header.arrays.items()}
        return decode_snapshot(header.meta, segments, codes).cut(n_tokens)

    def features(self, row: IndexRow) -> tuple[Any, dict[str, Any]] | None:
        """Return features and their ``meta``.

        Raises:
            KeyError: the description names arrays that are not there.
        """
        entry = self._file(row)
        if entry is None:
            return None
        header, arrays = entry
        loaded = {name: to_mlx(header.arrays[name][0], array) for name, array in arrays.items()}
        mx.eval(list(loaded.values()))
        return decode_tree(header.meta["tree"], loaded), dict(header.meta["meta"])

    def _file(self, row: IndexRow) -> tuple[EntryHeader, Arrays] | None:
        try:
            header, arrays = read_entry(self._folder.entry_path(row.file))
            described = (header.namespace, header.key, header.start, header.end)
            if described != (row.namespace, row.key, row.start, row.stop):
                raise EntryDamaged("it holds another entry than the index says")
        except EntryDamaged as error:
            self._on_damaged(row.file, str(error))
            self._index.remove(row.id)
            return None
        except FileNotFoundError:
            self._index.remove(row.id)
            return None
        arrays.pop("tokens", None)
        return header, arrays
