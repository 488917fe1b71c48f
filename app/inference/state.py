"""The state of a prompt: found in the caches as far as possible, run for the rest, and kept."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import mlx.core as mx

from app.cache.protocols import Ending, LayerCaches, Lookup
from app.cache.why import SYSTEM_PROMPT_DIFFERS, TEXT_DIFFERS
from app.errors import PromptTooLong, UserError
from app.inference.drafts import Draft
from app.inference.events import ImageUse, Progress
from app.inference.guarded import GuardedPrompts
from app.inference.images import RequestImages
from app.inference.model import LoadedModel
from app.inference.prefill import Prefill, chunk_ends, halfway_ends
from app.inference.prompt import BuiltPrompt
from app.inference.spans import salted_key
from app.inference.types import CancelToken, Message

MakeRoom = Callable[[int], None]
"""Sees to it that there is memory for a prompt of so many tokens, or raises :class:`~app.errors.PromptTooLong`."""
NEAR = 16
"""Tokens before the end of work ahead within which its own state serves as well as a boundary's."""
NOTED_SHRINK = 0.75
"""An image is said to be resized when the model sees less than this share of its width."""


class PromptState:
    """Takes one conversation from messages to evaluated layer caches.

    Attributes:
        built: the final prompt, after :meth:`open`.
        lookup: what the caches had.
        prefill_seconds: time spent in the language model for the prompt.
    """

    def __init__(
        self,
        model: LoadedModel,
        prompts: GuardedPrompts,
        images: RequestImages,
        cancel: CancelToken,
        chunk: int,
        room: MakeRoom,
    ) -> None:
        self._model, self._prompts, self.images = model, prompts, images
        self._cancel, self._chunk, self._room = cancel, chunk, room
        self._key: tuple[int, ...] = ()
        self._prefill: Prefill | None = None
        self._kept = self._answer_at = 0
        self.built: BuiltPrompt | None = None
        self.lookup = Lookup(None, 0, "miss")
        self.prefill_seconds = 0.0

    @property
    def key(self) -> tuple[int, ...]:
        """What the caches know the prompt by, after :meth:`open`: its tokens, images by content."""
        return self._key

    @property
    def position(self) -> int:
        """Prompt tokens that the layer caches hold."""
        return self._prefill.position if self._prefill else 0

    @property
    def cache(self) -> LayerCaches:
        """The layer caches, after :meth:`open`."""
        assert self._prefill is not None
        return self._prefill.cache

    def open(
        self, messages: Sequence[Message], limit: int | None = None, opened: Sequence[int] = ()
    ) -> Iterator[Progress]:
        """Build the prompt, look it up, and get features for the images that must be run.

        ``limit`` cuts the prompt to its first tokens, for working ahead; ``opened`` is what there is of the answer.

        Raises:
            PromptTooLong: it does not fit the model's context or the memory.
            UserError: it has images and the model takes none.
            Cancelled: at a step; encoded images are in the cache.
        """
        built = self._build(messages, opened)
        final = built.final if limit is None else built.final.head(limit)
        images = tuple(image for image in built.images if _inside(image.spans, final.spans))
        self.built = built = BuiltPrompt(final, images, next_at=built.next_at if limit is None else 0)
        self._answer_at = len(final) - len(opened)
        self._check_length(built)
        self._room(len(final))
        yield from _resize_notes(messages[-1:], built)
        self._key = self._salted(built)
        self._cancel.check()
        self.lookup = self._naming_the_part(self._prompts.lookup(self._key, final.spans), messages)
        if self.lookup.source == "disk":
            yield Progress("restore", self.lookup.reused, len(final))
        yield from self.images.gather(built, self.lookup.reused, self._cancel)
        cache = self._model.adapter.make_cache() if self.lookup.cache is None else self.lookup.cache
        self._kept = self.lookup.reused
        self._prefill = Prefill(self._model.adapter, final, self.images.features, cache, self.lookup.reused)

    def fill(self, stop: int | None = None) -> Iterator[Progress]:
        """Prefill up to ``stop``, by default just before the last token, and keep snapshots where they will be wanted.

        State that can be cut anywhere is not copied here: the entry stored after the answer serves this prompt too.

        Raises:
            Cancelled: between two chunks.
        """
        assert self._prefill is not None
        if self._model.adapter.chunking == "one_chunk":
            return
        final = self._prefill.prompt
        end = len(final) - 1 if stop is None else stop
        # State that ends inside an image is of no use later, so only images larger than a chunk are split.
        must = self._model.adapter.chunking == "whole_spans"
        whole = [span for span in final.spans if must or span.length <= self._chunk]
        cuts = [cut for cut in final.boundaries if self._model.snapshots_only and (stop is None or cut + NEAR < end)]
        if self.position >= end:
            return
        began = time.perf_counter()
        ends = chunk_ends(self.position, end, self._chunk, cuts=cuts, whole=whole)
        asked = self._model.snapshots_only and stop is None
        halfway = halfway_ends(ends, self._chunk, final.spans).difference(cuts) if asked else set()
        for progress in self._prefill.run(ends, self._cancel):
            if self.position in cuts or self.position in halfway:
                self.keep(halfway=self.position in halfway)
            self.prefill_seconds = time.perf_counter() - began
            yield progress
        if self._model.snapshots_only or stop is not None:
            self.keep()

    def last_logits(self) -> mx.array:
        """Run the last token and return its evaluated logits ``(1, vocabulary)``."""
        assert self._prefill is not None
        began = time.perf_counter()
        logits = self._prefill.last_logits()
        self.prefill_seconds += time.perf_counter() - began
        if self._model.adapter.chunking == "one_chunk":
            self.keep()
        return logits

    def keep(self, generated: Sequence[int] = (), *, stopped: bool = False, halfway: bool = False) -> None:
        """Store what the layer caches hold now: the prompt so far and the ``generated`` tokens that were fed.

        ``stopped``: that is not as far as it was to get. ``halfway``: it goes on, and may be edited behind this place.
        """
        length = self.position + len(generated)
        if self.built is not None and length > self._kept:
            key = (*self._key[: self.position], *generated)
            ending = Ending(
                answer_at=self._answer_at if length >= self._answer_at else 0,
                unfinished=stopped and self.position < len(self.built.final),
                next_at=self.built.next_at if length > self.built.next_at else 0,
                halfway=halfway,
            )
            self._prompts.save(key, self.cache, self.built.final.spans, ending)
            self._kept = length

    def as_draft(self) -> Draft:
        """Return what was done so far, as work ahead."""
        known = self.lookup.reused
        return Draft(self._key, known, max(known, self.position), dict(self.images.encoded))

    def _build(self, messages: Sequence[Message], opened: Sequence[int]) -> BuiltPrompt:
        if not self._model.adapter.sees_images and any(message.images for message in messages):
            raise takes_no_images(self._model)
        if self._model.adapter.opaque:
            return self._assemble(messages)
        cuts = self._model.snapshots_only
        return self._model.builder.build(messages, self.images.unit_digests, boundaries=cuts, opened=opened)

    def _assemble(self, messages: Sequence[Message]) -> BuiltPrompt:
        """Let an unknown family's own processor build the prompt; every image is encoded with it."""
        refs = [ref for message in messages for ref in message.images]
        final = self._model.adapter.assemble(self._model.builder.render(messages), [ref.load() for ref in refs])
        self.images.uses.extend(ImageUse(ref.source, skipped=False, tiles_run=1) for ref in refs)
        return BuiltPrompt(final)

    def _naming_the_part(self, lookup: Lookup, messages: Sequence[Message]) -> Lookup:
        """Say that it is the system prompt that differs, where it is: the store sees tokens, not messages."""
        if TEXT_DIFFERS not in lookup.why or self._model.adapter.opaque or self.built is None:
            return lookup
        if lookup.reused >= self._model.builder.system_end(messages, self.built.final.ids):
            return lookup
        return replace(lookup, why=lookup.why.replace(TEXT_DIFFERS, SYSTEM_PROMPT_DIFFERS))

    def _salted(self, built: BuiltPrompt) -> tuple[int, ...]:
        adapter = self._model.adapter
        salt = adapter.key_salt(built.final)
        key = salted_key(built.final.ids, built.final.spans, salt)
        if adapter.reuse != "whole":
            return key
        # State of every position depends on the whole prompt, so the first key already has to name all of it.
        return salted_key(key, (), hashlib.sha256(repr((salt, key)).encode()).hexdigest())

    def _check_length(self, built: BuiltPrompt) -> None:
        context, needed = self._model.info.context_length, len(built.final)
        if needed < context:
            return
        pictures = sum(image.layout.tokens for image in built.images)
        raise PromptTooLong(
            f"This conversation needs {needed:,} tokens, {pictures:,} of them for images, and the model takes "
            f"{context:,}. Remove {needed - context + 1:,} tokens' worth of images or text, or start a new chat."
        )


def _inside(spans: range, kept: Sequence[object]) -> bool:
    return spans.stop <= len(kept)


def _resize_notes(messages: Sequence[Message], built: BuiltPrompt) -> Iterator[Progress]:
    """Say which new images the model sees smaller than they are."""
    new = {ref.digest for message in messages for ref in message.images}
    for number, image in enumerate(built.images):
        (width, height), ref = image.layout.size, image.ref
        if ref.digest in new and width < NOTED_SHRINK * ref.width:
            yield Progress(
                "images",
                number + 1,
                len(built.images),
                note=f"{ref.name or 'Image'}: resized from {ref.width:,}×{ref.height:,} to {width:,}×{height:,}",
            )


def takes_no_images(model: LoadedModel) -> UserError:
    """Return what is said of a question with images to a model that takes none."""
    return UserError(f"{model.info.name} takes no images. Load a model that does, or remove the images.")
