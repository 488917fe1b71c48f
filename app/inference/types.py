"""What goes into the engine: messages, images by content, sampling parameters, requests, and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from PIL.Image import Image

Role = Literal["system", "user", "assistant"]


class Cancelled(Exception):
    """The user stopped the work; what was computed so far is kept."""


class CancelToken:
    """A stop sign that one thread sets and the worker reads between any two steps."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask for a stop; may be called from any thread, any number of times."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether a stop was asked for."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise :class:`Cancelled` if a stop was asked for."""
        if self._event.is_set():
            raise Cancelled


@dataclass(frozen=True, slots=True)
class ImageRef:
    """An image by content: the digest is known, the pixels are decoded only when the encoder really needs them.

    Attributes:
        digest: hex SHA-256 of the normalised RGB pixels with width and height.
        width: pixels, after EXIF orientation.
        height: pixels, after EXIF orientation.
        load: returns the normalised RGB image; called on the worker thread, and only on a cache miss.
        name: what the user calls it, for messages.
        shrunk_from: digest of the picture that this is a smaller copy of; empty where it is none.
    """

    digest: str
    width: int
    height: int
    load: Callable[[], Image] = field(compare=False, repr=False)
    name: str = field(default="", compare=False)
    shrunk_from: str = field(default="", compare=False)

    @property
    def source(self) -> str:
        """Digest of the picture as the user has it."""
        return self.shrunk_from or self.digest


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. Images stand before the text of their own message, in this order.

    ``token_ids`` of an assistant message are the ids as generated, without the end token: where decoding them gives
    ``text`` they are reused instead of tokenizing anew, so that the next prompt extends the last one. ``thinking`` is
    the reasoning of an answer that is gone on with; that of earlier answers is in no prompt.
    """

    role: Role
    text: str
    images: tuple[ImageRef, ...] = ()
    token_ids: tuple[int, ...] | None = None
    thinking: str = ""


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """How the next token is chosen. ``temperature`` 0 is greedy; 0 or 1.0 switches the other filters off."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_tokens: int = 512
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question, with the whole conversation before it.

    Attributes:
        messages: optional system message first, then user and assistant in turn, the last one from the user (see
            ``continue_answer``).
        sampling: see :class:`SamplingParams`.
        chat_id: names the conversation in events and logs; no cache key depends on it.
        use_cache: ``False`` runs everything and stores nothing (the ``--no-cache`` reference).
        incognito: caches in memory only; nothing of it reaches the disk.
        continue_answer: the last message is an answer that was stopped, and is gone on with. Deltas hold what is new,
            ``Finished`` the whole answer.
    """

    messages: tuple[Message, ...]
    sampling: SamplingParams = SamplingParams()
    chat_id: str = ""
    use_cache: bool = True
    incognito: bool = False
    continue_answer: bool = False
