"""Tiles that were encoded before a restart are known after it: a changed corner still costs the changed tiles only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from app.cache.config import CacheConfig
from app.inference.types import Message
from tests.inference.families.bench import Bench, open_bench
from tests.inference.families.chats import reference
from tests.inference.families.conftest import CHUNK
from tests.inference.families.test_tiles import OVERVIEW
from tests.models.pictures import screenshot, with_corner_changed


@pytest.mark.parametrize("family", ["smolvlm", "idefics3", "lfm2_vl", "internvl_chat", "internvl"])
@pytest.mark.parametrize("kind", ["memory", "paged"])
def test_only_the_changed_tiles_are_encoded_after_a_restart(
    checkpoints: Callable[[str], Path], tmp_path: Path, family: str, kind: str
) -> None:
    @contextmanager
    def started() -> Iterator[Bench]:
        bench = open_bench(family, checkpoints(family), CacheConfig(prefix_kind=kind, ssd_dir=tmp_path), CHUNK)
        yield bench
        bench.close()

    before, after = (reference(seen) for seen in (screenshot(), with_corner_changed(screenshot())))
    asked, changed = ([Message("user", "What is open?", (image,))] for image in (before, after))
    with started() as bench:
        bench.ask(asked)
        tiles = bench.encoded
    with started() as bench:
        views = [bench.engine.preview(image) for image in (before, after)]
        found, expected = bench.ask(changed), bench.ask(changed, use_cache=False)
        again = bench.ask(asked)

        assert [view and (view.tiles, view.tiles_known) for view in views] == [
            (tiles, tiles),
            (tiles, tiles - 1 - OVERVIEW),
        ]
        assert bench.encoded == 1 + OVERVIEW == found.finished.stats.images[0].tiles_run
        assert found.finished.token_ids == expected.finished.token_ids
        assert np.abs(found.logits - expected.logits).max() < 1e-4
        assert (again.finished.stats.encoder_calls, again.finished.stats.prefilled_tokens) == (0, 1)
