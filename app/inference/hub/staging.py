"""Where a model lies until it is complete, and how it then moves into the hub library's cache.

Until everything was fetched and checked, the cache shows nothing of it. Cancelling is removing one folder.
The layout of the cache (``blobs``, ``snapshots``, ``refs``) is the one that the hub library documents.
"""

from __future__ import annotations

import logging
import os
import shutil
import threading
from pathlib import Path

from huggingface_hub import constants

from app.inference.hub.plan import Plan, PlannedFile
from app.inference.hub.transfer import part_bytes

log = logging.getLogger(__name__)

FOLDER = ".second-glance"
PLAN = "plan.json"


def cache_folder() -> Path:
    """Return the hub library's cache, which need not exist."""
    return Path(constants.HF_HUB_CACHE)


class Staging:
    """The unfinished download of one repository.

    What removes it may run while files still arrive: publishing and removing keep out of each other's way.
    """

    def __init__(self, repository: str, cache: Path | None = None) -> None:
        self._cache = cache or cache_folder()
        self._name = repository.replace("/", "--")
        self._lock = threading.RLock()
        self.folder = self._cache / FOLDER / self._name
        self._repository = self._cache / f"models--{self._name}"

    def open(self, plan: Plan) -> None:
        """Make the folder for ``plan``. What another plan left is removed.

        Raises:
            OSError: the folder cannot be written.
        """
        if self.plan() != plan:
            self.discard()
            (self.folder / "files").mkdir(parents=True)
            (self.folder / PLAN).write_text(plan.to_json(), encoding="utf-8")

    def plan(self) -> Plan | None:
        """Return what was being fetched; ``None`` for nothing."""
        try:
            return Plan.from_json((self.folder / PLAN).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            log.info("%s cannot be read; its download begins anew", self.folder / PLAN)
            return None

    def place(self, file: PlannedFile) -> Path:
        """Return where ``file`` is fetched to."""
        return self.folder / "files" / file.name

    def has(self, file: PlannedFile) -> bool:
        """Whether ``file`` is here complete, in the cache or on its way to it."""
        return self.place(file).is_file() or self._blob(file).is_file()

    def done(self, plan: Plan) -> int:
        """Return how many bytes of ``plan`` are here."""
        return sum(file.size if self.has(file) else min(part_bytes(self.place(file)), file.size) for file in plan.files)

    def publish(self, plan: Plan) -> Path:
        """Move a complete download into the cache and return its folder there.

        Raises:
            FileNotFoundError: a file is not here, because the download was cancelled; nothing was moved.
            OSError: a file cannot be moved; calling again goes on.
        """
        with self._lock:
            missing = [file.name for file in plan.files if not self.has(file)]
            if missing:
                raise FileNotFoundError(f"{missing[0]} is not in {self.folder}")
            return self._publish(plan)

    def _publish(self, plan: Plan) -> Path:
        snapshot = self._repository / "snapshots" / plan.commit
        snapshot.mkdir(parents=True, exist_ok=True)
        for file in plan.files:
            blob = self._blob(file)
            blob.parent.mkdir(exist_ok=True)
            if not blob.exists():
                self.place(file).replace(blob)
            link = snapshot / file.name
            if not link.exists():
                link.unlink(missing_ok=True)
                link.symlink_to(os.path.relpath(blob, snapshot))
        if plan.revision != plan.commit:
            ref = self._repository / "refs" / plan.revision
            ref.parent.mkdir(parents=True, exist_ok=True)
            ref.write_text(plan.commit, encoding="utf-8")
        self.discard()
        return snapshot

    def discard(self) -> None:
        """Remove everything that was fetched; nothing of it remains.

        Raises:
            OSError: something cannot be removed, or files still arrive.
        """
        with self._lock:
            self._discard()

    def _discard(self) -> None:
        if self.folder.exists():
            shutil.rmtree(self.folder)
        for empty in (self.folder.parent, self._cache):
            try:
                empty.rmdir()
            except OSError:
                return  # not there, or others use it

    def _blob(self, file: PlannedFile) -> Path:
        return self._repository / "blobs" / file.digest


def unfinished(cache: Path | None = None) -> list[str]:
    """Return the repositories whose download was begun and neither finished nor cancelled."""
    folder = (cache or cache_folder()) / FOLDER
    plans = [Staging(place.parent.name, cache).plan() for place in sorted(folder.glob(f"*/{PLAN}"))]
    return [plan.repository for plan in plans if plan is not None]
