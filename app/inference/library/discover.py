"""Which models there are: the demo model, the local Hugging Face cache, and the folders that the user chose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from app.inference.checkpoint import DEMO
from app.inference.library.facts import ModelFacts, facts_or_problem

DEPTH = 2
"""How deep a chosen folder is searched: ``owner/model`` is how other apps keep theirs."""


def installed(folders: Iterable[str] = ()) -> list[ModelFacts]:
    """Return the models of this machine, those that cannot be loaded included.

    Args:
        folders: folders with models in them, or models themselves. One that is not there is left out.
    """
    refs = [DEMO, *repositories(), *(ref for folder in folders for ref in models_in(folder))]
    return [facts_or_problem(ref) for ref in dict.fromkeys(refs)]


def repositories() -> list[str]:
    """Return the ids of the models in the local Hugging Face cache."""
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        found = scan_cache_dir().repos
    except CacheNotFound:
        return []
    return sorted(repository.repo_id for repository in found if repository.repo_type == "model")


def models_in(folder: str) -> list[str]:
    """Return the paths of the model folders in ``folder``, itself included."""
    top = Path(folder).expanduser()
    return sorted(str(found) for found in _search(top, DEPTH)) if top.is_dir() else []


def _search(folder: Path, depth: int) -> Iterator[Path]:
    if (folder / "config.json").is_file():
        yield folder.resolve()
        return
    if depth:
        try:
            inner = [entry for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith(".")]
        except PermissionError:
            return
        for entry in inner:
            yield from _search(entry, depth - 1)
