"""From a stored conversation to what the engine is asked. No MLX."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING, Final

from app.inference.types import ChatRequest, ImageRef, Message, SamplingParams
from app.settings.convert import to_cache_config
from app.settings.declarations import Settings
from app.store.records import Conversation, Draft, StoredImage, StoredMessage
from app.ui.translation import QT_TRANSLATE_NOOP, translate
from app.worker.backend import EngineOptions

if TYPE_CHECKING:
    from app.store.images import ImageStore

TITLE_LENGTH: Final = 48
UNTITLED: Final = QT_TRANSLATE_NOOP("Requests", "New chat")
"""How a chat is called in the store, whatever the language, before its first question."""


def shown_title(title: str) -> str:
    """Return a chat's title as it is shown."""
    return translate("Requests", title) if title == UNTITLED else title


def chat_request(
    conversation: Conversation, history: Sequence[StoredMessage], settings: Settings, images: ImageStore
) -> ChatRequest:
    """Return the request that answers the last message of ``history``, or goes on with it where it is an answer."""
    system = conversation.system_prompt or settings.generation.system_prompt
    messages = [_message(message, images) for message in without_failures(history)]
    opening = [Message("system", system)] if system else []
    continues = bool(messages) and messages[-1].role == "assistant"
    return ChatRequest(
        messages=(*opening, *messages),
        sampling=sampling(settings),
        chat_id=conversation.id,
        incognito=conversation.incognito,
        continue_answer=continues,
    )


def draft_request(
    conversation: Conversation | None,
    history: Sequence[StoredMessage],
    draft: Draft,
    settings: Settings,
    images: ImageStore,
) -> ChatRequest:
    """Return the request that the draft would make if it were sent now, for work ahead."""
    nobody = Conversation("", UNTITLED, 0.0, 0.0)
    question = StoredMessage("", "", None, "user", draft.text, 0.0, images=draft.images)
    return chat_request(conversation or nobody, [*history, question], settings, images)


def without_failures(history: Sequence[StoredMessage]) -> list[StoredMessage]:
    """Return ``history`` without the answers that failed before their first word and the questions they were to answer.

    Models want questions and answers in turn, and what made an answer impossible must not spoil the next. A thought at
    the end is an answer that is gone on with.
    """
    kept: list[StoredMessage] = []
    for message in history:
        thinks_on = message is history[-1] and message.begun
        if message.role == "assistant" and not message.text and not thinks_on:
            if kept and kept[-1].role == "user":
                kept.pop()
            continue
        kept.append(message)
    return kept


def sampling(settings: Settings) -> SamplingParams:
    """Return how answers are chosen."""
    chosen = settings.generation
    return SamplingParams(
        temperature=chosen.temperature,
        top_p=chosen.top_p,
        top_k=chosen.top_k,
        min_p=chosen.min_p,
        repetition_penalty=chosen.repetition_penalty,
        seed=chosen.seed if chosen.seed >= 0 else None,
        max_tokens=chosen.max_tokens,
        stop=chosen.stop,
    )


def engine_options(settings: Settings) -> EngineOptions:
    """Return what of the settings concerns the engine."""
    return EngineOptions(
        cache=to_cache_config(settings),
        prefill_chunk=settings.advanced.prefill_chunk,
        context_limit=settings.model.context_limit,
        image_side=settings.model.image_side,
    )


def title_for(text: str, images: Sequence[StoredImage]) -> str:
    """Return a title made of the first question: its first words, or the name of its first image."""
    words = " ".join(text.split())
    if not words:
        return images[0].name if images and images[0].name else UNTITLED
    if len(words) <= TITLE_LENGTH:
        return words
    return words[:TITLE_LENGTH].rsplit(" ", 1)[0] + "…"


def branch_title(title: str, taken: Collection[str]) -> str:
    """Return how a branch of the chat ``title`` is called: a branch of a branch is counted with its sisters."""
    first, later = translate("Requests", "{title} (branch)"), translate("Requests", "{title} (branch {number})")
    forms = (_form(form).fullmatch(title) for form in (first, later))
    stem = next((form["title"] for form in forms if form is not None), title)
    names = chain([first.format(title=stem)], (later.format(title=stem, number=number) for number in count(2)))
    return next(name for name in names if name not in taken)


def _form(template: str) -> re.Pattern[str]:
    pieces = {"{title}": r"(?P<title>.+)", "{number}": r"\d+"}
    return re.compile("".join(pieces.get(piece) or re.escape(piece) for piece in re.split(r"(\{\w+\})", template)))


def _message(message: StoredMessage, images: ImageStore) -> Message:
    return Message(
        role=message.role,
        text=message.text,
        images=tuple(image_reference(image, images) for image in message.images),
        token_ids=message.token_ids,
        thinking=message.thinking,
    )


def image_reference(image: StoredImage, images: ImageStore) -> ImageRef:
    """Return what the engine knows a stored picture by."""
    return ImageRef(image.digest, image.width, image.height, partial(images.open, image.digest), image.name)
