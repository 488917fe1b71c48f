"""One window per data folder: a second start hands its files to the window that is open, and leaves.

A socket in the file system, in a folder that only the user can enter. Qt's network module would be there for this
alone, and is left out of the app on purpose.
"""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSocketNotifier, Signal

from app.paths import private_folder

NAME: Final = "window"
LONGEST_PATH: Final = 100
"""Bytes; the system's own limit is 103 on macOS and 107 on Linux."""
LARGEST: Final = 1024 * 1024
TAKEN: Final = b"\x06"
PATIENCE: Final = 3.0
_BETWEEN: Final = b"\0"


class Doorbell(QObject):
    """Listens for other starts on the same data folder; to be made by the one that holds the folder's lock.

    Signals:
        rung(list[Path]): another start wants these files opened, perhaps none, and the window shown.
    """

    rung = Signal(list)

    def __init__(self, data_dir: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = socket_path(data_dir)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._path.unlink(missing_ok=True)  # of one that was killed: the lock is ours
        self._socket.bind(str(self._path))
        self._path.chmod(0o600)
        self._socket.listen()
        self._socket.setblocking(False)
        self._notifier = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._answer)

    def close(self) -> None:
        """Stop listening."""
        self._notifier.setEnabled(False)
        self._socket.close()
        self._path.unlink(missing_ok=True)

    def _answer(self) -> None:
        with suppress(OSError):  # whoever rang has gone away again: nothing to answer
            connection, _ = self._socket.accept()
            with connection:
                connection.settimeout(PATIENCE / 3)
                message = _read(connection)
                connection.sendall(TAKEN)
            self.rung.emit([Path(os.fsdecode(part)) for part in message.split(_BETWEEN) if part])


def ring(data_dir: Path, files: Sequence[Path]) -> bool:
    """Hand ``files`` to the window that is open on ``data_dir``; false if there is none that answers."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(socket_path(data_dir)))
            connection.sendall(_BETWEEN.join(os.fsencode(file.absolute()) for file in files))
            connection.shutdown(socket.SHUT_WR)
            return connection.recv(1) == TAKEN
    except OSError:
        return False


def socket_path(data_dir: Path) -> Path:
    """Return where the socket of a data folder is: in it, or where its name would be too long, in a private folder.

    Raises:
        OSError: that folder belongs to somebody else.
    """
    inside = data_dir / NAME
    if len(os.fsencode(inside)) <= LONGEST_PATH:
        return inside
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    folder = private_folder(Path(tempfile.gettempdir()) / f"second-glance-{os.getuid()}")
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is not a private folder")
    return folder / digest


def _read(connection: socket.socket) -> bytes:
    message = b""
    while len(message) <= LARGEST and (piece := connection.recv(65536)):
        message += piece
    return message if len(message) <= LARGEST else b""
