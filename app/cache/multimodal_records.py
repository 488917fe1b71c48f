"""What the cache of multimodal prompts hands out, and what it counts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.cache.index import common_length
from app.cache.sizes import estimate_kv_cache_memory, nested_nbytes


@dataclass(slots=True)
class MLLMPrefixCacheEntry:
    """What a look-up hands out; ``kv_cache`` is private to the caller.

    Attributes:
        image_hash: digest of all images in order.
        prompt_hash: digest of the prompt's text.
        vision_embeddings: features of these images.
        kv_cache: layer caches; empty where only the images match.
        token_ids: tokens that ``kv_cache`` holds.
        num_image_tokens: placeholders among the stored tokens.
        num_text_tokens: the other stored tokens.
        prompt_tokens: stored tokens in all.
        created_at: ``time.time()`` of storing.
        hit_count: look-ups that it served.
        model_name: as the caller gave it; for people, no key.
    """

    image_hash: str
    prompt_hash: str
    vision_embeddings: Any = None
    kv_cache: list[Any] = field(default_factory=list)
    token_ids: list[int] = field(default_factory=list)
    num_image_tokens: int = 0
    num_text_tokens: int = 0
    prompt_tokens: int = 0
    created_at: float = field(default_factory=time.time)
    hit_count: int = 0
    model_name: str = ""

    @property
    def total_tokens(self) -> int:
        """Image and text tokens."""
        return self.num_image_tokens + self.num_text_tokens

    @property
    def memory_size(self) -> int:
        """Bytes of state and features; nested and quantized layers count."""
        return estimate_kv_cache_memory(self.kv_cache) + nested_nbytes(self.vision_embeddings)

    def get_prefix_match_length(self, new_token_ids: Sequence[int]) -> int:
        """Return how many leading tokens this entry shares with ``new_token_ids``."""
        return common_length(tuple(self.token_ids), tuple(new_token_ids))


@dataclass(slots=True)
class MLLMStats:
    """Counts that only this cache has; the others are the store's.

    Attributes:
        partial_hits: hits that left more than the obligatory last token.
        image_cache_hits: look-ups whose images need not be encoded: their features are known, or the state has them.
        vision_encoder_skips: images of those look-ups.
        hits: look-ups that reused state.
        misses: look-ups that reused none.
        tokens_saved: tokens that did not have to be run.
        total_queries: look-ups.
    """

    hits: int = 0
    misses: int = 0
    partial_hits: int = 0
    tokens_saved: int = 0
    image_cache_hits: int = 0
    vision_encoder_skips: int = 0
    total_queries: int = 0

    @property
    def hit_rate(self) -> float:
        """Hits per look-up, 0.0 before the first."""
        return self.hits / self.total_queries if self.total_queries else 0.0
