"""Questions about one picture in the words of a hurried user, and their right answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from demo_model.scenes import COLOURS, KINDS, PLACES, Scene, Shape

HEDGE: Final = "I am not sure what this is. I only know simple windows with coloured shapes."
NUMERALS: Final = ("no", "one", "two", "three", "four")


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a kind, with its answer."""

    kind: str
    text: str
    answer: str


def ask(scene: Scene, rng: random.Random, kind: str | None = None) -> Question:
    """A question about a picture, of a given kind or of one drawn by its weight in ``KINDS_OF_QUESTION``."""
    kind = kind or rng.choices(list(KINDS_OF_QUESTION), [weight for weight, _ in KINDS_OF_QUESTION.values()])[0]
    text, answer = KINDS_OF_QUESTION[kind][1](scene, rng)
    return Question(kind, sloppy(text, rng), answer if scene.known else HEDGE)


def sloppy(text: str, rng: random.Random) -> str:
    """The same question as people type it: lower case, no question mark, American spelling, "please"."""
    if rng.random() < 0.4:
        text = text[0].lower() + text[1:]
    if rng.random() < 0.35:
        text = text.rstrip("?.")
    if rng.random() < 0.5:
        text = text.replace("colour", "color").replace("grey", "gray")
    if rng.random() < 0.5:
        text = text.replace("What is", "What's").replace("what is", "what's")
    if rng.random() < 0.05:
        text = "Please: " + text
    return text


def one_of(shape: Shape) -> str:
    """The shape with its article."""
    return with_article(str(shape))


def with_article(words: str) -> str:
    """ "a" or "an" before words."""
    return ("an " if words[0] in "aeiou" else "a ") + words


def listing(parts: Sequence[str]) -> str:
    """Parts as English lists them."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def counted(number: int, noun: str) -> str:
    """ "There are two circles", "There is one circle", "There are no circles"."""
    return f"There is one {noun}" if number == 1 else f"There are {NUMERALS[number]} {noun}s"


def inside(place: str) -> str:
    """The place as an adverb."""
    return f"in the {place}"


def describe(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """The whole picture in a sentence or two."""
    question = rng.choice(
        (
            "What is in this picture?", "What is in this image?", "Describe this picture.", "Describe the image.",
            "What do you see?", "What can you see here?", "What is this?", "Describe the screenshot.",
            "What is in the screenshot?", "What does the picture show?", "Tell me what you see.", "Describe it.",
            "What am I looking at?", "Explain this image.", "What is shown here?", "What is on the screen?",
        )
    )  # fmt: skip
    return question, description(scene)


def description(scene: Scene) -> str:
    """What a picture shows, in reading order."""
    title = f' titled "{scene.title}"' if scene.title else ""
    shapes = listing([one_of(shape) for shape in scene.shapes]) if scene.shapes else "nothing in it"
    text = f"{with_article(scene.backdrop).capitalize()} window{title} with {shapes}."
    return text + strip_sentence(scene)


def strip_sentence(scene: Scene) -> str:
    """What stands at the bottom, if anything."""
    if scene.strip is None:
        return ""
    if scene.strip.kind == "button":
        return f' There is a "{scene.strip.value}" button.'
    if scene.strip.kind == "progress":
        return f" A progress bar is at {scene.strip.value} %."
    return f" It shows the number {scene.strip.value}."


def count(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """How many shapes in all."""
    question = rng.choice(
        (
            "How many shapes are there?", "Count the shapes.", "How many shapes do you see?", "How many objects?",
            "How many shapes are in the picture?", "How many things are in the image?", "Number of shapes?",
            "How many are there?", "How many shapes?",
        )
    )  # fmt: skip
    return question, counted(len(scene.shapes), "shape") + "."


def count_kind(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """How many of one kind, or of one colour."""
    if rng.random() < 0.7:
        kind = pick_kind(scene, rng)
        noun, number = kind, len(scene.find(kind=kind))
    else:
        colour = pick_colour(scene, rng)
        noun, number = f"{colour} shape", len(scene.find(colour))
    question = rng.choice((f"How many {noun}s are there?", f"Count the {noun}s.", f"How many {noun}s?"))
    return question, counted(number, noun) + "."


def pick_kind(scene: Scene, rng: random.Random) -> str:
    """A kind of shape, mostly one that is there."""
    return rng.choice(scene.shapes).kind if scene.shapes and rng.random() < 0.7 else rng.choice(KINDS)


def pick_colour(scene: Scene, rng: random.Random) -> str:
    """A colour, mostly one that is there."""
    return rng.choice(scene.shapes).colour if scene.shapes and rng.random() < 0.7 else rng.choice(list(COLOURS))


def colour(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """The colour of a named shape."""
    kind = pick_kind(scene, rng)
    found = scene.find(kind=kind)
    question = rng.choice(
        (
            f"What colour is the {kind}?", f"What is the colour of the {kind}?", f"Which colour is the {kind}?",
            f"What colour does the {kind} have?", f"Tell me the colour of the {kind}.", f"Colour of the {kind}?",
        )
    )  # fmt: skip
    if not found:
        return question, f"There is no {kind}."
    if len(found) == 1:
        return question, f"The {kind} is {found[0].colour}."
    return question, f"{counted(len(found), kind)}: {listing([shape.colour for shape in found])}."


def shape(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """The kind of the shape of a named colour."""
    name = pick_colour(scene, rng)
    found = scene.find(name)
    question = rng.choice(
        (
            f"What shape is {name}?", f"Which shape is {name}?", f"What is the {name} shape?", f"What is {name}?",
            f"What {name} shape is there?", f"What kind of shape is the {name} one?", f"What is the {name} thing?",
        )
    )  # fmt: skip
    if not found:
        return question, f"There is no {name} shape."
    if len(found) == 1:
        return question, f"The {name} shape is a {found[0].kind}."
    return question, f"{counted(len(found), name + ' shape')}: {listing(['a ' + s.kind for s in found])}."


def place(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """What stands at a named place."""
    where = rng.choice(scene.shapes).place if scene.shapes and rng.random() < 0.7 else rng.choice(PLACES)
    found = scene.at(where)
    question = rng.choice(
        (
            f"What is in the {where}?", f"What is at the {where}?", f"What do you see in the {where}?",
            f"Which shape is in the {where}?", f"What shape is in the {where}?", f"{where.capitalize()}?",
            f"And in the {where}?", f"What is in the {where} {'part' if where == 'middle' else 'corner'}?",
        )
    )  # fmt: skip
    return question, f"{one_of(found).capitalize()}." if found else f"There is nothing in the {where}."


def inventory(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """All colours, or all shapes."""
    if rng.random() < 0.5:
        question = rng.choice(("Which colours do you see?", "What colours are there?", "List the colours."))
        return question, f"I see {listing(list(dict.fromkeys(s.colour for s in scene.shapes)) or ['nothing'])}."
    question = rng.choice(
        ("Which shapes are there?", "What shapes do you see?", "List the shapes.", "What shapes are there?")
    )
    return question, f"I see {listing([one_of(s) for s in scene.shapes] or ['nothing'])}."


def presence(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """Whether something is there."""
    name, kind = asked_thing(scene, rng)
    noun = " ".join(part for part in (name, kind or "shape") if part)
    found = scene.find(name, kind)
    question = rng.choice(
        (
            f"Is there {with_article(noun)}?", f"Do you see {with_article(noun)}?", f"Is there any {noun}?",
            f"Can you see {with_article(noun)}?", f"Does the picture have {with_article(noun)}?", f"Any {noun}s?",
        )
    )  # fmt: skip
    if name and not kind and rng.random() < 0.4:
        question = rng.choice((f"Is there anything {name}?", f"Is something {name}?"))
    if not found:
        return question, f"No, there is no {noun}."
    return question, f"Yes, {listing([one_of(s) for s in found])}."


def asked_thing(scene: Scene, rng: random.Random) -> tuple[str | None, str | None]:
    """Colour, kind or both, of a shape that is there or of one that nearly is."""
    form = rng.random()
    if form < 0.4:
        return None, pick_kind(scene, rng)
    if form < 0.65:
        return pick_colour(scene, rng), None
    if form < 0.85 and scene.shapes:
        real = rng.choice(scene.shapes)
        return real.colour, real.kind
    return pick_colour(scene, rng), pick_kind(scene, rng)


def check(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """Whether the one shape of a kind has a colour."""
    single = [s for s in scene.shapes if len(scene.find(kind=s.kind)) == 1]
    if not single:
        return colour(scene, rng)
    real = rng.choice(single)
    name = real.colour if rng.random() < 0.5 else rng.choice(list(COLOURS))
    answer = f"Yes, the {real.kind} is {name}." if name == real.colour else f"No, the {real.kind} is {real.colour}."
    return f"Is the {real.kind} {name}?", answer


def position(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """Where a named shape stands."""
    name, kind = asked_thing(scene, rng)
    noun = " ".join(part for part in (name, kind or "shape") if part)
    found = scene.find(name, kind)
    question = rng.choice(
        (f"Where is the {noun}?", f"Where is the {noun} in the picture?", f"Where do you see the {noun}?",
         f"Position of the {noun}?", f"In which corner is the {noun}?")
    )  # fmt: skip
    if not found:
        return question, f"There is no {noun}."
    if len(found) == 1:
        return question, f"It is {inside(found[0].place)}."
    return question, f"{counted(len(found), noun)}: {listing([inside(s.place) for s in found])}."


def title(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """The word in the title bar."""
    question = rng.choice(
        (
            "What does the title say?", "What is the title?", "Read the title.", "What is the window called?",
            "What is the text?", "What does it say?", "Read the text.", "What does the title bar say?",
            "Which word is in the title?", "What is the title of the window?", "What is written at the top?",
            "Is there a title?",
        )
    )  # fmt: skip
    return question, f'The title says "{scene.title}".' if scene.title else "There is no title."


def backdrop(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """Light, grey or dark."""
    question = rng.choice(
        ("What is the background?", "What colour is the background?", "Is the window light or dark?",
         "Is it dark mode?", "Which colour does the background have?")
    )  # fmt: skip
    return question, f"The background is {scene.backdrop}."


def strip(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """The button, the progress bar or the number at the bottom."""
    kind = scene.strip.kind if scene.strip and rng.random() < 0.7 else rng.choice(list(STRIP_WORDS))
    questions, found, none = STRIP_WORDS[kind]
    if scene.strip is None or scene.strip.kind != kind:
        return rng.choice(questions), none
    return rng.choice(questions), found.format(scene.strip.value)


STRIP_WORDS: Final = {
    "button": (
        ("What does the button say?", "Is there a button?", "What is on the button?", "Read the button."),
        'The button says "{}".',
        "There is no button.",
    ),
    "progress": (
        ("How far is the progress bar?", "Is there a progress bar?", "What is the progress?", "How many percent?"),
        "The progress bar is at {} %.",
        "There is no progress bar.",
    ),
    "number": (
        ("What number is shown?", "Which number do you see?", "Is there a number?", "What is the number?"),
        "The number is {}.",
        "There is no number.",
    ),
}

Maker = Callable[[Scene, random.Random], tuple[str, str]]
KINDS_OF_QUESTION: Final[dict[str, tuple[float, Maker]]] = {
    "describe": (2.0, describe),
    "count": (0.8, count),
    "count of a kind": (0.5, count_kind),
    "colour": (1.8, colour),
    "shape": (1.4, shape),
    "place": (1.8, place),
    "presence": (2.0, presence),
    "check": (0.8, check),
    "position": (2.2, position),
    "inventory": (0.6, inventory),
    "title": (0.7, title),
    "background": (0.3, backdrop),
    "strip": (1.4, strip),
}
