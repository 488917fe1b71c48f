"""The two databases behind one store: one in the data folder, one in memory for incognito chats."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import UserError
from app.paths import private_folder
from app.store.database import Database
from app.store.lock import FolderLock

DATABASE_NAME = "conversations.sqlite"
INCOGNITO = "incognito-"


class Databases:
    """Opens, locks and closes; finds the database that an id lives in.

    Raises:
        UserError: the folder is in use by another instance, cannot be written, or its database is damaged or newer.
    """

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._lock = _locked(data_dir)
        try:
            self._disk = Database(data_dir / DATABASE_NAME)
        except BaseException:
            self._lock.close()
            raise
        self._memory = Database(None)

    @property
    def databases(self) -> tuple[Database, Database]:
        """Both databases."""
        return self._disk, self._memory

    def home(self, any_id: str) -> Database:
        """Return where an id lives: those of incognito chats and their messages have a prefix."""
        return self._memory if any_id.startswith(INCOGNITO) else self._disk

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep on disk all that the block changes, or nothing of it."""
        with self._disk.transaction():
            yield

    def close(self) -> None:
        """Close the databases and let the folder go; incognito chats are gone then. May be called twice."""
        for database in self.databases:
            database.close()
        self._lock.close()


def _locked(folder: Path) -> FolderLock:
    try:
        return FolderLock(private_folder(folder))
    except OSError as error:
        raise UserError(f"The data folder {folder} cannot be used: {error.strerror}.", str(folder)) from error


def new_id(incognito: bool) -> str:
    """Return an id that nobody has, and that :meth:`Databases.home` understands."""
    return (INCOGNITO if incognito else "") + uuid.uuid4().hex
