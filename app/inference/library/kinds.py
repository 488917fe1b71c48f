"""Which kinds of model the libraries can open, found out without importing them: that would start MLX."""

from __future__ import annotations

import ast
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

from app.errors import ModelRefused


def check_known_kind(config: dict[str, Any], ref: str, *, sees_images: bool) -> None:
    """Refuse a model whose kind the library that would open it does not have.

    Raises:
        ModelRefused: with the kind's name.
    """
    library = "mlx_vlm" if sees_images else "mlx_lm"
    kind = str(config["model_type"]).lower()
    kind = _other_names(library).get(kind, kind)
    if kind not in _kinds(library):
        raise ModelRefused(f"{ref} is of the kind {kind}, which this version cannot open.", ref)


@cache
def _kinds(library: str) -> frozenset[str]:
    return frozenset(entry.stem for entry in (_folder(library) / "models").iterdir() if not entry.name.startswith("_"))


@cache
def _other_names(library: str) -> dict[str, str]:
    """Return the library's own table of names that stand for another kind."""
    for node in ast.parse((_folder(library) / "utils.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["MODEL_REMAPPING"]:
            names: dict[str, str] = ast.literal_eval(node.value)
            return names
    return {}


def _folder(library: str) -> Path:
    found = importlib.util.find_spec(library)
    assert found is not None
    assert found.submodule_search_locations is not None
    return Path(next(iter(found.submodule_search_locations)))
