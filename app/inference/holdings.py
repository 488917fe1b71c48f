"""What the caches hold, in words that a user recognises: how a prompt ends, which picture it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.cache.inventory import Holding

if TYPE_CHECKING:
    from app.inference.model import LoadedModel

WORDS: Final = 120
_MARK: Final = r"(?:<[|/]?[\w|/ -]{1,40}>|\[/?[A-Z_]{2,20}\])"
_MARKUP: Final = re.compile(rf"{_MARK}(?:(?:system|user|assistant|model)\b:?)?")


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """One entry of one tier, as the panel lists it.

    Attributes:
        holding: the figures.
        words: the last words of the prompt or answer that the state holds; empty where they cannot be told, as for
            another model's.
        picture: content digest of the picture that the features belong to, as far as that is known.
        others: whether it belongs to another model than the loaded one.
    """

    holding: Holding
    words: str = ""
    picture: str = ""
    others: bool = False


def described(holdings: Sequence[Holding], model: LoadedModel | None, namespace: str) -> list[CacheEntry]:
    """Return an entry for each holding; ``namespace`` is that of the loaded model's prompts."""
    if model is None:
        return [CacheEntry(holding, others=bool(holding.identity)) for holding in holdings]
    pictures = model.tiles.images()
    own = {"", model.info.identity, namespace}
    return [
        CacheEntry(
            holding,
            _words(model, holding.ending) if holding.identity in own else "",
            pictures.get(holding.digest, holding.digest),
            holding.identity not in own,
        )
        for holding in holdings
    ]


def _words(model: LoadedModel, ids: Sequence[int]) -> str:
    """Return the end of a text without the template's marks: ``What is this? A dialog``."""
    if not ids:
        return ""
    text: str = model.tokenizer.decode(list(ids))
    return " ".join(_MARKUP.sub(" ", text).split())[-WORDS:]
