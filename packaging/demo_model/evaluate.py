"""How often the model is exactly right, by kind of question, on pictures that it was not trained on.

An answer counts when greedy decoding gives it word for word. That is so exactly if each of its tokens is the likeliest
after the ones before, so one pass over the right answer decides it, without decoding.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import torch
from tokenizers import Tokenizer

from demo_model import checkpoint
from demo_model.batches import Batch
from demo_model.comparisons import ask_one_of, compare
from demo_model.dialogues import SYSTEM_PROMPTS, Dialogue, Turn, sample_partner
from demo_model.joint_stage import look
from demo_model.labels import IGNORED
from demo_model.network import Qwen2VL
from demo_model.questions import HEDGE, KINDS_OF_QUESTION, Question, ask
from demo_model.scenes import Scene, sample_any, sample_scene
from demo_model.smalltalk import chat
from demo_model.tokens import IMAGE, encode

SEED = "evaluation"
BATCH = 32
CONTROL = "other picture"
NAMED_GOALS = {
    "colour": 0.95, "shape": 0.95, "presence": 0.95, "place": 0.92, "position": 0.92, "count": 0.92, "title": 0.85,
    "two pictures": 0.85,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A question about pictures with the right answer; several cases of one picture are asked apart from each other."""

    kind: str
    scenes: tuple[Scene, ...]
    text: str
    answer: str
    system: str | None = None

    def dialogue(self) -> Dialogue:
        """The conversation of one turn."""
        return Dialogue(self.system, (Turn(self.scenes, self.text, self.answer, self.kind),))


@dataclass(slots=True)
class Tally:
    """Right answers of each kind."""

    right: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    asked: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, kind: str, right: bool) -> None:
        """Count one answer."""
        self.right[kind] += right
        self.asked[kind] += 1

    def rows(self) -> Iterator[tuple[str, int, float]]:
        """Kind, number asked, share that was right."""
        for kind, asked in self.asked.items():
            yield kind, asked, self.right[kind] / asked


def cases(pictures: int) -> Iterator[Case]:
    """The questions of an evaluation on so many pictures, the same every time."""
    kinds = list(KINDS_OF_QUESTION)
    for number in range(pictures):
        rng = random.Random(f"{SEED} {number}")
        scene, system = sample_scene(rng), rng.choice((None, SYSTEM_PROMPTS[0]))
        for kind in (kinds[number % len(kinds)], kinds[(number // len(kinds) + 5 * number + 3) % len(kinds)]):
            question = ask(scene, rng, kind)
            yield Case(kind, (scene,), question.text, question.answer, system)
        yield from other_cases(rng, number, scene, system)


def other_cases(rng: random.Random, number: int, scene: Scene, system: str | None) -> Iterator[Case]:
    """Two pictures, the control, small talk and pictures that are no windows: with every fourth picture."""
    if number % 4 == 0:
        pair = (scene, sample_scene(rng))
        question = ask_one_of(pair, rng)
        yield Case("two pictures", pair, question.text, question.answer, system)
    elif number % 4 == 1:
        pair = (scene, sample_partner(rng, scene))
        compared: Question = compare(*pair, rng)
        yield Case(compared.kind, pair, compared.text, compared.answer, system)
    elif number % 4 == 2:
        yield control_case(rng, scene, system)
    elif number % 8 == 3:
        text, answer = chat(rng)
        yield Case("small talk", (), text, answer, system)
    else:
        strange = next(s for s in iter(lambda: sample_any(rng), None) if not s.known)
        yield Case("unknown picture", (strange,), ask(strange, rng).text, HEDGE, system)


def control_case(rng: random.Random, scene: Scene, system: str | None) -> Case:
    """The right answer for one picture, while another is shown for which it is wrong."""
    while True:
        shown, kind = sample_scene(rng), rng.choice(("colour", "count", "place", "title", "describe"))
        seed = rng.getrandbits(32)
        old, new = (ask(which, random.Random(seed), kind) for which in (scene, shown))
        if old.text == new.text and old.answer != new.answer:
            return Case(CONTROL, (shown,), old.text, old.answer, system)


@torch.inference_mode()
def evaluate(network: Qwen2VL, tokenizer: Tokenizer, pictures: int) -> Tally:
    """Ask everything; some minutes for 2,000 pictures on one core."""
    tally = Tally()
    waiting: list[Case] = []
    for case in cases(pictures):
        waiting.append(case)
        if len(waiting) == BATCH:
            judge_all(network, tokenizer, waiting, tally)
            waiting = []
    if waiting:
        judge_all(network, tokenizer, waiting, tally)
    return tally


def judge_all(network: Qwen2VL, tokenizer: Tokenizer, batch: list[Case], tally: Tally) -> None:
    """Count the answers of one batch."""
    for case, right in zip(batch, judge(network, tokenizer, batch), strict=True):
        tally.add(case.kind, right)


def judge(network: Qwen2VL, tokenizer: Tokenizer, batch: list[Case]) -> list[bool]:
    """Whether greedy decoding would give each answer word for word."""
    data = Batch.of([encode(case.dialogue(), tokenizer) for case in batch])
    embeddings = network.model.embed_tokens(data.ids)
    if data.scenes:
        features = look(network.visual, data.scenes, random.Random(SEED))
        is_image = (data.ids == tokenizer.token_to_id(IMAGE))[..., None]
        embeddings = embeddings.masked_scatter(is_image.expand_as(embeddings), features)
    best = network.model.logits(network.model(embeddings, data.positions)).argmax(-1)
    return ((best == data.targets) | (data.targets == IGNORED)).all(-1).tolist()


def table(tally: Tally) -> str:
    """Markdown: kind, number asked, share exactly right, goal."""
    lines = ["| question | asked | exactly right | goal |", "|---|---:|---:|---:|"]
    for kind, asked, share in sorted(tally.rows()):
        if kind != CONTROL:
            goal = f"{NAMED_GOALS[kind]:.0%}" if kind in NAMED_GOALS else "–"
            lines.append(f"| {kind} | {asked} | {share:.1%} | {goal} |")
    return "\n".join(lines)


def control_sentence(tally: Tally) -> str:
    """What happens with another picture in place of the one that the answer belongs to."""
    share = tally.right[CONTROL] / max(1, tally.asked[CONTROL])
    return (
        f"Control: with another picture shown, the model gave the first picture's answer (wrong for the one shown) in "
        f"{share:.1%} of {tally.asked[CONTROL]} questions."
    )


def report(folder: Path, pictures: int) -> str:
    """Evaluate a checkpoint and say how it did."""
    tally = evaluate(*checkpoint.load(folder), pictures)
    return f"{table(tally)}\n\n{control_sentence(tally)}"
