"""What people do in chats, as data: each step changes one chat and asks for an answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from app.inference.types import ImageRef, Message

Doing = Literal["ask", "edit", "regenerate", "swap", "remove", "reverse"]
TEXTS = ("Why?", "What is in the picture?", "Und rechts oben? Größer.", "Compare the first with the last one, please.")
SYSTEM = "You look at pictures. Answer in one short sentence."
CHATS, PICTURES = 3, 5


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done in one chat. Where it does not apply (nothing to swap), it is a plain question.

    Attributes:
        do: ``ask`` adds a question; the others go back to the ``at``-th user message from the end, change its text, or
            exchange, drop or reorder its pictures, and forget what came after it; ``regenerate`` changes nothing.
        chat: 0 has no system prompt, 1 and 2 share one.
        pictures: which of the pool, for ``ask`` and ``swap``.
        stop_after: first run it and stop at this event.
        stops: do so as many times, each of which begins where the last one ended.
        goes_on: and then go on with the answer that was stopped.
    """

    do: Doing = "ask"
    chat: int = 0
    at: int = 0
    text: str = TEXTS[0]
    pictures: tuple[int, ...] = ()
    stop_after: int | None = None
    stops: int = 1
    goes_on: bool = False


def conversation(seed: str, length: int) -> list[Step]:
    """Return ``length`` steps drawn from ``seed``."""
    rng, going, stopping = random.Random(seed), random.Random(f"{seed}/going on"), random.Random(f"{seed}/stops")
    return [
        Step(
            do=rng.choice(("ask", "ask", "edit", "regenerate", "swap", "remove", "reverse")),
            chat=rng.randrange(CHATS),
            at=rng.randrange(3),
            text=rng.choice(TEXTS),
            pictures=tuple(rng.choices(range(PICTURES), k=rng.randrange(3))),
            stop_after=rng.choice((None, None, rng.randrange(12))),
            stops=stopping.choice((1, 1, 4)),
            goes_on=going.choice((False, True)),
        )
        for _ in range(length)
    ]


def shrunk(steps: list[Step], fails: Callable[[list[Step]], bool]) -> list[Step]:
    """Return the steps that remain when each one that the failure does not need is left out, last ones first."""
    for index in reversed(range(len(steps))):
        fewer = steps[:index] + steps[index + 1 :]
        if fails(fewer):
            steps = fewer
    return steps


@dataclass
class World:
    """The chats as they stand, and the pictures that people drop into them; none where the model takes none."""

    pool: Sequence[ImageRef]
    chats: list[list[Message]] = field(
        default_factory=lambda: [[], [Message("system", SYSTEM)], [Message("system", SYSTEM)]]
    )

    def take(self, step: Step) -> list[Message]:
        """Change the chat and return it, its last message a question."""
        chat = self.chats[step.chat]
        questions = [i for i, message in enumerate(chat) if message.role == "user"]
        changed = self._changed(chat[questions[-1 - step.at % len(questions)]], step) if questions else None
        if changed is None:
            chat.append(Message("user", step.text, self._pictures(step)))
        else:
            place = questions[-1 - step.at % len(questions)]
            chat[place:] = [changed]
        return chat

    def _pictures(self, step: Step) -> tuple[ImageRef, ...]:
        return tuple(self.pool[i] for i in step.pictures) if self.pool else ()

    def _changed(self, message: Message, step: Step) -> Message | None:
        images = message.images
        if step.do == "edit":
            return replace(message, text=step.text)
        if step.do == "regenerate":
            return message
        if step.do == "swap" and images and step.pictures:
            return replace(message, images=(*self._pictures(step)[:1], *images[1:]))
        if step.do == "remove" and images:
            return replace(message, images=images[1:])
        if step.do == "reverse" and len(images) > 1:
            return replace(message, images=images[::-1])
        return None
