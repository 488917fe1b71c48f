"""The bundled checkpoint: small, half precision, with a card that says how often it is right."""

from __future__ import annotations

import json
import math
import re

import pytest
from demo_model.card import count_parameters
from demo_model.layout import MAX_PIXELS, MIN_PIXELS
from demo_model.questions import KINDS_OF_QUESTION
from safetensors import safe_open
from tokenizers import Tokenizer

from app.paths import demo_model_dir

FOLDER = demo_model_dir()


def test_it_is_small_and_in_half_precision():
    assert 2e6 <= count_parameters(FOLDER) <= 6e6
    assert (FOLDER / "model.safetensors").stat().st_size <= 12 * 10**6
    with safe_open(FOLDER / "model.safetensors", "np") as weights:
        tensors = {name: weights.get_slice(name) for name in weights.keys()}  # noqa: SIM118 - it is no mapping
    assert {tensor.get_dtype() for tensor in tensors.values()} == {"F16"}
    assert sum(math.prod(tensor.get_shape()) for tensor in tensors.values()) == count_parameters(FOLDER)


def test_its_processor_cuts_pictures_as_the_labels_do():
    settings = json.loads((FOLDER / "preprocessor_config.json").read_text(encoding="utf-8"))
    assert (settings["min_pixels"], settings["max_pixels"]) == (MIN_PIXELS, MAX_PIXELS)


@pytest.mark.parametrize("text", ["What is this?", "naïve café, 你好, 🙂", "\t\x00 <|im_start|>", ""])
def test_any_text_can_be_typed(text: str):
    tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text


def test_the_card_has_a_figure_for_every_kind_of_question():
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    for kind in (*KINDS_OF_QUESTION, "two pictures", "small talk", "unknown picture"):
        assert re.search(rf"^\| {kind} \| \d+ \| [\d.]+% \|", card, re.MULTILINE), kind
    assert re.search(r"Control: .* \d+\.\d% of \d+ questions", card)
