"""The window's log: a rotating file, and the last lines in memory for a report."""

from __future__ import annotations

import logging
import logging.handlers
from collections import deque
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app.paths import private_folder

FORMAT: Final = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"
FILE_BYTES: Final = 1_000_000
LINES_KEPT: Final = 400
_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_NOISE: Final = ("This plugin does not support",)
"""What the off-screen platform says about itself, again and again."""


class LogTail(logging.Handler):
    """Keeps the last lines in memory."""

    def __init__(self, lines: int = LINES_KEPT) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter(FORMAT))
        self._lines: deque[str] = deque(maxlen=lines)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self._lines.append(self.format(record))

    def text(self) -> str:
        """Return the lines, oldest first."""
        return "\n".join(self._lines)


def start_logging(folder: Path, level: str) -> LogTail:
    """Log to ``folder``, what Qt says included, and return the tail in memory; an unwritable folder is survived."""
    root = logging.getLogger()
    root.setLevel(level.upper())
    tail = LogTail()
    root.addHandler(tail)
    try:
        file = logging.handlers.RotatingFileHandler(
            private_folder(folder) / "window.log", maxBytes=FILE_BYTES, backupCount=3, encoding="utf-8"
        )
    except OSError as error:
        root.warning("No log file in %s: %s", folder, error)
    else:
        file.setFormatter(logging.Formatter(FORMAT))
        root.addHandler(file)
    qInstallMessageHandler(log_qt_message)
    return tail


def log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Put a message of Qt into our log."""
    if not message.startswith(_NOISE):
        logging.getLogger(f"qt.{context.category or 'default'}").log(_LEVELS.get(kind, logging.WARNING), message)
