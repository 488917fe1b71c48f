"""Training sees what the app sends: ids from the chat template and the processor, positions from the model."""

from __future__ import annotations

import random

import mlx.core as mx
import numpy as np
import pytest
from demo_model.dialogues import Dialogue, sample_dialogue
from demo_model.labels import IGNORED
from demo_model.layout import token_grid
from demo_model.tokens import END, IMAGE, encode
from tokenizers import Tokenizer

from app.inference.families.base import FamilyAdapter
from app.inference.loading import load_adapter
from app.inference.prompt import PromptBuilder
from app.inference.types import CancelToken, ImageRef, Message
from app.paths import demo_model_dir
from demo_model import paint
from tests.inference.conftest import image_ref


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(demo_model_dir() / "tokenizer.json"))


@pytest.fixture(scope="module")
def adapter() -> FamilyAdapter:
    return load_adapter("demo", lambda _progress: None, CancelToken())


def messages_of(dialogue: Dialogue) -> list[Message]:
    """The conversation as the app has it, up to the last question."""
    messages = [] if dialogue.system is None else [Message("system", dialogue.system)]
    for turn in dialogue.turns:
        pictures: tuple[ImageRef, ...] = tuple(image_ref(paint(scene)) for scene in turn.scenes)
        messages += [Message("user", turn.text, pictures), Message("assistant", turn.answer)]
    return messages[:-1]


@pytest.mark.parametrize("seed", range(8))
def test_training_and_the_app_have_the_same_ids(adapter: FamilyAdapter, tokenizer: Tokenizer, seed: int):
    dialogue = sample_dialogue(random.Random(seed), turns=4)
    built = PromptBuilder(adapter).build(messages_of(dialogue), lambda ref, layout: [ref.digest] * len(layout.units))
    ids = tuple(encode(dialogue, tokenizer).ids.tolist())
    assert ids[: len(built.final.ids)] == built.final.ids
    answer = tokenizer.encode(dialogue.turns[-1].answer + END + "\n").ids
    assert list(ids[len(built.final.ids) :]) == answer


@pytest.mark.parametrize("seed", range(8))
def test_training_and_the_model_have_the_same_positions(adapter: FamilyAdapter, tokenizer: Tokenizer, seed: int):
    example = encode(sample_dialogue(random.Random(seed), turns=3), tokenizer)
    grids = [token_grid(scene.width, scene.height) for scene in example.dialogue.scenes]
    if not grids:
        assert (example.positions == np.arange(len(example.ids))).all()
        return
    thw = mx.array([[1, 2 * rows, 2 * columns] for rows, columns in grids])
    positions, _ = adapter.model.language_model.get_rope_index(mx.array(example.ids)[None], thw, None)
    assert (np.array(positions)[:, 0] == example.positions).all()


def test_only_answers_are_learnt(tokenizer: Tokenizer):
    dialogue = sample_dialogue(random.Random(3), turns=5)
    example = encode(dialogue, tokenizer)
    learnt = example.targets[example.targets != IGNORED].tolist()
    said = "".join(turn.answer + END for turn in dialogue.turns)
    assert tokenizer.decode(learnt, skip_special_tokens=False) == said
    assert tokenizer.token_to_id(IMAGE) not in learnt
