"""Each adapter says what mlx-vlm's own processor and merge say: the same ids, the same logits, the same layouts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import mlx.core as mx
import numpy as np
import pytest
from PIL.Image import Image

from app.errors import ImageRefused
from app.inference.families.base import FamilyAdapter
from app.inference.families.llava_next import arranged
from app.inference.families.registry import FAMILIES as ADAPTED
from app.inference.prompt import BuiltPrompt, PromptBuilder
from tests.inference.families import library
from tests.inference.families.chats import conversation, unit_digests
from tests.models import SPECS
from tests.models.pictures import waves

Load = Callable[[str], FamilyAdapter]
IMAGE_FAMILIES = [family for family in SPECS if not family.startswith("text_")]
SIZES = [(64, 48), (48, 64), (300, 200), (31, 200), (1600, 1000)]
ONE_IMAGE_IN_THE_LIBRARY = ("paligemma", "fastvlm")
"""mlx-vlm splits a FastVLM prompt wrongly from the second image on, and merges one image into a PaliGemma prompt."""


def build(adapter: FamilyAdapter, images: Sequence[Image]) -> BuiltPrompt:
    return PromptBuilder(adapter).build(conversation(*images), unit_digests(adapter))


def encode(adapter: FamilyAdapter, images: Sequence[Image]) -> dict[int, tuple[mx.array, ...]]:
    units = [features for image in images for features in adapter.encode(adapter.preprocess(image))]
    return dict(enumerate(units))


def last_logits(adapter: FamilyAdapter, built: BuiltPrompt, features: dict[int, tuple[mx.array, ...]]) -> mx.array:
    chunk = adapter.chunk(built.final, features, 0, len(built.final))
    return adapter.forward(chunk, adapter.make_cache())[0, -1]


def library_text(adapter: FamilyAdapter, images: Sequence[Image]) -> str:
    text = PromptBuilder(adapter).render(conversation(*images))
    if adapter.checkpoint.model_type == "paligemma":  # whose processor adds these itself
        return text.replace(adapter.tokenizer.bos_token, "").removesuffix("\n")
    return text


@pytest.mark.parametrize("family", [family for family in IMAGE_FAMILIES if family != "llava_next"])
def test_same_ids_and_logits_as_the_library(adapters: Load, family: str) -> None:
    adapter = adapters(family)
    images = [waves(1, 64, 48), waves(2, 90, 130)][: 1 if family in ONE_IMAGE_IN_THE_LIBRARY else 2]
    ids, expected = library.run(adapter, library_text(adapter, images), images)

    built = build(adapter, images)
    logits = last_logits(adapter, built, encode(adapter, images))

    if family != "fastvlm":  # there an image has a single id
        assert list(built.final.ids) == ids
    assert np.abs(np.array(logits - expected)).max() < 1e-5


@pytest.mark.parametrize("family", IMAGE_FAMILIES)
def test_layout_follows_from_the_size_alone(adapters: Load, family: str) -> None:
    adapter, rng = adapters(family), random.Random(family)
    sizes = SIZES + [(rng.randint(100, 900), rng.randint(100, 900)) for _ in range(3)]
    for width, height in sizes:
        layout = adapter.layout(width, height)
        pixels = adapter.preprocess(waves(3, width, height))
        features = adapter.encode(pixels[-1:])[0]

        assert len(pixels) == len(layout.units), (width, height)
        adapter.check_features(features, layout.units[-1])
        assert adapter.tokenize(layout.text).count(adapter.placeholder_id) == layout.tokens


@pytest.mark.parametrize("family", IMAGE_FAMILIES)
def test_another_picture_of_the_same_size_gives_other_logits(adapters: Load, family: str) -> None:
    adapter = adapters(family)
    pictures = [waves(seed, 64, 64) for seed in (1, 2)]

    one, other = (last_logits(adapter, build(adapter, pictures[:1]), encode(adapter, [seen])) for seen in pictures)

    assert np.abs(np.array(one - other)).max() > 1e-3


def test_llava_next_has_the_library_s_ids_and_of_one_patch_per_token(adapters: Load) -> None:
    """Its logits cannot be the library's, which puts whole tiles where single patches belong."""
    adapter = adapters("llava_next")
    images = [waves(number, *size) for number, size in enumerate(SIZES)]
    theirs = adapter.processor(images=images, text=library_text(adapter, images))

    built = build(adapter, images)

    assert list(built.final.ids) == np.asarray(theirs["input_ids"])[0].tolist()
    assert all(np.isfinite(np.array(last_logits(adapter, built, encode(adapter, images)))))


def test_llava_next_reads_patches_row_by_row_across_its_tiles() -> None:
    """Two tiles side by side of 2x2 patches, and a picture so flat that the lower and upper rows are padding."""
    overview, line = mx.full((4, 1), -1.0), mx.array([-2.0])
    tiles = mx.arange(16).reshape(4, 4, 1).astype(mx.float32)

    square = arranged(overview, tiles, (2, 2), (100, 100), line)
    flat = arranged(overview, tiles, (2, 2), (200, 100), line)
    slim = arranged(overview, tiles, (2, 2), (100, 200), line)

    whole = [[0, 1, 4, 5, -2], [2, 3, 6, 7, -2], [8, 9, 12, 13, -2], [10, 11, 14, 15, -2]]
    assert square[:, 0].tolist() == [-1] * 4 + [patch for row in whole for patch in row]
    assert flat[:, 0].tolist() == [-1] * 4 + [patch for row in whole[1:3] for patch in row]
    assert slim[:, 0].tolist() == [-1] * 4 + [patch for row in whole for patch in [*row[1:3], -2]]


def test_a_strip_that_lfm2_cannot_take_is_refused(adapters: Load) -> None:
    with pytest.raises(ImageRefused, match="too narrow"):
        adapters("lfm2_vl").layout(900, 20)


def test_every_vision_family_of_the_factory_has_an_adapter_of_its_own(adapters: Load) -> None:
    served = {adapters(family).checkpoint.model_type for family in IMAGE_FAMILIES}

    assert served == set(ADAPTED)
