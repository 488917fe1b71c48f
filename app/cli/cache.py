"""``cache``: look into the disk cache, empty it, or re-read everything in it."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli import config
from app.errors import UserError
from app.settings.convert import ssd_dir
from app.settings.declarations import Settings

if TYPE_CHECKING:
    from app.cache.ssd import SSDCacheTier

MB = 1_000_000


def add_to(commands: Any) -> None:
    """Declare the command."""
    command = commands.add_parser("cache", help="inspect, clear or verify the disk cache")
    command.add_argument("action", choices=ACTIONS)
    command.add_argument(
        "--ssd-dir", type=config.folder, metavar="DIR", help="its folder; by default the one in the settings"
    )
    command.add_argument("--json", action="store_true", help="one JSON object on stdout")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Do it and print the result.

    Raises:
        UserError: there is no such folder, it is in use, or ``verify`` found damaged files.
    """
    settings = config.load_settings()
    folder: Path = arguments.ssd_dir or ssd_dir(settings.ssd)
    if arguments.ssd_dir and not folder.is_dir():
        raise UserError(f"There is no folder {folder}.", str(folder))
    with _tier(folder, settings) as tier:
        result = {"folder": str(folder)} | ACTIONS[arguments.action](tier)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else _in_words(result))
    if result.get("damaged"):
        raise UserError("\n".join(f"{file['file']}: {file['reason']}" for file in result["damaged"]))


def _stats(tier: SSDCacheTier | None) -> dict[str, Any]:
    if tier is None:
        return {"entries": 0, "disk_bytes": 0, "limit_bytes": 0}
    entries, stats = tier.reconcile(), tier.get_stats()
    return {"entries": entries, "disk_bytes": stats["disk_bytes"], "limit_bytes": stats["limit_bytes"]}


def _clear(tier: SSDCacheTier | None) -> dict[str, Any]:
    before = _stats(tier)
    if tier is not None:
        tier.clear()
    after = _stats(tier)
    return after | {"cleared_entries": before["entries"], "freed_bytes": before["disk_bytes"] - after["disk_bytes"]}


def _verify(tier: SSDCacheTier | None) -> dict[str, Any]:
    damaged = [] if tier is None else _damaged(tier)
    return _stats(tier) | {"damaged": [{"file": name, "reason": reason} for name, reason in damaged]}


def _damaged(tier: SSDCacheTier) -> list[tuple[str, str]]:
    tier.reconcile()
    return tier.verify()


ACTIONS = {"stats": _stats, "clear": _clear, "verify": _verify}


@contextlib.contextmanager
def _tier(folder: Path, settings: Settings) -> Iterator[SSDCacheTier | None]:
    """Open the disk cache in ``folder``, without its writer; nothing is made where there is none."""
    from app.cache.disk.folder import SUBFOLDER

    if not (folder / SUBFOLDER).is_dir():
        yield None
        return
    from app.cache.ssd import SSDCacheConfig, SSDCacheTier

    log = logging.getLogger("app.cache.ssd")
    tier = SSDCacheTier(SSDCacheConfig(folder, max_size_gb=settings.ssd.size_gb))
    log.addFilter(_said_by_the_command)
    try:
        yield tier
    finally:
        log.removeFilter(_said_by_the_command)
        tier.close()


def _said_by_the_command(record: logging.LogRecord) -> bool:
    """Damaged files are named once, in the command's own output."""
    return record.levelno > logging.WARNING


def _in_words(result: dict[str, Any]) -> str:
    entries, size = result["entries"], f"{result['disk_bytes'] / MB:.1f} MB"
    known = f", {size}" if entries or not result["disk_bytes"] else f"; the empty index takes {size}"
    lines = [f"{result['folder']}: {entries} entries{known}"]
    if "cleared_entries" in result:
        lines.append(f"Cleared {result['cleared_entries']} entries, {result['freed_bytes'] / MB:.1f} MB.")
    if "damaged" in result:
        count = len(result["damaged"])
        lines.append(f"{count} damaged files were set aside." if count else "Everything is sound.")
    return "\n".join(lines)
