"""From a conversation to final token ids: template, images in their own turns, generated tokens as generated.

A prompt is cut into segments at the answers that can be spliced in as generated. The text up to an answer is then the
very text that the answer was generated from, so each prompt extends the last one; and the ids of a segment that was
seen before are remembered, so a turn tokenizes only what is new.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from app.errors import ImageRefused
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import FinalPrompt, ImageLayout
from app.inference.spans import find_spans
from app.inference.types import ImageRef, Message

log = logging.getLogger(__name__)

SEGMENTS_KEPT = 512
_WORD_JOINER = "⁠"
_NEXT_TURN = (Message("assistant", "Yes."), Message("user", "Why?"))

UnitDigests = Callable[[ImageRef, ImageLayout], Sequence[str]]
"""Gives the digest of each unit of an image, from memory where it is known."""


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """An image of the prompt with its layout, and which spans are its units."""

    ref: ImageRef
    layout: ImageLayout
    spans: range


@dataclass(frozen=True, slots=True)
class BuiltPrompt:
    """The final prompt and its images in order; ``notes`` say where the template keeps prompts from being extended.

    ``next_at`` is how many of its tokens the next turn has, where that is not all and boundaries were asked for; or 0.
    """

    final: FinalPrompt
    images: tuple[PlacedImage, ...] = ()
    notes: tuple[str, ...] = field(default=())
    next_at: int = 0


class PromptBuilder:
    """Builds prompts for one loaded model."""

    def __init__(self, adapter: FamilyAdapter, thinking: bool | None = None) -> None:
        self._adapter = adapter
        self._thinking = thinking
        self._parts = _takes_parts(adapter)
        self._segment_ids = lru_cache(maxsize=SEGMENTS_KEPT)(lambda text: tuple(adapter.tokenize(text)))
        self._decoded = lru_cache(maxsize=SEGMENTS_KEPT)(self._decode)
        self._special = frozenset(adapter.tokenizer.all_special_ids) | frozenset(
            adapter.tokenizer.get_added_vocab().values()
        )

    def build(
        self,
        messages: Sequence[Message],
        unit_digests: UnitDigests,
        *,
        boundaries: bool = False,
        opened: Sequence[int] = (),
    ) -> BuiltPrompt:
        """Return the final prompt of a conversation; ``boundaries`` asks for the positions where later ones may branch.

        ``opened`` are the ids of an answer that is gone on with; the prompt ends with them.

        Raises:
            ValueError: the template drops or multiplies images.
        """
        refs = [ref for message in messages for ref in message.images]
        layouts = [layout_of(self._adapter, ref) for ref in refs]
        segments, spliced = self._segments(messages, generation=True)
        ids = [*self._join(self._expand(segments, layouts), spliced), *opened]
        digests = [digest for ref, layout in zip(refs, layouts, strict=True) for digest in unit_digests(ref, layout)]
        units = [unit for layout in layouts for unit in layout.units]
        owners = [number for number, layout in enumerate(layouts) for _ in layout.units]
        array = np.asarray(ids, dtype=np.int32)
        spans = find_spans(array, self._adapter.placeholder_id, units, digests, owners) if units else ()
        next_at = self._common([*messages, *_NEXT_TURN], layouts, ids) if boundaries else 0
        cuts = self._boundaries(messages, ids, spans, next_at) if boundaries else ()
        placed = tuple(_place(refs, layouts))
        return BuiltPrompt(FinalPrompt(tuple(ids), spans, cuts), placed, next_at=next_at if next_at in cuts else 0)

    def render(self, messages: Sequence[Message], *, generation: bool = True) -> str:
        """Return the chat template's text with plain answers and unexpanded image markers."""
        return self._adapter.render([self._plain(message) for message in messages], generation, self._thinking)

    def system_end(self, messages: Sequence[Message], ids: Sequence[int]) -> int:
        """Return how many of the prompt's ``ids`` are its system message; 0 where it has none."""
        return self._common(messages[:1], [], ids) if messages[0].role == "system" else 0

    def _segments(self, messages: Sequence[Message], *, generation: bool) -> tuple[list[str], list[tuple[int, ...]]]:
        """Return the rendered text cut at the answers that can be spliced in, and the ids of these answers."""
        whole = self.render(messages, generation=generation)
        answers = {i: m for i, m in enumerate(messages) if self._can_splice(m)}
        marked = [Message(m.role, _sentinel(i), m.images) if i in answers else m for i, m in enumerate(messages)]
        segments, rest = [], self.render(marked, generation=generation) if answers else whole
        for index in answers:
            before, found, rest = rest.partition(_sentinel(index))
            segments.append(before)
            if not found:
                return [whole], []
        segments.append(rest)
        texts = [self._text(message) for message in answers.values()]
        joined = segments[0] + "".join(text + after for text, after in zip(texts, segments[1:], strict=True))
        if joined != whole or not all(self._starts_special(segment) for segment in segments[1:]):
            return [whole], []
        return segments, [message.token_ids or () for message in answers.values()]

    def _join(self, texts: Sequence[str], answers: Sequence[Sequence[int]]) -> list[int]:
        """Return the ids of texts with the answers between them."""
        ids: list[int] = []
        for text, answer in zip(texts, (*answers, ()), strict=True):
            ids.extend(self._segment_ids(text))
            ids.extend(answer)
        return ids

    def _can_splice(self, message: Message) -> bool:
        if message.role != "assistant" or not message.token_ids:
            return False
        if self._adapter.sees_images and self._adapter.placeholder_id in message.token_ids:
            return False  # no image stands there
        return self._decoded(message.token_ids) == message.text

    def _decode(self, ids: tuple[int, ...]) -> str:
        text: str = self._adapter.tokenizer.decode(list(ids), skip_special_tokens=False)
        return text

    def _starts_special(self, segment: str) -> bool:
        """Whether the text after an answer starts with a special token, so that tokenizing it apart changes nothing."""
        ids = self._segment_ids(segment)
        return bool(ids) and ids[0] in self._special

    def _expand(self, segments: Sequence[str], layouts: Sequence[ImageLayout]) -> list[str]:
        if not self._adapter.sees_images:
            return list(segments)  # whatever looks like a marker there is text
        marker = self._adapter.marker
        found = sum(segment.count(marker) for segment in segments)
        if found != len(layouts):
            raise ValueError(f"the chat template wrote {found} image markers for {len(layouts)} images")
        following = iter(layouts)
        return [_replace_each(segment, marker, following) for segment in segments]

    def _plain(self, message: Message) -> dict[str, Any]:
        text = self._text(message)
        if not self._parts:
            return {"role": message.role, "content": text}
        parts: list[dict[str, str]] = [{"type": "image"} for _ in message.images]
        return {"role": message.role, "content": [*parts, {"type": "text", "text": text}]}

    def _text(self, message: Message) -> str:
        return self.defused(whole_characters(message.text))

    def defused(self, text: str) -> str:
        """Keep image markers that somebody wrote, the user or another model, from being taken for images."""
        if not self._adapter.sees_images:
            return text
        for token in {self._adapter.marker, self._adapter.placeholder}:
            text = text.replace(token, token[:1] + _WORD_JOINER + token[1:])
        return text

    def _boundaries(
        self, messages: Sequence[Message], ids: Sequence[int], spans: Sequence[Any], next_at: int
    ) -> tuple[int, ...]:
        """Return the ends of the system message, of the last image, and of what the next turn has of this prompt.

        The last is less than the whole where a template strips what cues reasoning from the turns before.
        """
        cuts = {spans[-1].end} if spans else set()
        cuts.add(self.system_end(messages, ids))
        cuts.add(next_at)
        return tuple(sorted(cut for cut in cuts if 0 < cut < len(ids)))

    def _common(self, messages: Sequence[Message], layouts: Sequence[ImageLayout], ids: Sequence[int]) -> int:
        """Return how many tokens the text of ``messages``, without a cue to answer, has in common with ``ids``."""
        try:
            segments, spliced = self._segments(messages, generation=False)
        except Exception as error:  # noqa: BLE001 - templates raise on conversations that they do not expect
            log.debug("The template does not render this part alone: %s", error)
            return 0
        part = self._join(self._expand(segments, layouts), spliced)
        shorter = min(len(part), len(ids))
        differing = np.flatnonzero(np.asarray(part[:shorter]) != np.asarray(ids[:shorter]))
        return int(differing[0]) if len(differing) else shorter


def layout_of(adapter: FamilyAdapter, ref: ImageRef) -> ImageLayout:
    """Return how the model sees an image.

    Raises:
        ImageRefused: the family cannot take an image of this shape.
    """
    try:
        return adapter.layout(ref.width, ref.height)
    except ValueError as error:
        name = ref.name or "The image"
        raise ImageRefused(
            f"{name} is {ref.width:,}×{ref.height:,} pixels, a shape that this model cannot take ({error}).", ref.name
        ) from error


def whole_characters(text: str) -> str:
    """Return ``text`` with halves of characters (lone surrogates), which no tokenizer takes, replaced by ``?``."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _sentinel(index: int) -> str:
    """Return text that no template changes and no user types (private-use characters)."""
    return f"\ue000answer {index}\ue001"


def _replace_each(text: str, marker: str, layouts: Iterator[ImageLayout]) -> str:
    first, *rest = text.split(marker)
    return first + "".join(next(layouts).text + piece for piece in rest)


def _place(refs: Sequence[ImageRef], layouts: Sequence[ImageLayout]) -> Iterator[PlacedImage]:
    first = 0
    for ref, layout in zip(refs, layouts, strict=True):
        yield PlacedImage(ref, layout, range(first, first + len(layout.units)))
        first += len(layout.units)


def _takes_parts(adapter: FamilyAdapter) -> bool:
    """Whether the chat template understands content given as a list of parts."""
    if not adapter.sees_images:
        return False
    probe = "second glance probe"
    try:
        text = adapter.render([{"role": "user", "content": [{"type": "text", "text": probe}]}], True)
    except Exception as error:  # noqa: BLE001 - whatever a template raises means no
        log.debug("The template takes no content parts: %s", error)
        return False
    return probe in text and "'text'" not in text and '"text"' not in text
