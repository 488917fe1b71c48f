"""When models were used here, and what loading them really took: a small file in the data folder."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app import paths
from app.files import write_atomically

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Use:
    """The last time a model was loaded.

    Attributes:
        at: ``time.time()`` seconds.
        weight_bytes: what its weights took in memory.
        sees_images: whether it told two test pictures apart; some models only claim to see.
    """

    at: float
    weight_bytes: int
    sees_images: bool = True


class Uses:
    """Remembers the last use of each model by its reference."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or paths.data_dir() / "models.json"

    def all(self) -> dict[str, Use]:
        """Return the last uses; empty where the file is missing or damaged."""
        try:
            content = json.loads(self._file.read_text(encoding="utf-8"))
            return {str(ref): _use(fields) for ref, fields in content.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.info("%s cannot be read and is begun anew (%s)", self._file, error)
            return {}

    def record(self, ref: str, weight_bytes: int, *, sees_images: bool = True) -> None:
        """Note that ``ref`` was loaded now.

        Raises:
            OSError: the data folder cannot be written.
        """
        uses = {**self.all(), ref: Use(time.time(), weight_bytes, sees_images)}
        content = json.dumps({name: asdict(use) for name, use in uses.items()}, indent=1)
        paths.private_folder(self._file.parent)
        write_atomically(self._file, content.encode())


def _use(fields: dict[str, Any]) -> Use:
    return Use(float(fields["at"]), int(fields["weight_bytes"]), bool(fields.get("sees_images", True)))
