"""What nobody caught: logged, shown with a report to copy, and never silent."""

from __future__ import annotations

import faulthandler
import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Final

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app import __version__
from app.errors import UserError
from app.ui.labels import caption, heading
from app.ui.logs import LogTail
from app.ui.theme import TextRole, mono_font
from app.ui.translation import translate

log = logging.getLogger(__name__)

FAULTS: Final = "faults.log"
SIZE: Final = (640, 420)


def report_text(trouble: str, tail: str) -> str:
    """Return what a report holds: versions, the trouble, the last lines of the log. No text of a chat is in it."""
    versions = f"Second Glance {__version__}, Python {platform.python_version()}, PySide6 {pyside_version}"
    return f"{versions}\n{platform.platform()}\n\n{trouble.rstrip()}\n\nLast lines of the log:\n{tail}\n"


class ReportDialog(QDialog):
    """Shows a report in full before it is copied."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Second Glance")
        self.resize(*SIZE)
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setFont(mono_font(TextRole.CAPTION))
        self.report.setAccessibleName(self.tr("Report"))
        copy = QPushButton(self.tr("Copy report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
        buttons = QDialogButtonBox()
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.tr("Go on"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        column = QVBoxLayout(self)
        column.addWidget(heading(self.tr("Something went wrong")))
        saved = self.tr("Your chats are saved. This report helps to find the cause; nothing was sent.")
        column.addWidget(caption(saved))
        column.addWidget(self.report, 1)
        column.addWidget(buttons)


class CrashReporter(QObject):
    """Catches what no one else did, on any thread, and shows it on the GUI thread, one report at a time.

    Signals:
        refused(sentence): what is no fault of ours, such as a full disk, and needs no report.
    """

    refused = Signal(str)
    _caught = Signal(str)

    def __init__(self, tail: LogTail) -> None:
        super().__init__()
        self._tail = tail
        self.dialog: ReportDialog | None = None
        self._caught.connect(self.show_report, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take over Python's hooks for uncaught exceptions."""
        sys.excepthook = self.on_exception
        threading.excepthook = lambda hooked: self.on_exception(hooked.exc_type, hooked.exc_value, hooked.exc_traceback)
        sys.unraisablehook = lambda hooked: log.error("Unraisable: %s", hooked.err_msg, exc_info=hooked.exc_value)

    def on_exception(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        """Log an exception and show it; Ctrl+C in a terminal ends the app instead."""
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
            return
        if isinstance(error, UserError):
            log.warning("Not done: %s", error)
            self.refused.emit(str(error))
            return
        log.critical("Uncaught", exc_info=(kind, error or kind(), trace))
        self._caught.emit("".join(traceback.format_exception(kind, error, trace)))

    def show_report(self, trouble: str) -> None:
        """Show a report unless one is being read."""
        if self.dialog is not None and self.dialog.isVisible():
            return
        self.dialog = ReportDialog(report_text(trouble, self._tail.text()))
        self.dialog.show()


def watch_faults(folder: Path) -> tuple[IO[str], str]:
    """Let crashes of the interpreter write their stacks to a file, and return it with what the last run left there."""
    path = folder / FAULTS
    before = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    handle = path.open("w", encoding="utf-8")
    faulthandler.enable(handle)
    return handle, before.strip()


def offer_last_crash(before: str, tail: LogTail, say: Callable[[str, str, Callable[[], None]], None]) -> None:
    """Offer the stacks that a crash of the last run left, if there are any."""
    if before:
        report = report_text(f"The last run ended in a crash:\n{before}", tail.text())
        copy = QGuiApplication.clipboard().setText
        words = translate("Crash", "Second Glance crashed last time. Your chats are saved.")
        say(words, translate("Crash", "Copy report"), lambda: copy(report))
