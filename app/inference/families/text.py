"""Text-only models through mlx-lm, whatever their layers: attention, sliding windows, recurrent state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import mlx.core as mx
from mlx import nn

from app.cache.protocols import LayerCaches
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import ChunkInputs, Features, FinalPrompt


class TextModel(FamilyAdapter):
    """Ids in, logits out; where state may be cut follows from the layers alone."""

    sees_images: ClassVar[bool] = False

    @property
    def language_model(self) -> nn.Module:
        """The model itself."""
        return self.model

    def make_cache(self) -> LayerCaches:
        """Return the caches of mlx-lm's own classes."""
        from mlx_lm.models.cache import make_prompt_cache

        caches: LayerCaches = make_prompt_cache(self.model)
        return caches

    def chunk(self, prompt: FinalPrompt, features: Mapping[int, Features], start: int, stop: int) -> ChunkInputs:
        """Return the ids alone: the model looks its embeddings up itself."""
        return ChunkInputs(mx.array(prompt.array[start:stop])[None], None)

    def forward(self, chunk: ChunkInputs, cache: LayerCaches) -> mx.array:
        """Run the model over ``chunk.ids``."""
        logits: mx.array = self.model(chunk.ids, cache=cache, **chunk.kwargs)
        return logits
