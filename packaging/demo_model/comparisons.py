"""Questions about several pictures: which one, what changed, the first, the second."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from demo_model.questions import HEDGE, Question, ask, asked_thing, description, one_of, sloppy, with_article
from demo_model.scenes import Scene

ORDINALS: Final = ("first", "second", "third")
NOUNS: Final = ("picture", "image", "screenshot")


def ask_one_of(scenes: Sequence[Scene], rng: random.Random) -> Question:
    """A question about one of several pictures, named by its number."""
    number = rng.randrange(len(scenes))
    question = ask(scenes[number], rng)
    return Question(question.kind, with_ordinal(question, ORDINALS[number], rng), question.answer)


def with_ordinal(question: Question, ordinal: str, rng: random.Random) -> str:
    """The question with the picture named in it."""
    noun = rng.choice(NOUNS)
    if question.kind == "describe":
        return sloppy(rng.choice(DESCRIBE_ONE).format(f"{ordinal} {noun}"), rng)
    text = question.text.rstrip("?.")
    opening = f"In the {ordinal} {noun}"
    if rng.random() < 0.4 and not any(word in text for word in (*NOUNS, "title")):
        return f"{text} in the {ordinal} {noun}?"
    return f"{opening}{rng.choice((',', ':'))} {text[0].lower() + text[1:]}?"


DESCRIBE_ONE: Final = (
    "Describe the {}.", "What is in the {}?", "What does the {} show?", "What do you see in the {}?", "And the {}?",
    "What about the {}?", "The {}?",
)  # fmt: skip


def compare(first: Scene, second: Scene, rng: random.Random) -> Question:
    """A question that needs both of two pictures."""
    maker = rng.choices((which_has, more, describe_both, changed), (6, 1, 1, 1))[0]
    kind, text, answer = maker(first, second, rng)
    return Question(kind, sloppy(text, rng), answer if first.known and second.known else HEDGE)


def which_has(first: Scene, second: Scene, rng: random.Random) -> tuple[str, str, str]:
    """Which picture shows something."""
    name, kind = asked_thing(rng.choice((first, second)), rng)
    noun = " ".join(part for part in (name, kind or "shape") if part)
    text = rng.choice(
        ("Which {0} has {1}?", "Which {0} shows {1}?", "In which {0} is {1}?", "Which {0} contains {1}?")
    ).format(rng.choice(NOUNS), rng.choice((with_article(noun), f"the {noun}")))
    return "which picture", text, which(bool(first.find(name, kind)), bool(second.find(name, kind)))


def which(first: bool, second: bool) -> str:
    """The pictures that something is true of."""
    if first and second:
        return "Both pictures."
    return "The first picture." if first else "The second picture." if second else "Neither picture."


def more(first: Scene, second: Scene, rng: random.Random) -> tuple[str, str, str]:
    """Which picture has more shapes."""
    text = rng.choice(("Which {} has more shapes?", "Which {} shows more shapes?", "In which {} are more shapes?"))
    ours, theirs = len(first.shapes), len(second.shapes)
    answer = "Both have the same number of shapes." if ours == theirs else which(ours > theirs, theirs > ours)
    return "more shapes", text.format(rng.choice(NOUNS)), answer


def describe_both(first: Scene, second: Scene, rng: random.Random) -> tuple[str, str, str]:
    """Both pictures, one after the other."""
    text = rng.choice(("Describe both {}s.", "What is in these {}s?", "Describe the {}s.", "What do the {}s show?"))
    answer = f"First: {description(first)} Second: {description(second)}"
    return "describe both", text.format(rng.choice(NOUNS)), answer


def changed(first: Scene, second: Scene, rng: random.Random) -> tuple[str, str, str]:
    """What is different in the second picture."""
    text = rng.choice(
        ("What changed?", "What is different?", "What has changed?", "What is the difference?", "Spot the difference.")
    )
    return "what changed", text, change(first, second)


def change(first: Scene, second: Scene) -> str:
    """The difference in one sentence; windows that differ in several things are only called different."""
    gone = [s for s in first.shapes if s not in second.shapes]
    came = [s for s in second.shapes if s not in first.shapes]
    retitled = first.title != second.title
    if not gone and not came:
        return title_change(first, second) if retitled else "Nothing changed."
    if retitled or len(gone) > 1 or len(came) > 1:
        return "They are two different windows."
    if gone and came:
        if gone[0].place != came[0].place:
            return "They are two different windows."
        return f"The {gone[0]} became {one_of(came[0])}."
    return f"The {gone[0]} is gone." if gone else f"{one_of(came[0]).capitalize()} was added."


def title_change(first: Scene, second: Scene) -> str:
    """How the title changed."""
    return f'The title changed from "{first.title or ""}" to "{second.title or ""}".'
