"""What was run for questions that were still being written, so that an answer can tell it from what was known before.

To the caches, state and features that work ahead left are like any other; to the user a picture that was looked at
while they typed is a new one.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.cache.index import common_length
from app.inference.events import ImageUse

DRAFTS_KEPT: Final = 16


@dataclass(frozen=True, slots=True)
class Draft:
    """Work ahead for one question.

    Attributes:
        key: tokens of the prompt as far as it was known, images by content (:func:`app.inference.spans.salted_key`).
        start: how many of them were known before.
        end: how many of them have been run since, or were known.
        tiles: by digest of an image, how many of its tiles were encoded.
    """

    key: tuple[int, ...]
    start: int
    end: int
    tiles: Mapping[str, int]

    def then(self, later: Draft) -> Draft:
        """Return both as one, if ``later`` went on with the same prompt; else ``later`` alone."""
        common = common_length(self.key, later.key)
        if common <= self.start:
            return later
        start = self.start if min(common, self.end) >= later.start else later.start
        return replace(later, start=start, tiles=Counter(self.tiles) + Counter(later.tiles))


class Drafts:
    """The work ahead of the last chats, each until its question is asked."""

    def __init__(self) -> None:
        self._drafts: OrderedDict[str, Draft] = OrderedDict()

    def add(self, chat: str, draft: Draft) -> None:
        """Note what was done; ``chat`` is empty for a chat that begins with the question."""
        before = self._drafts.pop(chat, None)
        self._drafts[chat] = before.then(draft) if before is not None else draft
        while len(self._drafts) > DRAFTS_KEPT:
            self._drafts.popitem(last=False)

    def claim(
        self, chat: str, key: Sequence[int], reused: int, images: Sequence[ImageUse]
    ) -> tuple[int, tuple[ImageUse, ...]]:
        """Return how many of the ``reused`` tokens were run ahead for this question, and ``images`` with their tiles.

        A draft is claimed once: asked again, the same is known from before.
        """
        draft = self._drafts.pop(chat, None) or self._drafts.pop("", None)
        if draft is None:
            return 0, tuple(images)
        tokens = min(common_length(draft.key, key), draft.end, reused) - draft.start
        return max(0, tokens), tuple(
            replace(use, tiles_ahead=min(draft.tiles.get(use.digest, 0), use.tiles - use.tiles_run)) for use in images
        )

    def forget(self) -> None:
        """Forget all, with the model that it was run for."""
        self._drafts.clear()
