"""What one tiny checkpoint is, as plain data.

A family's ``config.json`` names token ids that exist only once the tokenizer is made. ``Id`` and ``VOCABULARY`` stand
for them in the literal, and :func:`resolve` puts the numbers in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Any
"""``None``, bool, int, float, str, and lists and string-keyed dicts of these."""


@dataclass(frozen=True, slots=True)
class Id:
    """Stands in a configuration for the id of the special token ``text``."""

    text: str


class _VocabularySize:
    """Stands in a configuration for ``len(tokenizer)``, plus ``extra`` rows."""

    def __init__(self, extra: int = 0) -> None:
        self.extra = extra

    def __add__(self, extra: int) -> _VocabularySize:
        return _VocabularySize(self.extra + extra)


VOCABULARY = _VocabularySize()


@dataclass(frozen=True, slots=True)
class Tokens:
    """The special tokens of a family; ids 0..255 are always the bytes.

    Attributes:
        specials: all of them, in id order from 256 on.
        eos: ends an answer.
        pad: fills a batch.
        bos: starts a prompt, where the family has such a token.
        shown: more tokens behind them, which are no special ones to the tokenizer and thus part of decoded text.
        named: attribute of the tokenizer → token, such as ``image_token``, for processors that ask for it.
    """

    specials: tuple[str, ...]
    eos: str
    pad: str
    bos: str | None = None
    shown: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spec:
    """One family's checkpoint.

    Attributes:
        family: name on the command line and of the folder.
        tokens: see :class:`Tokens`.
        template: Jinja chat template over messages whose content is a string or a list of ``image`` and ``text`` parts.
        config: ``config.json``, with :class:`Id` and ``VOCABULARY`` in place of numbers.
        preprocessor: ``preprocessor_config.json``, if the family's processor reads one.
        processor: ``processor_config.json``, likewise.
        embedding: standard deviation of the token embeddings; families that multiply them by √width want less.
        gates: value for the cross-attention gates, which real checkpoints train away from zero.
        around: context in which alone the checkpoint can be made and loaded; see :mod:`tests.models.specs.fastvlm`.
    """

    family: str
    tokens: Tokens
    template: str
    config: Mapping[str, Json]
    preprocessor: Mapping[str, Json] | None = None
    processor: Mapping[str, Json] | None = None
    embedding: float = 0.5
    gates: float | None = None
    around: Callable[[], Any] | None = None


def resolve(node: Json, ids: Mapping[str, int], size: int) -> Json:
    """Return ``node`` as JSON data, with every :class:`Id` and ``VOCABULARY`` replaced by its number."""
    if isinstance(node, Id):
        return ids[node.text]
    if isinstance(node, _VocabularySize):
        return size + node.extra
    if isinstance(node, Mapping):
        return {key: resolve(value, ids, size) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [resolve(value, ids, size) for value in node]
    return node
