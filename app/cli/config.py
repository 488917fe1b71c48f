"""What a run is made of: the user's settings, changed by what the command line says.

Kept on disk and shared with the app are only model and cache settings; answers follow the command line alone, so that
a run can be repeated elsewhere.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from app import paths
from app.cache.config import MIB, CacheConfig, PrefixKind
from app.inference.checkpoint import stable_ref
from app.inference.types import SamplingParams
from app.settings.convert import put_into_environment, to_cache_config
from app.settings.declarations import Settings
from app.settings.file import load
from app.settings.per_model import applied

if TYPE_CHECKING:
    from app.inference.engine import EngineConfig

PREFIX_KINDS = get_args(PrefixKind)
REF_HELP = "demo, a folder, or a Hugging Face repository id"


def load_settings(ref: str | None = None) -> Settings:
    """Return the user's settings, to be called before MLX is imported; what could not be used is said on stderr.

    ``ref`` names a model whose own settings count too; empty for the one of the settings, ``None`` for none.
    """
    loaded = load(paths.settings_file())
    put_into_environment(loaded.settings)
    for notice in loaded.notices:
        print(notice, file=sys.stderr)
    own = loaded.models.get(stable_ref(ref or loaded.settings.model.ref), {}) if ref is not None else {}
    return applied(loaded.settings, own)


def sampling(arguments: argparse.Namespace) -> SamplingParams:
    """Return how answers are chosen."""
    return SamplingParams(temperature=arguments.temperature, seed=arguments.seed, max_tokens=arguments.max_tokens)


def folder(text: str) -> Path:
    """Read the name of a folder, for argparse.

    Raises:
        ArgumentTypeError: it is empty, as an unset variable in a script is; Python takes that for the current folder.
    """
    return Path(_named(text, "folder"))


def model(text: str) -> str:
    """Read what names a model, for argparse.

    Raises:
        ArgumentTypeError: it is empty; nobody means the model of the settings by that.
    """
    return _named(text, "model")


def picture(text: str) -> str:
    """Read the name of a picture, for argparse.

    Raises:
        ArgumentTypeError: it is empty.
    """
    return _named(text, "picture")


def _named(text: str, what: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(f"the name of the {what} is empty")
    return text


def engine(arguments: argparse.Namespace, settings: Settings) -> EngineConfig:
    """Return what the engine is made of."""
    from app.inference.engine import EngineConfig

    return EngineConfig(
        cache=caches(arguments, settings),
        prefill_chunk=settings.advanced.prefill_chunk,
        context_limit=settings.model.context_limit,
        image_side=settings.model.image_side,
    )


def caches(arguments: argparse.Namespace, settings: Settings) -> CacheConfig:
    """Return the caches' budgets; the disk tier is used only where ``--ssd-dir`` names its folder."""
    changes: dict[str, Any] = {"ssd_dir": arguments.ssd_dir}
    if arguments.prefix_cache is not None:
        changes["prefix_kind"] = arguments.prefix_cache
    if arguments.budget_mb is not None:
        changes["prefix_bytes"] = arguments.budget_mb * MIB
    if arguments.vision_budget_mb is not None:
        changes["vision_bytes"] = arguments.vision_budget_mb * MIB
    return replace(to_cache_config(settings), **changes)
