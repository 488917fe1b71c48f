"""Working ahead: how much of a prompt is known before the last message's text is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.inference.prompt import PromptBuilder, UnitDigests
from app.inference.types import Message

_PROBES = ("a", "7", "Ω")
"""Texts that have no first token in common, whatever the tokenizer."""


def known_length(builder: PromptBuilder, messages: Sequence[Message], unit_digests: UnitDigests) -> int:
    """Return how many tokens the prompt has in common for any text of the last message, never inside an image."""
    builds = [builder.build([*messages[:-1], replace(messages[-1], text=text)], unit_digests) for text in _PROBES]
    shortest = min(len(built.final) for built in builds)
    rows = np.stack([built.final.array[:shortest] for built in builds])
    differing = np.flatnonzero((rows != rows[0]).any(axis=0))
    known = int(differing[0]) if len(differing) else shortest
    inside = [span.start for span in builds[0].final.spans if span.start < known < span.end]
    return inside[0] if inside else known
