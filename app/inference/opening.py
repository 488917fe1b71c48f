"""From a loaded adapter to a model that can be used: identity, limits, and a look at whether it sees."""

from __future__ import annotations

import logging

import mlx.core as mx
import numpy as np
from jinja2 import TemplateSyntaxError
from PIL import Image

from app.cache.identity import CacheIdentity
from app.errors import ModelRefused
from app.inference.checkpoint import context_length, name_of
from app.inference.device import device_name
from app.inference.events import ModelInfo
from app.inference.families.base import FamilyAdapter
from app.inference.identity import cache_identity
from app.inference.loading import weight_bytes
from app.inference.memory import measure
from app.inference.model import LoadedModel, cuts_anywhere, marks_thinking, stop_ids
from app.inference.prompt import PromptBuilder
from app.inference.types import Message

log = logging.getLogger(__name__)

CANARY_SIDE = 96
BLIND = "Two different test pictures gave the same features: this model does not see images."
UNCACHED = "This family is not known well enough to reuse its state: every turn runs in full."


def describe(
    ref: str, adapter: FamilyAdapter, *, thinking: bool | None = None, canary: bool = True
) -> tuple[LoadedModel, CacheIdentity]:
    """Return the usable model and the identity that its cached state carries."""
    identity = cache_identity(adapter)
    notes = [UNCACHED] if adapter.reuse == "none" else []
    sees = adapter.sees_images
    if sees and canary and not adapter.opaque and not tells_images_apart(adapter):
        sees = False
        notes.append(BLIND)
    info = ModelInfo(
        ref=ref,
        name=name_of(ref),
        family=adapter.checkpoint.model_type,
        sees_images=sees,
        context_length=context_length(adapter.config),
        device=device_name(),
        identity=identity.digest,
        weight_bytes=weight_bytes(adapter.model),
        notes=tuple(notes),
        thinks=marks_thinking(adapter),
    )
    builder = PromptBuilder(adapter, thinking)
    _check_template(builder, ref)
    model = LoadedModel(
        adapter,
        info,
        builder,
        stop_ids(adapter),
        snapshots_only=not cuts_anywhere(adapter),
        thinks=info.thinks,
        size=measure(adapter),
    )
    return model, identity


def _check_template(builder: PromptBuilder, ref: str) -> None:
    """Refuse a model whose chat template is no template; one that only dislikes this conversation may like others."""
    try:
        builder.render((Message("user", "Hello."),))
    except TemplateSyntaxError as error:
        first_line = f"chat template, line {error.lineno}: {error.message}"
        raise ModelRefused(f"{ref} cannot be opened: {first_line}", ref) from error
    except Exception as error:  # noqa: BLE001 - templates raise on conversations that they do not expect
        log.debug("The template does not render a question alone: %s", error)


def tells_images_apart(adapter: FamilyAdapter) -> bool:
    """Whether two different pictures of one size get different features: the canary of a blind model."""
    ramp = np.linspace(0, 255, CANARY_SIDE, dtype=np.uint8)
    across = np.broadcast_to(ramp[None, :, None], (CANARY_SIDE, CANARY_SIDE, 3))
    pictures = [Image.fromarray(np.ascontiguousarray(a)) for a in (across, 255 - across.transpose(1, 0, 2))]
    first, second = (adapter.encode(adapter.preprocess(picture)) for picture in pictures)
    return not all(bool(mx.array_equal(a[0], b[0])) for a, b in zip(first, second, strict=True))
