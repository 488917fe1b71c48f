"""The eight turns that people make around pictures, as fixed conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.bench.pictures import picture
from app.inference.types import ImageRef, Message

SYSTEM = "You are a careful assistant that looks at pictures and answers briefly and exactly. " * 2


@dataclass(frozen=True, slots=True)
class BenchTurn:
    """One question with everything before it.

    ``known`` says that all its images, and something of its prompt, were seen in an earlier turn of the scenario.
    """

    name: str
    messages: tuple[Message, ...]
    known: bool = True

    @property
    def images(self) -> list[ImageRef]:
        """All images of the prompt, in order."""
        return [image for message in self.messages for image in message.images]


def eight_turns(side: int, seeds: Sequence[int] = (3, 9, 12)) -> list[BenchTurn]:
    """Return the scenario on pictures of ``side`` pixels."""
    first, second, third = (picture(seed, side) for seed in seeds)
    system = Message("system", SYSTEM)
    opening = Message("user", "Describe the picture in a few words, please.", (first,))
    chat = [
        system,
        opening,
        Message("assistant", "Coloured waves that cross each other."),
        Message("user", "And what is in the left corner?"),
        Message("assistant", "Darker stripes."),
        Message("user", "Which colour do they have, and is there anything else near them?"),
    ]
    edited = Message("user", "Which size do they have?")
    compared = Message("user", "Compare it with this one.", (third,))
    other = Message("user", opening.text, (second,))
    return [
        BenchTurn("image and question", tuple(chat[:2]), known=False),
        BenchTurn("follow-up", tuple(chat[:4])),
        BenchTurn("follow-up 2", tuple(chat)),
        BenchTurn("regenerate", tuple(chat)),
        BenchTurn("edited question", (*chat[:5], edited)),
        BenchTurn("new chat, same image", (system, Message("user", "Count the objects.", (first,)))),
        BenchTurn("new chat, other image", (system, other), known=False),
        BenchTurn("second image in chat 1", (*chat[:5], compared), known=False),
    ]
