"""From what the user calls a model to a folder that is safe and complete enough to open."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from app.errors import ModelRefused
from app.paths import demo_model_dir

DEMO = "demo"
WITH = " + "
"""Between a model and the LoRA adapter on top of it, in a reference."""
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json", "tekken.json", "tiktoken.model")
DEFAULT_CONTEXT = 32_768
_CONTEXT_KEYS = ("max_position_embeddings", "max_sequence_length", "model_max_length", "n_positions")
_PARTS = ("text_config", "llm_config", "vision_config", "quantization", "quantization_config")
_VISION_KEYS = ("vision_config", "mm_vision_tower", "vision_tower", "image_token_index", "image_token_id")


def split(ref: str) -> tuple[str, Path | None]:
    """Return the model that ``ref`` names, and the folder of the adapter on top of it: ``demo + /path/to/adapter``."""
    base, separator, adapter = ref.rpartition(WITH)
    return (base, Path(adapter).expanduser()) if separator else (ref, None)


def name_of(ref: str) -> str:
    """Return what people call a model: its folder's or repository's own name, and that of its adapter."""
    base, adapter = split(ref)
    name = "Demo model" if base == DEMO else Path(base).name
    return f"{name}{WITH}{adapter.name}" if adapter is not None else name


def stable_ref(ref: str) -> str:
    """Return what names the model of ``ref`` whatever adapter is on top and however its folder is written."""
    base, _ = split(ref)
    folder = Path(base).expanduser()
    is_folder = base != DEMO and (folder.is_absolute() or folder.is_dir())
    return str(folder.resolve()) if is_folder else base


def resolve(ref: str) -> Path:
    """Return the folder behind ``ref``: ``demo``, a folder, or a repository id in the local Hugging Face cache.

    Nothing is downloaded here; an adapter that ``ref`` names is left aside.

    Raises:
        ModelRefused: there is no such folder, or the repository is not in the local cache.
    """
    ref, _ = split(ref)
    if ref == DEMO:
        return demo_model_dir()
    folder = Path(ref).expanduser()
    if folder.is_dir():
        return folder.resolve()
    if folder.exists():
        raise ModelRefused(f"{ref} is a file; a model is a folder with config.json and *.safetensors.", ref)
    if not _is_repository(ref):
        raise ModelRefused(f"There is no folder {ref}.", ref)
    return _in_local_hub_cache(ref)


def read_config(folder: Path, ref: str) -> dict[str, Any]:
    """Return ``config.json`` of a folder that has all it takes to be opened.

    Raises:
        ModelRefused: a part is missing or damaged, the weights are pickled, or the folder wants its own code run.
    """
    config = _read_json(folder / "config.json", ref)
    if config.get("model_file"):
        raise ModelRefused(f"{ref} asks to run its own Python code ({config['model_file']}), which is never done.", ref)
    for key in _PARTS:
        _as_object(config.get(key) or {}, f"config.json: {key}", ref)
    if not config.get("model_type"):
        raise ModelRefused(f"{ref}: config.json does not say which model type it is.", ref)
    _check_weights(folder, ref)
    if not any((folder / name).is_file() for name in _TOKENIZERS):
        raise ModelRefused(f"{ref} has no tokenizer (tokenizer.json is missing).", ref)
    generation = folder / "generation_config.json"
    if generation.is_file():
        config["eos_token_id"] = _read_json(generation, ref).get("eos_token_id") or config.get("eos_token_id")
    return config


def declares_vision(config: dict[str, Any]) -> bool:
    """Whether the configuration describes a vision side."""
    return any(config.get(key) not in (None, {}, "") for key in _VISION_KEYS)


def context_length(config: dict[str, Any]) -> int:
    """Return how many tokens the model takes, from wherever its configuration says so."""
    for part in (config, config.get("text_config") or {}, config.get("llm_config") or {}):
        for key in _CONTEXT_KEYS:
            if isinstance(part.get(key), int) and part[key] > 0:
                return int(part[key])
    return DEFAULT_CONTEXT


def weight_files(folder: Path) -> list[Path]:
    """Return the weight files in name order, without duplicates of the whole in another format."""
    return sorted(path for path in folder.glob("*.safetensors") if path.name != "consolidated.safetensors")


def _check_weights(folder: Path, ref: str) -> None:
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        named = _as_object(_read_json(index, ref).get("weight_map") or {}, f"{index.name}: weight_map", ref)
        shards = {str(shard) for shard in named.values()}
        missing = sorted(shard for shard in shards if not (folder / shard).is_file())
        if missing:
            raise ModelRefused(f"{ref} is incomplete: {', '.join(missing)} is missing.", ref)
    files = weight_files(folder)
    if not files:
        if any(next(folder.glob(pattern), None) for pattern in _PICKLES):
            raise ModelRefused(f"{ref} has pickled weights only; they can run code and are never opened.", ref)
        raise ModelRefused(f"{ref} has no weights (*.safetensors is missing).", ref)
    for file in files:
        _check_safetensors(file, ref)


def _check_safetensors(file: Path, ref: str) -> None:
    """Refuse a file that is shorter than its header promises (an interrupted download)."""
    size = file.stat().st_size
    try:
        header = read_header(file)
        promised = max(
            (entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"), default=0
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ModelRefused(f"{ref}: {file.name} is damaged ({error}).", ref) from error
    start = 8 + _header_length(file)
    if size < start + promised:
        raise ModelRefused(f"{ref}: {file.name} is cut off at {size:,} of {start + promised:,} bytes.", ref)


def read_header(file: Path) -> dict[str, Any]:
    """Return the JSON header of a safetensors file.

    Raises:
        ValueError: the file has none.
    """
    length = _header_length(file)
    if length > file.stat().st_size - 8:
        raise ValueError("no safetensors header")
    with file.open("rb") as stream:
        stream.seek(8)
        header: dict[str, Any] = json.loads(stream.read(length))
    return header


def _header_length(file: Path) -> int:
    with file.open("rb") as stream:
        return int.from_bytes(stream.read(8), "little")


def _read_json(path: Path, ref: str) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelRefused(f"{ref} is not a model folder: {path.name} is missing.", ref) from None
    except (OSError, ValueError) as error:
        raise ModelRefused(f"{ref}: {path.name} cannot be read ({error}).", ref) from error
    return _as_object(content, path.name, ref)


def _as_object(content: Any, name: str, ref: str) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise ModelRefused(f"{ref}: {name} is not a JSON object.", ref)
    return content


def _is_repository(ref: str) -> bool:
    """Whether ``ref`` can be the id of a repository; ``../x`` only looks like one."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    if not _REPOSITORY.fullmatch(ref):
        return False
    try:
        validate_repo_id(ref)
    except HFValidationError:
        return False
    return True


def _in_local_hub_cache(repository: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import IncompleteSnapshotError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(repository, local_files_only=True))
    except IncompleteSnapshotError as error:
        # Files that a model can do without may be what is missing: what is there decides, see `read_config`.
        return Path(error.snapshot_path)
    except LocalEntryNotFoundError:
        raise ModelRefused(
            f"There is no folder {repository}, and no model of that name in the local Hugging Face cache.", repository
        ) from None
