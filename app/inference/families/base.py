"""The base of all family adapters.

How to add a family:

1. Make ``app/inference/families/<family>.py`` with a subclass of :class:`FamilyAdapter`.
2. Say what the chat template writes for an image (``marker``), which token fills its positions (``placeholder``), and
   in :meth:`FamilyAdapter.layout` how an image of a given size becomes units. It must need no pixels: known images are
   not even decoded. Where there is no formula, run the processor on a blank image of that size and remember the result.
3. Turn an image into processed pixels (:meth:`~FamilyAdapter.preprocess`, one item per unit) and units into features
   (:meth:`~FamilyAdapter.encode`). Set ``tiles = "independent"`` where a tile's features depend on that tile alone:
   each is then keyed by its own pixels.
4. Give what the language model needs beside the embeddings, always sliced by position and never left on the model:
   :meth:`~FamilyAdapter.sequence` (whole-prompt tensors, which :meth:`~FamilyAdapter.chunk` slices),
   :meth:`~FamilyAdapter.embed` (tensors that follow from the chunk itself), :meth:`~FamilyAdapter.constants` (the same
   for every call) and :meth:`~FamilyAdapter.step` (decoding).
5. Say what may be reused (``reuse``) and how a prompt may be cut (``chunking``). Where state depends on more than the
   tokens before it, put that into :meth:`~FamilyAdapter.key_salt`.
6. Add the model types to ``FAMILIES`` in ``registry.py``.

The ids of a prompt are *language-model positions*: where a family's tokenizer has one id for a whole image, the layout
repeats the placeholder all the same, since the ids under a span are replaced by features and never embedded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import mlx.core as mx
import numpy as np
import numpy.typing as npt
from mlx import nn

from app.cache.protocols import LayerCaches
from app.inference.families.layout import (
    Aligned,
    Chunking,
    ChunkInputs,
    FeatureRun,
    Features,
    FinalPrompt,
    ImageLayout,
    ReusePolicy,
    Unit,
    UnitPixels,
    runs_in_chunk,
)

if TYPE_CHECKING:
    from PIL.Image import Image

FIXED_DATE = "26 Jul 2024"
"""Templates that print today's date get this one: with a clock, every prompt would change at midnight."""
_PLAIN = (
    "{% for m in messages %}{{ m['role'] }}: {% if m['content'] is string %}{{ m['content'] }}{% else %}"
    "{% for c in m['content'] %}{{ 'MARKER' if c['type'] == 'image' else c['text'] }}{% endfor %}{% endif %}\n"
    "{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}"
)
_STOPPED_CLOCK = f"{{%- macro strftime_now(format) -%}}{FIXED_DATE}{{%- endmacro -%}}"


@dataclass(slots=True)
class Checkpoint:
    """What was loaded from a model folder, before an adapter explains it.

    Attributes:
        path: the folder.
        config: ``config.json`` with the generation settings merged in.
        model_type: normalised name of the architecture.
        model: the whole model (mlx-vlm: tower, projector and language model; mlx-lm: the language model).
        processor: mlx-vlm's processor, or the tokenizer for text models.
        tokenizer: the Hugging Face tokenizer.
        lora: the folder of the LoRA adapter on top of the model.
    """

    path: Path
    config: dict[str, Any]
    model_type: str
    model: Any
    processor: Any
    tokenizer: Any
    lora: Path | None = None


class FamilyAdapter:
    """What the engine asks of a family; the defaults fit a causal decoder with placeholders and plain KV layers.

    Class attributes:
        reuse: where prompt state may be cut.
        chunking: how a prompt may be cut for prefill.
        tiles: ``independent`` where units are keyed and encoded one by one, ``joint`` where an image goes as a whole.
        sees_images: whether the family has a vision side.
        opaque: whether prompts are assembled by the family's own processor, images and all (see ``generic.py``).
        marker: what the chat template writes for one image.
        placeholder: the token whose positions receive features.
    """

    reuse: ClassVar[ReusePolicy] = "any"
    chunking: ClassVar[Chunking] = "free"
    tiles: ClassVar[Literal["independent", "joint"]] = "joint"
    sees_images: ClassVar[bool] = True
    opaque: ClassVar[bool] = False
    marker: str = "<image>"
    placeholder: str = "<image>"

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.model = checkpoint.model
        self.processor = checkpoint.processor
        self.tokenizer = checkpoint.tokenizer
        self.config = checkpoint.config

    # The prompt -----------------------------------------------------------------------------------------------------

    @property
    def placeholder_id(self) -> int:
        """Id of :attr:`placeholder` in the final ids."""
        return int(self.tokenizer.convert_tokens_to_ids(self.placeholder))

    def render(
        self, messages: Sequence[Mapping[str, Any]], add_generation_prompt: bool, thinking: bool | None = None
    ) -> str:
        """Return the chat template's text for ``messages`` (Hugging Face format, images as ``{"type": "image"}``).

        ``thinking`` goes to templates that know ``enable_thinking``; ``None`` leaves their default.
        """
        options = {} if thinking is None else {"enable_thinking": thinking}
        text: str = self.tokenizer.apply_chat_template(
            list(messages),
            chat_template=self._template(),
            tokenize=False,
            add_generation_prompt=add_generation_prompt,
            date_string=FIXED_DATE,
            **options,
        )
        return text

    def _template(self) -> str:
        """Return the chat template, with its clock stopped; a plain one for models that come without."""
        own = getattr(self.processor, "chat_template", None) or self.tokenizer.chat_template
        template: str = self.tokenizer.get_chat_template(own or _PLAIN.replace("MARKER", self.marker))
        return _STOPPED_CLOCK + template if "strftime_now" in template else template

    def tokenize(self, text: str) -> list[int]:
        """Return the ids of expanded prompt text; the template has written the special tokens already."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return ids

    def assemble(self, text: str, images: Sequence[Image]) -> FinalPrompt:
        """Return the final prompt of an ``opaque`` family, built by its own processor."""
        raise NotImplementedError(f"{type(self).__name__} is not opaque")

    def key_salt(self, prompt: FinalPrompt) -> str:
        """Return what the state depends on beyond the tokens before it; equal states need equal salts.

        ``reuse = "whole"`` needs no salt of its own: the engine adds the whole prompt's.
        """
        return ""

    # Images ---------------------------------------------------------------------------------------------------------

    def layout(self, width: int, height: int) -> ImageLayout:
        """Return how an image of ``width`` x ``height`` pixels stands in the prompt, from its size alone."""
        raise NotImplementedError(f"{type(self).__name__} takes no images")

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return the processed pixels of ``image`` (RGB), one item per unit of its layout, in order."""
        raise NotImplementedError(f"{type(self).__name__} takes no images")

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Run vision tower and projector over ``units`` and return unevaluated features, one per unit.

        ``joint`` families get all units of one image, ``independent`` ones any selection of them.
        """
        raise NotImplementedError(f"{type(self).__name__} takes no images")

    def check_features(self, features: Features, unit: Unit) -> None:
        """Refuse features that do not fit their place, before they are used or stored.

        Raises:
            ValueError: another number of rows than the unit has tokens.
        """
        rows = [int(array.shape[0]) for array in features]
        if any(row != unit.tokens for row in rows):
            raise ValueError(f"the vision encoder gave {rows} rows for a unit of {unit.tokens} tokens")

    # The language model ---------------------------------------------------------------------------------------------

    @property
    def language_model(self) -> nn.Module:
        """The module that :meth:`forward` calls and that makes the layer caches."""
        return self.model.language_model

    def make_cache(self) -> LayerCaches:
        """Return fresh layer caches."""
        from mlx_vlm.models.cache import make_prompt_cache

        caches: LayerCaches = make_prompt_cache(self.language_model)
        return caches

    def embed_text(self, ids: mx.array) -> mx.array:
        """Return embeddings ``(1, L, hidden)`` of text ids ``(1, L)``, scaled as the family does it."""
        embeds: mx.array = self.language_model.model.embed_tokens(ids)
        return embeds

    def sequence(self, prompt: FinalPrompt) -> dict[str, Aligned]:
        """Return keyword tensors of the whole prompt, computed once per request; the engine slices them per chunk."""
        return {}

    def constants(self, features: Mapping[int, Features]) -> dict[str, Any]:
        """Return keyword arguments passed unchanged on every call, also while decoding (cross-attention states)."""
        return {}

    def needs_all_features(self) -> bool:
        """Whether features are needed even for images that reused state covers (cross attention)."""
        return False

    def embed(self, ids: npt.NDArray[np.int32], runs: Sequence[FeatureRun]) -> tuple[mx.array, dict[str, Any]]:
        """Return embeddings ``(1, L, hidden)`` of a chunk and the keyword tensors that follow from it.

        ``ids`` has shape ``(L,)``; ``runs`` hold the features that stand in this chunk, in order.
        """
        return self.merge(ids, runs), {}

    def merge(self, ids: npt.NDArray[np.int32], runs: Sequence[FeatureRun]) -> mx.array:
        """Embed the text of a chunk and put the features between it: ``(1, L, hidden)``."""
        if not runs:
            return self.embed_text(mx.array(ids)[None])
        pieces: list[mx.array | Features] = []
        position = 0
        for run in runs:
            if run.at > position:
                pieces.append(self.embed_text(mx.array(ids[position : run.at])[None])[0])
            pieces.append(run.features)
            position = run.at + run.length
        if position < len(ids):
            pieces.append(self.embed_text(mx.array(ids[position:])[None])[0])
        dtype = self.embed_text(mx.zeros((1, 1), mx.int32)).dtype
        rows = [(piece[0] if isinstance(piece, tuple) else piece).astype(dtype) for piece in pieces]
        return mx.concatenate(rows, axis=0)[None]

    def step(self, prompt: FinalPrompt, position: int) -> dict[str, Any]:
        """Return the keyword arguments for decoding one token at ``position`` (0-based, beyond the prompt)."""
        return {}

    def chunk(self, prompt: FinalPrompt, features: Mapping[int, Features], start: int, stop: int) -> ChunkInputs:
        """Return the call for positions ``start`` to ``stop``; ``features`` is keyed by index in ``prompt.spans``."""
        ids = prompt.array[start:stop]
        embeds, keywords = self.embed(ids, runs_in_chunk(prompt.spans, features, start, stop))
        if "aligned" not in prompt.memo:
            prompt.memo["aligned"] = self.sequence(prompt)
        aligned: dict[str, Aligned] = prompt.memo["aligned"]
        cut = {name: tensor.cut(start, stop) for name, tensor in aligned.items()}
        return ChunkInputs(mx.array(ids)[None], embeds, {**self.constants(features), **cut, **keywords})

    def token(
        self, prompt: FinalPrompt, features: Mapping[int, Features], token: mx.array, position: int
    ) -> ChunkInputs:
        """Return the call that decodes from ``token``, an unevaluated scalar id that stands at ``position``."""
        return ChunkInputs(token.reshape(1, 1), None, {**self.constants(features), **self.step(prompt, position)})

    def forward(self, chunk: ChunkInputs, cache: LayerCaches) -> mx.array:
        """Run the language model over ``chunk``, filling ``cache``; return unevaluated logits ``(1, L, vocab)``."""
        keywords = dict(chunk.kwargs)
        if chunk.embeds is not None:
            keywords["inputs_embeds"] = chunk.embeds
        logits: mx.array = self.language_model(chunk.ids, cache=cache, **keywords).logits
        return logits
