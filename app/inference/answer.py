"""The text of one answer as it grows: whole characters, reasoning apart, cut at stop strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from app.inference.events import TextDelta
from app.inference.streaming import Piece, StopStrings, StreamingText, ThinkingSplitter


class AnswerText:
    """Takes ids, gives deltas.

    Attributes:
        text: the answer so far.
        thinking: the reasoning so far.
    """

    def __init__(self, tokenizer: Any, stops: Sequence[str], *, thinks: bool, opened: bool) -> None:
        """``thinks``: the model marks reasoning; ``opened``: the prompt ended inside it."""
        self._stream = StreamingText(tokenizer)
        self._splitter = ThinkingSplitter(opened) if thinks or opened else None
        self._stops = StopStrings(stops)
        self._pending: list[int] = []
        self.text = self.thinking = ""

    @property
    def stopped(self) -> bool:
        """Whether a stop string was met."""
        return self._stops.hit

    @property
    def in_thinking(self) -> bool:
        """Whether the text is inside reasoning now."""
        return self._splitter is not None and self._splitter.thinking

    def resume(self, ids: Sequence[int]) -> None:
        """Take the ids of an answer that goes on; nothing of them is given out again."""
        for token in ids:
            list(self.push(token))
        self._pending.clear()

    def push(self, token: int) -> Iterator[TextDelta]:
        """Take one id and yield what may be shown."""
        self._pending.append(token)
        yield from self._show(self._pieces(self._stream.push(token)))

    def finish(self) -> Iterator[TextDelta]:
        """Yield what was held back."""
        pieces = self._pieces(self._stream.finish())
        yield from self._show(pieces + (self._splitter.finish() if self._splitter else []))
        rest = self._stops.finish()
        if rest or self._pending:
            yield self._delta(rest, thinking=False)

    def _pieces(self, text: str) -> list[Piece]:
        if self._splitter is None:
            return [Piece(text, thinking=False)] if text else []
        return self._splitter.push(text)

    def _show(self, pieces: Sequence[Piece]) -> Iterator[TextDelta]:
        for piece in pieces:
            text = piece.text if piece.thinking else self._stops.push(piece.text)
            if text:
                yield self._delta(text, thinking=piece.thinking)

    def _delta(self, text: str, *, thinking: bool) -> TextDelta:
        if thinking:
            self.thinking += text
        else:
            self.text += text
        ids, self._pending = tuple(self._pending), []
        return TextDelta(text, ids, thinking)
