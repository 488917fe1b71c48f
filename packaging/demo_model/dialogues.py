"""Whole conversations as they happen in the app: pictures come with a turn, questions follow, small talk between."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from demo_model.comparisons import ask_one_of, compare
from demo_model.questions import Question, ask
from demo_model.scenes import Scene, sample_any, sample_edit
from demo_model.smalltalk import NO_PICTURE, chat

SYSTEM_PROMPTS: Final = (
    "You are a helpful assistant.",
    "You are a helpful assistant. Answer briefly.",
    "Answer in one sentence.",
    "You describe pictures.",
    "Be short and exact.",
)
MOST_PICTURES = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user sends, pictures first, and the right answer."""

    scenes: tuple[Scene, ...]
    text: str
    answer: str
    kind: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation from its start."""

    system: str | None
    turns: tuple[Turn, ...]

    @property
    def scenes(self) -> list[Scene]:
        """All pictures, in order."""
        return [scene for turn in self.turns for scene in turn.scenes]


def sample_dialogue(rng: random.Random, turns: int = 8) -> Dialogue:
    """A conversation of so many turns."""
    seen: list[Scene] = []
    done: list[Turn] = []
    for number in range(turns):
        new = sample_pictures(rng, number, seen)
        paired = len(new) == 2 or (paired_before(done) and not new)
        seen += new
        question = sample_question(rng, seen, paired)
        done.append(Turn(tuple(new), question.text, question.answer, question.kind))
    return Dialogue(sample_system(rng), tuple(done))


def paired_before(turns: list[Turn]) -> bool:
    """Whether the newest pictures came as a pair, so that "the picture" alone would name neither."""
    return next((len(turn.scenes) == 2 for turn in reversed(turns) if turn.scenes), False)


def sample_system(rng: random.Random) -> str | None:
    """No system prompt, the usual one, or another."""
    return rng.choice((None, None, SYSTEM_PROMPTS[0], rng.choice(SYSTEM_PROMPTS)))


def sample_pictures(rng: random.Random, turn: int, seen: list[Scene]) -> list[Scene]:
    """The pictures that come with a turn: mostly one or two with the first, seldom one later."""
    if not seen and rng.random() < (0.9 if turn == 0 else 0.5):
        first = sample_any(rng)
        return [first, sample_partner(rng, first)] if rng.random() < 0.35 else [first]
    if seen and len(seen) < MOST_PICTURES and rng.random() < 0.06:
        return [sample_partner(rng, seen[-1])]
    return []


def sample_partner(rng: random.Random, scene: Scene) -> Scene:
    """A second picture: often the first with one change, sometimes the same again."""
    form = rng.random()
    if not scene.known or form < 0.5:
        return sample_any(rng)
    return sample_edit(rng, scene) if form < 0.93 else scene


def sample_question(rng: random.Random, seen: list[Scene], paired: bool) -> Question:
    """Any question that makes sense now."""
    if rng.random() < (0.08 if seen else 0.7):
        return Question("small talk", *chat(rng))
    if not seen:
        return Question("no picture", ask(sample_any(rng), rng).text, NO_PICTURE)
    if len(seen) >= 2 and rng.random() < (0.45 if paired else 0.15):
        return compare(seen[-2], seen[-1], rng) if len(seen) == 2 else ask_one_of(seen, rng)
    if len(seen) >= 2 and (paired or rng.random() < 0.4):
        return ask_one_of(seen, rng)
    return ask(seen[-1], rng)
