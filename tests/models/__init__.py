"""Tiny checkpoints with random weights, one per model family: ``python -m tests.models FAMILY DIR``."""

from __future__ import annotations

from pathlib import Path

from tests.models.builder import build
from tests.models.specs import SPECS
from tests.models.wide import wide

FAMILIES = tuple(family for family, spec in SPECS.items() if spec.around is None)
"""Families whose folder opens by the normal loading path; for the missing one see :mod:`tests.models.specs.fastvlm`."""
WIDE = {spec.family: spec for spec in map(wide, SPECS.values())}
"""Variants whose keys and values can be stored quantized."""
IMAGE_FAMILIES = tuple(family for family in FAMILIES if not family.startswith("text_"))

__all__ = ["FAMILIES", "IMAGE_FAMILIES", "SPECS", "WIDE", "build", "checkpoint"]


def checkpoint(family: str, root: Path, seed: int = 0) -> Path:
    """Return the folder of ``family``, or of its wide variant, below ``root``, made if it is not there yet.

    Raises:
        KeyError: no such family.
    """
    folder = root / (family if seed == 0 else f"{family}-{seed}")
    return folder if (folder / "model.safetensors").exists() else build((SPECS | WIDE)[family], folder, seed)
