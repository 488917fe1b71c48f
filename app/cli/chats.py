"""What was said in each chat of a script, and the request that a turn makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.cli.script import Turn
from app.inference.events import Finished
from app.inference.types import ChatRequest, ImageRef, Message, SamplingParams

Pictures = Mapping[str, ImageRef]
"""Decoded pictures by their path as written in the script."""


@dataclass(slots=True)
class Chats:
    """The histories of all chats of one run.

    Attributes:
        pictures: what the paths in the turns lead to.
        sampling: how answers are chosen; a turn may change the limit of its own.
        system: system prompt of chats that set none.
        use_cache: see :class:`~app.inference.types.ChatRequest`.
    """

    pictures: Pictures
    sampling: SamplingParams
    system: str | None = None
    use_cache: bool = True
    _histories: dict[str, list[Message]] = field(default_factory=dict)

    def request(self, turn: Turn) -> ChatRequest:
        """Apply a turn to its chat's history and return what to ask the engine."""
        history = self._histories.setdefault(turn.chat, self._opening(turn))
        self._cut(history, turn)
        if not turn.regenerate:
            images = tuple(self.pictures[path] for path in turn.images)
            history.append(Message("user", turn.text or "", images))
        limit = turn.max_tokens or self.sampling.max_tokens
        return ChatRequest(
            tuple(history), replace(self.sampling, max_tokens=limit), chat_id=turn.chat, use_cache=self.use_cache
        )

    def answered(self, turn: Turn, answer: Finished) -> None:
        """Add an answer to the history, with its tokens, so that the next prompt extends this one."""
        self._histories[turn.chat].append(Message("assistant", answer.text, token_ids=answer.token_ids))

    def _opening(self, turn: Turn) -> list[Message]:
        system = self.system if turn.system is None else turn.system
        return [Message("system", system)] if system else []

    def _cut(self, history: list[Message], turn: Turn) -> None:
        asked = [place for place, message in enumerate(history) if message.role == "user"]
        if turn.regenerate:
            del history[asked[-1] + 1 :]
        elif turn.edit is not None:
            del history[asked[turn.edit] :]
