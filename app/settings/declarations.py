"""Every setting, declared once: type, unit, default, range, words, and whether a change takes hold at once.

The dialog, the comments in the settings file and ``docs/settings.md`` derive from these declarations.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

VERSION = 1
"""Version of the settings file; see :mod:`app.settings.migrations`."""

Scope = Literal["app", "any", "model"]
"""Where a setting can be made: for all models, for all and for single ones, or for single ones only."""
ANY: Final[Scope] = "any"


def _setting(
    default: Any,
    title: str,
    help_text: str,
    *,
    unit: str = "",
    between: tuple[float, float] | None = None,
    live: bool = True,
    widget: str = "",
    scope: Scope = "app",
) -> Any:
    low, high = between or (None, None)
    return Field(
        default,
        title=title,
        description=help_text,
        ge=low,
        le=high,
        json_schema_extra={"unit": unit, "live": live, "widget": widget, "scope": scope},
    )


class Section(BaseModel):
    """What all sections share: frozen, no unknown keys, no silent conversion of text to numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class General(Section):
    """General"""

    notifications: bool = _setting(
        True, "Notify when an answer is ready", "Only while the window is in the background."
    )
    trash_days: int = _setting(
        30,
        "Keep deleted chats",
        "Deleted chats can be brought back for this long; then they are removed for good.",
        unit="days",
        between=(0, 3650),
    )


class Model(Section):
    """Model"""

    ref: str = _setting(
        "demo",
        "Model",
        "The bundled demo model, a folder with a model, or the id of a Hugging Face repository.",
        widget="model",
    )
    load_at_start: bool = _setting(
        True, "Load when the app starts", "Otherwise the model is loaded with the first question."
    )
    unload_after_minutes: int = _setting(
        0,
        "Unload when not used",
        "A model that was not used for this long makes room; the next question loads it again. 0 keeps it.",
        unit="minutes",
        between=(0, 1440),
    )
    context_limit: int = _setting(
        0,
        "Longest conversation",
        "Pictures and the answer count too. 0 for as much as the model takes.",
        unit="tokens",
        between=(0, 10_000_000),
        scope=ANY,
    )
    image_side: int = _setting(
        0,
        "Largest picture",
        "The longer side of a picture that the model gets; larger ones are made smaller first, though not below 64. "
        "0 leaves the size to the model.",
        unit="pixels",
        between=(0, 65536),
        scope=ANY,
    )
    adapter: str = _setting(
        "", "Adapter", "The folder of a LoRA adapter on top of the model.", live=False, widget="adapter", scope="model"
    )
    folders: tuple[str, ...] = _setting(
        (), "Folders with models", "One per line. Models in them are listed beside those you downloaded.", widget="list"
    )


class Generation(Section):
    """Generation"""

    system_prompt: str = _setting(
        "",
        "System prompt",
        "What the model is told before a new chat. Chats can have their own.",
        widget="multiline",
        scope=ANY,
    )
    max_tokens: int = _setting(
        1024, "Longest answer", "An answer stops at this length.", unit="tokens", between=(1, 131072), scope=ANY
    )
    temperature: float = _setting(
        0.7,
        "Temperature",
        "How freely the model chooses words. 0 always takes the most likely one.",
        between=(0.0, 2.0),
        scope=ANY,
    )
    top_p: float = _setting(
        1.0,
        "Top-p",
        "Choose among the likeliest tokens that together reach this probability.",
        between=(0.01, 1.0),
        scope=ANY,
    )
    top_k: int = _setting(
        0, "Top-k", "Choose among this many likeliest tokens. 0 for all.", between=(0, 1000), scope=ANY
    )
    min_p: float = _setting(
        0.0,
        "Min-p",
        "Leave out tokens less likely than this share of the likeliest one. 0 for none.",
        between=(0.0, 1.0),
        scope=ANY,
    )
    repetition_penalty: float = _setting(
        1.0,
        "Repetition penalty",
        "Above 1, words that were already used become less likely.",
        between=(1.0, 2.0),
        scope=ANY,
    )
    seed: int = _setting(
        -1,
        "Seed",
        "The same seed and question give the same answer. -1 takes another one each time.",
        between=(-1, 2**31 - 1),
        scope=ANY,
    )
    stop: tuple[str, ...] = _setting(
        (), "Stop at", "An answer ends before any of these texts.", widget="list", scope=ANY
    )


class Caches(Section):
    """Caches"""

    prefix_kind: Literal["memory", "paged", "simple"] = _setting(
        "memory",
        "How prompts are kept",
        "Whole prompts within a memory budget, blocks that chats share, or whole prompts up to a number.",
    )
    prefix_mb: int = _setting(
        2048,
        "Memory for prompts",
        "What was read of a chat is kept here, so that only new text is run. 0 switches it off.",
        unit="MB",
        between=(0, 1048576),
        widget="budget",
    )
    vision_mb: int = _setting(
        512,
        "Memory for images",
        "What was seen in an image is kept here, so that it is not looked at twice. 0 switches it off.",
        unit="MB",
        between=(0, 1048576),
        widget="budget",
    )
    min_prefix_tokens: int = _setting(
        1, "Shortest prompt kept", "Shorter beginnings are neither kept nor reused.", unit="tokens", between=(1, 131072)
    )
    max_entries: int = _setting(
        1000, "Most prompts kept", "The oldest ones go first. Does not concern blocks.", between=(1, 1000000)
    )
    block_size: int = _setting(
        64, "Block size", "Tokens per block, where prompts are kept in blocks.", unit="tokens", between=(8, 1024)
    )
    kv_quantize: bool = _setting(
        False,
        "Store prompts compressed",
        "Takes a half or a quarter of the memory; answers may differ slightly from those without it.",
        scope=ANY,
    )
    kv_bits: Literal[4, 8] = _setting(
        8, "Bits per number", "Used where prompts are stored compressed.", unit="bits", scope=ANY
    )
    kv_group_size: Literal[32, 64, 128] = _setting(
        64, "Numbers per scale", "Smaller groups are more exact and take more memory.", scope=ANY
    )
    work_ahead: bool = _setting(
        True, "Work while I type", "Images are looked at, and the chat so far is read, before you press Enter."
    )
    work_ahead_on_battery: bool = _setting(False, "Also on battery", "Work while I type even without mains power.")


class Ssd(Section):
    """Disk cache"""

    enabled: bool = _setting(
        False,
        "Keep prompts and images on disk",
        "What leaves memory is kept on disk and reused after a restart. Incognito chats never are.",
    )
    directory: str = _setting(
        "", "Folder", "Where the disk cache lives. Empty for the app's data folder.", widget="folder"
    )
    size_gb: float = _setting(
        10.0,
        "Size limit",
        "Everything in the folder counts. The oldest entries go first.",
        unit="GB",
        between=(0.1, 65536.0),
    )
    retention_days: int = _setting(
        30,
        "Keep unused entries",
        "Entries unused for longer are removed. 0 keeps them.",
        unit="days",
        between=(0, 3650),
    )


class Appearance(Section):
    """Appearance"""

    theme: Literal["system", "light", "dark"] = _setting("system", "Theme", "Colours of the window.")
    language: Literal["system", "en", "de", "zh_CN"] = _setting(
        "system",
        "Language",
        "Language of the window; English where the system's own is not among these.",
        live=False,
    )
    zoom: int = _setting(100, "Text size", "Size of all text.", unit="%", between=(50, 300))
    reduce_motion: bool = _setting(
        False, "Reduce motion", "The cache panel and its bars are there at once, without sliding."
    )


class Advanced(Section):
    """Advanced"""

    prefill_chunk: int = _setting(
        512,
        "Tokens per step while reading",
        "Larger steps can be faster; smaller ones stop sooner and need less memory at once.",
        unit="tokens",
        between=(16, 8192),
    )
    blas_threads: int = _setting(
        0,
        "Processor threads",
        "For calculations on the processor (Linux). 0 for one per core, at most 8.",
        between=(0, 256),
        live=False,
    )
    log_level: Literal["debug", "info", "warning"] = _setting(
        "info", "Log level", "How much is written to the log file. No text or image of a chat ever is."
    )


class Settings(BaseModel):
    """All settings, immutable; :func:`app.settings.fields.changed` makes a changed copy."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    general: General = General()
    model: Model = Model()
    generation: Generation = Generation()
    caches: Caches = Caches()
    ssd: Ssd = Ssd()
    appearance: Appearance = Appearance()
    advanced: Advanced = Advanced()
