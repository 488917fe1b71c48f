"""A chat driven from a test: what a front end does, without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.inference.engine import Engine
from app.inference.events import Finished, TextDelta
from app.inference.types import CancelToken, ChatRequest, ImageRef, Message, SamplingParams

SYSTEM = Message("system", "You are a helpful assistant.")
GREEDY = SamplingParams(max_tokens=12)


def finished(engine: Engine, request: ChatRequest, cancel: CancelToken | None = None) -> Finished:
    """Run a request to its end; what was streamed must be what is said at the end."""
    *events, last = engine.generate(request, cancel)
    assert isinstance(last, Finished)
    deltas = [event for event in events if isinstance(event, TextDelta)]
    assert "".join(delta.text for delta in deltas if not delta.thinking) == last.text
    assert tuple(i for delta in deltas for i in delta.token_ids) == last.token_ids
    return last


@dataclass
class Chat:
    """A conversation on an engine; ``use_cache=False`` is the reference."""

    engine: Engine
    use_cache: bool = True
    sampling: SamplingParams = GREEDY
    messages: list[Message] = field(default_factory=lambda: [SYSTEM])

    def ask(self, text: str, images: Sequence[ImageRef] = ()) -> Finished:
        """Ask, and take the answer into the history."""
        self.messages.append(Message("user", text, tuple(images)))
        return self._answer()

    def regenerate(self) -> Finished:
        """Answer the last question again."""
        self.messages.pop()
        return self._answer()

    def edit(self, text: str) -> Finished:
        """Replace the last question's text."""
        self.messages.pop()
        self.messages[-1] = replace(self.messages[-1], text=text)
        return self._answer()

    def request(self) -> ChatRequest:
        """Return the request for the answer that is due."""
        return ChatRequest(tuple(self.messages), self.sampling, use_cache=self.use_cache)

    def _answer(self) -> Finished:
        answer = finished(self.engine, self.request())
        self.messages.append(Message("assistant", answer.text, (), answer.token_ids))
        return answer
