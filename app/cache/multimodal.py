"""Prompt state of multimodal conversations, for callers that have images, text and token ids but no media spans.

A policy over the same store of whole entries: placeholders are found in the token ids, salted with the content of the
image that they stand for (:mod:`app.cache.placeholders`), and from there on matching is matching.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.cache.config import MIB
from app.cache.entries import EntryStore
from app.cache.events import EventBus
from app.cache.layers import LayerRefused
from app.cache.matching import Choice, Stored
from app.cache.media import salt_token
from app.cache.multimodal_records import MLLMPrefixCacheEntry, MLLMStats
from app.cache.pixels import compute_image_hash, compute_images_hash
from app.cache.placeholders import Keyed, Placeholders, joined, salted_runs
from app.cache.promptstore import WholeEntryPrompts
from app.cache.sizes import nested_nbytes
from app.cache.snapshot import Snapshot
from app.cache.units import detached, fresh_handles
from app.cache.why import NO_SPANS

__all__ = ["MLLMPrefixCacheEntry", "MLLMPrefixCacheManager", "MLLMStats", "compute_image_hash", "compute_images_hash"]


class MLLMPrefixCacheManager(WholeEntryPrompts):
    """State and features of multimodal prompts within a count and a byte limit.

    Args:
        max_entries: count limit.
        max_memory_mb: byte limit in MiB, features included.
        model: identity or its digest.
        bus: where events go.

    Raises:
        ValueError: ``max_entries`` is under 1.
    """

    def __init__(
        self,
        max_entries: int = 50,
        max_memory_mb: float = 2048,
        *,
        model: object = None,
        bus: EventBus | None = None,
    ) -> None:
        if max_entries < 1:
            raise ValueError(f"max_entries must be at least 1, not {max_entries}")
        super().__init__(EntryStore(int(max_memory_mb * MIB), max_entries, bus), model)
        self.stats = MLLMStats()
        self._learned: dict[str, set[int]] = {}

    def fetch(
        self, images: Sequence[Any], prompt: str, token_ids: Sequence[int] | None = None
    ) -> tuple[MLLMPrefixCacheEntry | None, int]:
        """Find state for a prompt; where there is none, features of the same images are still handed out.

        Args:
            images: paths, bytes or Pillow images, in order.
            prompt: its text.
            token_ids: its final token ids; without them the stored ids of the same images and text are taken.

        Returns:
            The entry and how many leading tokens its ``kv_cache`` holds (always fewer than the prompt has).

        Raises:
            ImageRefused: an image cannot be decoded.
        """
        digests = [compute_image_hash(image) for image in images]
        try:
            return self._fetch(digests, prompt, token_ids)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"look-up failed ({error})", error)
            return None, 0

    def store(
        self,
        images: Sequence[Any],
        prompt: str,
        vision_embeddings: Any,
        kv_cache: Sequence[Any] | None,
        token_ids: Sequence[int],
        num_image_tokens: int = 0,
        model_name: str = "",
    ) -> bool:
        """Keep a snapshot of ``kv_cache``, which holds exactly ``token_ids``, and the features of ``images``.

        Returns:
            ``False`` if nothing was stored: no state, another length than the tokens, or too large.

        Raises:
            ImageRefused: an image cannot be decoded.
        """
        if not kv_cache or len(token_ids) == 0:
            return False
        digests = [compute_image_hash(image) for image in images]
        if self._unnamed(token_ids, digests):
            self.entries.bypass(NO_SPANS)
            return False
        key, _ = self._salted(token_ids, digests, num_image_tokens)
        return self._store(
            digests, prompt, key, list(token_ids), kv_cache, vision_embeddings, num_image_tokens, model_name
        )

    def fetch_cache(self, images: Sequence[Any], prompt: str) -> tuple[list[Any] | None, bool]:
        """Return the whole state stored for exactly these images and this text, and whether there is one.

        Raises:
            ImageRefused: an image cannot be decoded.
        """
        digests = [compute_image_hash(image) for image in images]
        entry = self._by_text(joined(digests), _text_hash(prompt))
        cache = [] if entry is None else self._restored(Choice(entry, len(entry.tokens), "exact"))
        reused = len(entry.tokens) if entry is not None and cache else 0
        self.entries.note("exact" if reused else "miss", reused, "")
        self._count(reused, reused + 1, bool(cache) and bool(digests), len(digests))
        return (cache, True) if cache else (None, False)

    def store_cache(self, images: Sequence[Any], prompt: str, cache: Sequence[Any] | None, num_tokens: int = 0) -> bool:
        """Keep the state of a prompt whose token ids are not known; found again by the same images and text only.

        Raises:
            ImageRefused: an image cannot be decoded.
        """
        if not cache:
            return False
        digests = [compute_image_hash(image) for image in images]
        length = num_tokens or max((_length(layer) for layer in cache), default=0)
        name = hashlib.sha256(f"{joined(digests)}|{_text_hash(prompt)}".encode()).hexdigest()
        key = tuple(salt_token(name, (), index) for index in range(length))
        return length > 0 and self._store(digests, prompt, key, [], cache, None, 0, "")

    def get_stats(self) -> dict[str, Any]:
        """Return counters and sizes at one moment."""
        with self.entries.lock:
            stats, counts, ledger = self.stats, self.entries.snapshot_counters(), self.entries.ledger
            return {
                "hits": stats.hits,
                "misses": stats.misses,
                "partial_hits": stats.partial_hits,
                "hit_rate": stats.hit_rate,
                "tokens_saved": stats.tokens_saved,
                "image_cache_hits": stats.image_cache_hits,
                "vision_encoder_skips": stats.vision_encoder_skips,
                "total_queries": stats.total_queries,
                "evictions": counts.evictions,
                "evictions_by_reason": counts.reasons(),
                "bypassed": counts.bypassed,
                "entries": len(self.entries),
                "max_entries": self.entries.max_entries,
                "memory_used_mb": ledger.used / MIB,
                "max_memory_mb": ledger.limit / MIB,
            }

    def reset_stats(self) -> None:
        """Zero the counters; sizes stay."""
        super().reset_stats()
        with self.entries.lock:
            self.stats = MLLMStats()

    # -- inside -----------------------------------------------------------------------------------------------------

    def _fetch(
        self, digests: Sequence[str], prompt: str, token_ids: Sequence[int] | None
    ) -> tuple[MLLMPrefixCacheEntry | None, int]:
        whole, text = joined(digests), _text_hash(prompt)
        if token_ids is not None and self._unnamed(token_ids, digests):
            self.entries.bypass(NO_SPANS)
            return None, 0
        tokens, spans = self._stored(whole, text) if token_ids is None else self._salted(token_ids, digests)
        choice, why = self.entries.find(self.identity, tokens, spans)
        cache = self._restored(choice)
        reused = choice.reused if cache else 0
        known = self._with_features(whole) if digests else None
        self.entries.note(choice.kind if reused else "miss", reused, why)
        covered = bool(digests and spans) and spans[-1].end <= reused
        self._count(reused, len(tokens), known is not None or covered, len(digests))
        template = _about(choice.entry) if reused else known
        if template is None:
            return None, 0
        features = None if known is None else fresh_handles(known.vision_embeddings)
        template.hit_count += 1
        handed = replace(template, kv_cache=cache, token_ids=template.token_ids[:reused], vision_embeddings=features)
        return handed, reused

    def _unnamed(self, tokens: Sequence[int], digests: Sequence[str]) -> bool:
        """Whether placeholders stand among ``tokens`` although nobody says which images they are."""
        return not digests and not self._placeholders().known.isdisjoint(tokens)

    def _store(
        self,
        digests: Sequence[str],
        prompt: str,
        key: tuple[int, ...],
        token_ids: list[int],
        cache: Sequence[Any],
        embeddings: Any,
        num_image_tokens: int,
        model_name: str,
    ) -> bool:
        try:
            about = MLLMPrefixCacheEntry(
                joined(digests),
                _text_hash(prompt),
                detached(embeddings),
                token_ids=token_ids,
                num_image_tokens=num_image_tokens,
                num_text_tokens=len(key) - num_image_tokens,
                prompt_tokens=len(key),
                model_name=model_name,
            )
            plan = Snapshot.plan(cache, len(key))
            attached = (about, nested_nbytes(about.vision_embeddings))
            return self.entries.add(self.identity, key, plan, about=attached)
        except LayerRefused as refused:
            self.entries.bypass(f"a state was not stored ({refused})", refused)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"storing failed ({error})", error)
        return False

    def _salted(self, token_ids: Sequence[int], digests: Sequence[str], count: int = 0) -> Keyed:
        return self._placeholders().salted(token_ids, digests, count)

    def _placeholders(self) -> Placeholders:
        return Placeholders(self._learned.setdefault(self.identity, set()), self.placeholder_ids)

    def _restored(self, choice: Choice) -> list[Any]:
        if choice.entry is None:
            return []
        try:
            return self.entries.restore(choice)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"look-up failed ({error})", error)
            return []

    def _by_text(self, image_hash: str, prompt_hash: str) -> Stored | None:
        wanted = (image_hash, prompt_hash)
        return next((entry for entry, about in self._newest() if (about.image_hash, about.prompt_hash) == wanted), None)

    def _stored(self, image_hash: str, prompt_hash: str) -> Keyed:
        entry = self._by_text(image_hash, prompt_hash)
        tokens = () if entry is None else entry.tokens
        return tokens, salted_runs(tokens)

    def _with_features(self, image_hash: str) -> MLLMPrefixCacheEntry | None:
        """Return the newest entry of the same images that has features."""
        return next(
            (a for _, a in self._newest() if a.image_hash == image_hash and a.vision_embeddings is not None), None
        )

    def _newest(self) -> list[tuple[Stored, MLLMPrefixCacheEntry]]:
        """Return this model's entries, most recently used first."""
        with self.entries.lock:
            entries = [entry for entry in reversed(list(self.entries.order)) if entry.identity == self.identity]
        return [(entry, about) for entry in entries if (about := _about(entry)) is not None]

    def _count(self, reused: int, wanted: int, images_known: bool, images: int) -> None:
        with self.entries.lock:
            stats = self.stats
            stats.total_queries += 1
            stats.hits += reused > 0
            stats.misses += reused == 0
            stats.partial_hits += 0 < reused < wanted - 1
            stats.tokens_saved += reused
            stats.image_cache_hits += images_known
            stats.vision_encoder_skips += images if images_known else 0


def _about(entry: Stored | None) -> MLLMPrefixCacheEntry | None:
    about = None if entry is None else entry.about
    return about if isinstance(about, MLLMPrefixCacheEntry) else None


def _length(layer: Any) -> int:
    """Return the tokens that a live layer says it holds, or the most that one of its children says."""
    children = getattr(layer, "caches", None)
    if children is not None:
        return max(map(_length, children), default=0)
    return int(getattr(layer, "offset", 0) or getattr(layer, "cache_length", 0))


def _text_hash(prompt: str) -> str:
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()
