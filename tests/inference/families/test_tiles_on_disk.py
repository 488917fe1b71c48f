"""Tiles that were encoded before a restart are known after it: a changed corner still costs the changed tiles only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.cache.config import CacheConfig
from app.inference.types import ChatRequest, ImageRef, Message
from tests.inference.families.bench import ANSWER, Bench, open_bench
from tests.inference.families.chats import reference
from tests.inference.families.conftest import CHUNK
from tests.inference.families.test_tiles import OVERVIEW
from tests.models.pictures import screenshot, with_corner_changed

TILING = ["smolvlm", "idefics3", "lfm2_vl", "internvl_chat", "internvl"]


def watched(image: ImageRef, decoded: list[str]) -> ImageRef:
    """Return ``image``, which notes each time that it is decoded."""

    def load():
        decoded.append(image.digest)
        return image.load()

    return replace(image, load=load)


@pytest.mark.parametrize("family", TILING)
@pytest.mark.parametrize("kind", ["memory", "paged"])
def test_only_the_changed_tiles_are_encoded_after_a_restart(
    checkpoints: Callable[[str], Path], tmp_path: Path, family: str, kind: str
) -> None:
    @contextmanager
    def started() -> Iterator[Bench]:
        bench = open_bench(family, checkpoints(family), CacheConfig(prefix_kind=kind, ssd_dir=tmp_path), CHUNK)
        yield bench
        bench.close()

    decoded: list[str] = []
    pictures = screenshot(), with_corner_changed(screenshot())
    before, after = (watched(reference(picture), decoded) for picture in pictures)
    asked, changed = ([Message("user", "What is open?", (image,))] for image in (before, after))
    with started() as bench:
        bench.ask(asked)
        tiles = bench.encoded
    decoded.clear()
    with started() as bench:
        views = [bench.engine.preview(image) for image in (before, after)]
        assert decoded == [after.digest], "what was cut before need not be cut again to know its tiles"
        found, expected = bench.ask(changed), bench.ask(changed, use_cache=False)
        again = bench.ask(asked)

        assert [view and (view.tiles, view.tiles_known) for view in views] == [
            (tiles, tiles),
            (tiles, tiles - 1 - OVERVIEW),
        ]
        assert bench.encoded == 1 + OVERVIEW == found.finished.stats.images[0].tiles_run
        assert found.finished.token_ids == expected.finished.token_ids
        assert np.abs(found.logits - expected.logits).max() < 1e-4
        assert before.digest not in decoded
        assert (again.finished.stats.encoder_calls, again.finished.stats.prefilled_tokens) == (0, 1)


def test_what_was_seen_in_an_incognito_chat_or_only_dropped_is_not_named_on_disk(
    checkpoints: Callable[[str], Path], tmp_path: Path
) -> None:
    bench = open_bench("smolvlm", checkpoints("smolvlm"), CacheConfig(ssd_dir=tmp_path), CHUNK)
    image = reference(screenshot())
    bench.engine.preview(image)
    list(bench.engine.generate(ChatRequest((Message("user", "What is open?", (image,)),), ANSWER, incognito=True)))
    bench.close()

    assert not list(tmp_path.rglob("*.safetensors"))


def test_stored_tiles_that_cannot_be_the_picture_s_are_not_believed(
    checkpoints: Callable[[str], Path], tmp_path: Path
) -> None:
    bench = open_bench("smolvlm", checkpoints("smolvlm"), CacheConfig(ssd_dir=tmp_path), CHUNK)
    image = reference(screenshot())
    asked = [Message("user", "What is open?", (image,))]
    expected = bench.ask(asked, use_cache=False)
    bench.reset()
    bench.engine.caches.vision.tier.spill_tiles(bench.model.info.identity, image.digest, [image.digest])
    ssd = bench.engine.caches.ssd
    assert ssd is not None
    assert ssd.flush(60)
    assert bench.engine.caches.vision.tier.tiles_of(bench.model.info.identity, image.digest) == (image.digest,)

    found = bench.ask(asked)

    assert found.finished.token_ids == expected.finished.token_ids
    assert found.finished.stats.images[0].tiles_run == bench.encoded > 1
    bench.close()
