"""Two screenshots that differ in a corner: the second costs the changed tiles, and its prompt is found up to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from app.inference.types import Message
from tests.inference.families.bench import Bench
from tests.inference.families.chats import reference, unit_digests
from tests.models.pictures import screenshot, with_corner_changed

Benches = Callable[[str], Mapping[str, Bench]]
OVERVIEW = 1
"""Each of these families shows the model the whole picture once more, in small."""


@pytest.mark.parametrize("family", ["smolvlm", "idefics3", "lfm2_vl", "internvl_chat", "internvl"])
def test_only_the_changed_tiles_are_encoded_again(benches: Benches, family: str) -> None:
    bench = benches(family)["memory"]
    bench.reset()
    before = screenshot()
    chats = [[Message("user", "What is open?", (reference(seen),))] for seen in (before, with_corner_changed(before))]

    first, second = (bench.ask(chat).finished.stats for chat in chats)

    (old,), (new,) = first.images, second.images
    assert old.tiles == old.tiles_run == new.tiles > 4
    assert new.tiles_run == 1 + OVERVIEW
    assert bench.encoded == old.tiles + new.tiles_run
    assert second.encoder_calls == 1


@pytest.mark.parametrize("family", ["smolvlm", "idefics3", "internvl_chat", "internvl"])
def test_the_prompt_is_reused_up_to_the_first_changed_tile(benches: Benches, family: str) -> None:
    bench = benches(family)["memory"]
    bench.reset()
    before, after = (reference(seen) for seen in (screenshot(), with_corner_changed(screenshot())))
    bench.ask([Message("user", "What is open?", (before,))])
    chat = [Message("user", "What is open?", (after,))]
    _, spans = bench.key(chat)
    known = set(unit_digests(bench.adapter)(before, bench.adapter.layout(before.width, before.height)))

    found = bench.ask(chat)

    changed = next(span for span in spans if span.digest not in known)
    assert found.finished.stats.reused_tokens == changed.start


@pytest.mark.parametrize("family", ["smolvlm", "idefics3", "lfm2_vl", "internvl_chat", "internvl"])
def test_the_answer_about_the_changed_screenshot_is_the_uncached_one(benches: Benches, family: str) -> None:
    bench = benches(family)["memory"]
    bench.reset()
    before, after = (reference(seen) for seen in (screenshot(), with_corner_changed(screenshot())))
    bench.ask([Message("user", "What is open?", (before,))])
    chat = [Message("user", "What is open?", (after,))]

    found, expected = bench.ask(chat), bench.ask(chat, use_cache=False)

    assert found.finished.token_ids == expected.finished.token_ids
    assert np.abs(found.logits - expected.logits).max() < 1e-4


@pytest.mark.parametrize("family", ["smolvlm", "idefics3", "lfm2_vl", "internvl_chat", "internvl"])
def test_the_tiles_that_are_known_are_told_before_sending(benches: Benches, family: str) -> None:
    bench = benches(family)["memory"]
    bench.reset()
    before, after = (reference(seen) for seen in (screenshot(), with_corner_changed(screenshot())))
    new = bench.engine.preview(before)
    bench.ask([Message("user", "What is open?", (before,))])
    counted = bench.engine.caches.vision.get_stats()

    views = [bench.engine.preview(image) for image in (before, after)]

    assert new is not None
    assert (new.tiles, new.tiles_known) == (bench.encoded, 0)
    assert [view and (view.tiles, view.tiles_known) for view in views] == [
        (new.tiles, new.tiles),
        (new.tiles, new.tiles - 1 - OVERVIEW),
    ]
    assert bench.encoded == new.tiles
    assert bench.engine.caches.vision.get_stats() == counted


def test_a_picture_that_is_encoded_whole_has_no_tiles(benches: Benches) -> None:
    bench = benches("qwen2_vl")["memory"]
    image = reference(screenshot())

    assert bench.engine.preview(image) == bench.engine.image_view(image.width, image.height)
