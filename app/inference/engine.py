"""The public face of the inference core. One thread makes an engine, uses it and closes it."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import mlx.core as mx

from app.cache.config import CacheConfig
from app.cache.events import EventBus
from app.cache.stack import CacheStack, prompt_namespace
from app.errors import UserError
from app.inference.ahead import known_length
from app.inference.checkpoint import read_config, resolve, split
from app.inference.device import wire_memory
from app.inference.drafts import Drafts
from app.inference.events import Event, ImageView, ModelInfo, Progress
from app.inference.guarded import GuardedPrompts, GuardedVision
from app.inference.holdings import CacheEntry, described
from app.inference.images import RequestImages
from app.inference.loading import load_adapter
from app.inference.lora_folder import check_lora
from app.inference.memory import make_room
from app.inference.model import LoadedModel
from app.inference.opening import describe
from app.inference.prefill import DEFAULT_CHUNK
from app.inference.prompt import PromptBuilder, layout_of
from app.inference.shrink import shrunk, shrunk_size, with_shrunk_images
from app.inference.state import PromptState, takes_no_images
from app.inference.turn import Turn
from app.inference.types import Cancelled, CancelToken, ChatRequest, ImageRef

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Budgets and choices of an engine.

    Attributes:
        cache: budgets of all tiers.
        prefill_chunk: tokens per prefill step.
        thinking: whether models that can reason aloud do; ``None`` leaves it to the model.
        thinking_budget: tokens after which reasoning is ended; 0 for no limit.
        canary: look at load whether the model sees images at all.
        memory_limit: bytes that one turn may plan to use; ``None`` for what is free.
        context_limit: tokens that a conversation may take; 0 for what the model takes.
        image_side: pixels of the longer side that pictures are made smaller to; 0 for no limit.
    """

    cache: CacheConfig = field(default_factory=CacheConfig)
    prefill_chunk: int = DEFAULT_CHUNK
    thinking: bool | None = None
    thinking_budget: int = 0
    canary: bool = True
    memory_limit: int | None = None
    context_limit: int = 0
    image_side: int = 0


class Engine:
    """Loads one model at a time and answers requests, reusing what the caches hold.

    Attributes:
        bus: cache events.
        caches: the tiers; they outlive models.
    """

    def __init__(self, config: EngineConfig | None = None) -> None:
        self.config = config or EngineConfig()
        self.bus = EventBus()
        self.caches = CacheStack(self.config.cache, self.bus)
        self._model: LoadedModel | None = None
        self._info: ModelInfo | None = None
        self._drafts = Drafts()

    @property
    def model(self) -> ModelInfo | None:
        """What is loaded, as it is without the limits of the configuration."""
        return self._info if self._model else None

    def load(
        self, ref: str, on_progress: Callable[[Progress], None] | None = None, cancel: CancelToken | None = None
    ) -> ModelInfo:
        """Load ``ref`` in place of the present model: ``demo``, a folder, or a repository in the local hub cache.

        Raises:
            ModelRefused: the folder is missing, incomplete or unsafe, and the present model stays; or it fails while it
                is being opened, and no model is loaded then.
            Cancelled: the stop sign was set; no model is loaded then.
        """
        cancel = cancel or CancelToken()
        read_config(resolve(ref), ref)
        if lora := split(ref)[1]:
            check_lora(lora)
        self.unload()
        try:
            adapter = load_adapter(ref, on_progress or (lambda _progress: None), cancel)
            model, identity = describe(ref, adapter, thinking=self.config.thinking, canary=self.config.canary)
        except BaseException:
            _free()
            raise
        self.caches.bind(identity, {model.placeholder_id} - {-1})
        self._model, self._info = model, model.info
        self._limit_context()
        wire_memory()
        log.info("Loaded %s: %s", ref, self._info)
        return self._info

    def generate(self, request: ChatRequest, cancel: CancelToken | None = None) -> Iterator[Event]:
        """Answer ``request``: progress, text, and as the last event :class:`~app.inference.events.Finished`.

        A stop sign ends it within a step; what was computed is kept, and ``Finished`` says ``cancelled``.

        Raises:
            UserError: no model is loaded, an image cannot be read, or the prompt does not fit.
        """
        model, cancel = self._loaded(), cancel or CancelToken()
        request = with_shrunk_images(request, self.config.image_side)
        state = self._state(model, request, cancel)
        claim = partial(self._drafts.claim, request.chat_id)
        yield from Turn(model, state, request, cancel, self.caches.overview, claim, self.config.thinking_budget).run()

    def prepare(self, request: ChatRequest, cancel: CancelToken | None = None) -> Iterator[Progress]:
        """Do what does not depend on the last message's text: its images, and the prompt up to where that text begins.

        Nothing is yielded to a reader but progress; stopping it at any step keeps what was done.

        Raises:
            UserError: as :meth:`generate`.
        """
        model, cancel = self._loaded(), cancel or CancelToken()
        if not request.use_cache or model.adapter.reuse in ("none", "whole"):
            return
        if not model.adapter.sees_images and any(message.images for message in request.messages):
            if request.messages[-1].images:
                raise takes_no_images(model)
            return  # a chat with images may be read under a model without; a question in it is refused
        request = with_shrunk_images(request, self.config.image_side)
        state = self._state(model, request, cancel)
        known = known_length(model.builder, request.messages, state.images.unit_digests)
        if known < 2:
            return
        try:
            yield from state.open(request.messages, limit=known)
            yield from state.fill(known)
        except Cancelled:
            state.keep(stopped=True)
        finally:
            if state.key:
                self._drafts.add(request.chat_id, state.as_draft())

    def check_image(self, image: ImageRef) -> None:
        """Find out before anything runs whether the loaded model can take ``image``.

        Raises:
            ImageRefused: it cannot; the message names the image and its size.
            UserError: it takes no images at all.
        """
        model = self._loaded()
        adapter = model.adapter
        if not adapter.sees_images:
            raise takes_no_images(model)
        if not adapter.opaque:
            layout_of(adapter, shrunk(image, self.config.image_side))

    def image_tokens(self, width: int, height: int) -> int:
        """Return how many tokens an image of this size takes in the loaded model; 0 where that is unknown or none."""
        view = self.image_view(width, height)
        return view.tokens if view is not None else 0

    def image_view(self, width: int, height: int) -> ImageView | None:
        """Return how the loaded model sees an image of this size in pixels; ``None`` where that is unknown or not."""
        model = self._model
        if model is None or not model.adapter.sees_images or model.adapter.opaque:
            return None
        try:
            layout = model.adapter.layout(*shrunk_size(width, height, self.config.image_side))
        except ValueError:
            return None  # the family cannot take this shape; a question with it is refused with the reason
        return ImageView(*layout.size, layout.tokens)

    def preview(self, image: ImageRef) -> ImageView | None:
        """Return how the loaded model sees ``image`` and how many of its tiles are encoded already; encodes nothing.

        A picture in tiles is decoded and cut the first time, since each tile is named by its own pixels.

        Raises:
            UserError: it cannot be read.
        """
        image = shrunk(image, self.config.image_side)
        view, model = self.image_view(image.width, image.height), self._model
        if view is None or model is None or model.adapter.tiles == "joint":
            return view
        vision = GuardedVision(self.caches.vision, model.info.identity)
        known = RequestImages(model.adapter, vision, model.tiles).known_units(image)
        return replace(view, tiles=len(known), tiles_known=sum(known))

    def holdings(self) -> list[CacheEntry]:
        """Return what lies in the caches, entry by entry, last used first in each tier; counts nothing."""
        namespace = prompt_namespace(self._model.info.identity, self.config.cache) if self._model else ""
        return described(self.caches.holdings(), self._model, namespace)

    def configure(self, config: EngineConfig) -> None:
        """Put other budgets and choices into force; the model stays loaded."""
        if self._model is not None and config.thinking != self.config.thinking:
            self._model.builder = PromptBuilder(self._model.adapter, config.thinking)
        self.config = config
        self._limit_context()
        self.caches.configure(config.cache)

    def unload(self) -> None:
        """Let the model and its state in memory go; the disk keeps what it has."""
        if self._model is not None:
            self.caches.release(self._model.info.identity)
            self._drafts.forget()
            self._model = None
        _free()

    def close(self) -> None:
        """Let everything go. The last call, on the thread that made the engine: its MLX streams end here."""
        self.unload()
        self.caches.close()
        mx.clear_streams()

    def _limit_context(self) -> None:
        if self._model is not None and self._info is not None:
            context = self._info.context_length
            self._model.info = replace(self._info, context_length=min(context, self.config.context_limit or context))

    def _loaded(self) -> LoadedModel:
        if self._model is None:
            raise UserError("No model is loaded.")
        return self._model

    def _state(self, model: LoadedModel, request: ChatRequest, cancel: CancelToken) -> PromptState:
        persist = not request.incognito
        why_not = _why_uncached(model, request)
        prompts = GuardedPrompts(None if why_not else self.caches.prompts, why_not, persist=persist)
        vision = GuardedVision(self.caches.vision if request.use_cache else None, model.info.identity, persist=persist)
        images = RequestImages(model.adapter, vision, model.tiles)
        room = partial(self._make_room, model, request.sampling.max_tokens)
        return PromptState(model, prompts, images, cancel, self.config.prefill_chunk, room)

    def _make_room(self, model: LoadedModel, answer: int, prompt: int) -> None:
        tokens = min(prompt + answer, model.info.context_length)
        needed = model.size.turn(tokens, self.config.prefill_chunk)
        make_room(needed, tokens, (self.caches.prompts, self.caches.vision), self.config.memory_limit)


def _why_uncached(model: LoadedModel, request: ChatRequest) -> str:
    if not request.use_cache:
        return "caches are off for this request"
    if model.adapter.reuse == "none":
        return f"nothing is known about what state of {model.info.family} depends on, so none is reused"
    return ""


def _free() -> None:
    """Return memory of dropped arrays to the system.

    What the window took out of the search for garbage may hold on to the model that was loading then; what is found to
    live is taken out again.
    """
    was_frozen = gc.get_freeze_count()
    gc.unfreeze()
    gc.collect()
    if was_frozen:
        gc.freeze()
    mx.clear_cache()
