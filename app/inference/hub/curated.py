"""A short list of vision models that are known to work, from ``resources/models.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.paths import resources_dir


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One model that is worth a try.

    Attributes:
        repository: ``owner/model``.
        revision: the commit that was tried; ``None``, as for all at present, for the newest of the branch ``main``.
        title: what people call it.
        size_bytes: about what has to be fetched, reckoned from the number of weights; the hub says it exactly.
        licence: as its card states it.
        memory_gb: memory of a machine on which it is at ease.
        good_for: in one sentence.
    """

    repository: str
    revision: str | None
    title: str
    size_bytes: int
    licence: str
    memory_gb: int
    good_for: str


def suggestions() -> list[Suggestion]:
    """Return the list, smallest machines first."""
    content = json.loads((resources_dir() / "models.json").read_text(encoding="utf-8"))
    return [Suggestion(**entry) for entry in content]
