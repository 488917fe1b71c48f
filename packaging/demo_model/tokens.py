"""The tokenizer, and conversations as token ids with positions, as the chat template and the processor give them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from demo_model.dialogues import Dialogue, Turn, sample_dialogue
from demo_model.labels import IGNORED
from demo_model.layout import token_grid

END_OF_TEXT: Final = "<|endoftext|>"
START: Final = "<|im_start|>"
END: Final = "<|im_end|>"
VISION_START: Final = "<|vision_start|>"
VISION_END: Final = "<|vision_end|>"
IMAGE: Final = "<|image_pad|>"
VIDEO: Final = "<|video_pad|>"
SPECIALS: Final = (END_OF_TEXT, START, END, VISION_START, VISION_END, IMAGE, VIDEO)
VOCABULARY: Final = 1024
CORPUS_DIALOGUES: Final = 6000

CHAT_TEMPLATE: Final = (
    "{% set seen = namespace(pictures=0) %}"
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] in ('image', 'image_url') or 'image' in part %}"
    "{% set seen.pictures = seen.pictures + 1 %}"
    "Picture {{ seen.pictures }}: <|vision_start|><|image_pad|><|vision_end|>\n"
    "{% elif 'text' in part %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""ChatML with numbered pictures, like the template of Qwen2-VL with ``add_vision_id``."""


def train_tokenizer(seed: int = 0) -> Tokenizer:
    """Byte-level BPE, trained on synthetic conversations; any text can be encoded."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=list(SPECIALS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus(seed), trainer)
    return tokenizer


def corpus(seed: int) -> Iterator[str]:
    """Lines to train the tokenizer on."""
    for number in range(CORPUS_DIALOGUES):
        dialogue = sample_dialogue(random.Random(f"corpus {seed} {number}"))
        yield "system\nuser\nassistant\nPicture 1: Picture 2: Picture 3: " + (dialogue.system or "")
        for turn in dialogue.turns:
            yield turn.text + "\n" + turn.answer


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation as arrays.

    Attributes:
        ids: int64 (length,).
        targets: int64 (length,): the id that should follow where it is part of an answer, else ``IGNORED``.
        positions: int64 (3, length), M-RoPE.
        dialogue: where it came from.
    """

    ids: np.ndarray
    targets: np.ndarray
    positions: np.ndarray
    dialogue: Dialogue


def segments(dialogue: Dialogue) -> Iterator[tuple[str, bool]]:
    """Text of a conversation in pieces, each with whether the model should learn to say it."""
    if dialogue.system is not None:
        yield f"{START}system\n{dialogue.system}{END}\n", False
    pictures = 0
    for turn in dialogue.turns:
        yield f"{START}user\n{picture_text(turn, pictures)}{turn.text}{END}\n{START}assistant\n", False
        yield f"{turn.answer}{END}", True
        yield "\n", False
        pictures += len(turn.scenes)


def picture_text(turn: Turn, before: int) -> str:
    """The placeholders of a turn's pictures, one pad per image token."""
    text = ""
    for number, scene in enumerate(turn.scenes, before + 1):
        rows, columns = token_grid(scene.width, scene.height)
        text += f"Picture {number}: {VISION_START}{IMAGE * (rows * columns)}{VISION_END}\n"
    return text


def encode(dialogue: Dialogue, tokenizer: Tokenizer) -> Example:
    """A conversation as ids, targets and positions."""
    ids: list[int] = []
    learned: list[bool] = []
    for text, answer in segments(dialogue):
        piece = tokenizer.encode(text).ids
        ids += piece
        learned += [answer] * len(piece)
    tokens = np.array(ids)
    following = np.append(tokens[1:], IGNORED)
    targets = np.where(np.append(learned[1:], False), following, IGNORED)
    grids = [token_grid(scene.width, scene.height) for scene in dialogue.scenes]
    return Example(tokens, targets, positions(tokens, grids, tokenizer.token_to_id(IMAGE)), dialogue)


def positions(ids: np.ndarray, grids: Sequence[tuple[int, int]], image_id: int) -> np.ndarray:
    """M-RoPE positions, int64 (3, length): text counts on; an image spans rows and columns from where it starts."""
    result = np.empty((3, len(ids)), dtype=np.int64)
    at, next_position, remaining = 0, 0, list(grids)
    while at < len(ids):
        if ids[at] != image_id:
            result[:, at] = next_position
            at, next_position = at + 1, next_position + 1
            continue
        rows, columns = remaining.pop(0)
        row, column = np.divmod(np.arange(rows * columns), columns)
        result[:, at : at + rows * columns] = next_position + np.stack((np.zeros_like(row), row, column))
        at, next_position = at + rows * columns, next_position + max(rows, columns)
    return result
