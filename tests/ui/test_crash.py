"""What nobody caught ends in the log and in a report, never in silence."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import qInstallMessageHandler, qWarning
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from app.errors import UserError
from app.ui.crash import CrashReporter, offer_last_crash, report_text, watch_faults
from app.ui.logs import LogTail, start_logging


@pytest.fixture
def hooks():
    kept = sys.excepthook, threading.excepthook, sys.unraisablehook
    yield
    sys.excepthook, threading.excepthook, sys.unraisablehook = kept


@pytest.fixture
def root_log():
    """The root logger, put back as it was."""
    root = logging.getLogger()
    kept, level = list(root.handlers), root.level
    yield root
    for handler in set(root.handlers) - set(kept):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    qInstallMessageHandler(None)


def fail() -> None:
    raise ZeroDivisionError("on purpose")


def test_an_exception_of_any_thread_is_logged_and_shown_with_the_log(qtbot, hooks, caplog) -> None:
    tail = LogTail()
    tail.emit(logging.makeLogRecord({"msg": "what came before"}))
    reporter = CrashReporter(tail)
    reporter.install()
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: reporter.dialog is not None)
    qtbot.addWidget(reporter.dialog)
    report = reporter.dialog.report.toPlainText()
    assert "ZeroDivisionError: on purpose" in report
    assert "what came before" in report
    assert "Second Glance" in report
    assert "on purpose" in caplog.text
    copy = next(b for b in reporter.dialog.findChildren(QPushButton) if b.text() == "Copy report")
    copy.click()
    assert QGuiApplication.clipboard().text() == report


def test_while_one_report_is_read_no_other_opens(qtbot, hooks, caplog) -> None:
    reporter = CrashReporter(LogTail())
    reporter.show_report("first")
    qtbot.addWidget(reporter.dialog)
    first = reporter.dialog
    reporter.show_report("second")
    assert reporter.dialog is first


def test_the_tail_keeps_the_last_lines() -> None:
    tail = LogTail(lines=2)
    for text in ("one", "two", "three"):
        tail.emit(logging.makeLogRecord({"msg": text}))
    assert [line.rsplit(": ", 1)[1] for line in tail.text().splitlines()] == ["two", "three"]


def test_logging_reaches_file_and_tail_and_qt_is_heard(qapp, root_log, tmp_path: Path, caplog) -> None:
    tail = start_logging(tmp_path / "logs", "info")
    logging.getLogger("app.test").info("a line")
    qWarning("said by Qt")
    text = (tmp_path / "logs" / "window.log").read_text(encoding="utf-8")
    for place in (text, tail.text()):
        assert "a line" in place
        assert "said by Qt" in place


def test_a_folder_that_cannot_be_written_leaves_the_tail(root_log, tmp_path: Path, caplog) -> None:
    (tmp_path / "file").write_text("x")
    tail = start_logging(tmp_path / "file" / "logs", "info")
    assert "No log file" in tail.text()


def test_a_crash_of_the_interpreter_is_offered_at_the_next_start(tmp_path: Path) -> None:
    program = f"""
import faulthandler, os
from pathlib import Path
from app.errors import UserError
from app.ui.crash import watch_faults
handle, before = watch_faults(Path({str(tmp_path)!r}))
os.abort()
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode < 0
    handle, before = watch_faults(tmp_path)
    handle.close()
    assert "Fatal Python error: Aborted" in before
    said: list[str] = []
    offer_last_crash(before, LogTail(), lambda words, action, act: said.append(words))
    offer_last_crash("", LogTail(), lambda words, action, act: said.append(words))
    assert said == ["Second Glance crashed last time. Your chats are saved."]


def test_a_report_names_versions_and_trouble() -> None:
    report = report_text("Traceback: x\n\n", "line 1\nline 2")
    assert report.startswith("Second Glance ")
    assert "Traceback: x\n\nLast lines of the log:\nline 1\nline 2" in report


def test_a_refusal_is_told_as_its_sentence_without_a_report(qtbot, hooks, caplog) -> None:
    reporter = CrashReporter(LogTail())
    reporter.install()
    with qtbot.waitSignal(reporter.refused) as told:
        sys.excepthook(UserError, UserError("The disk is full."), None)
    assert told.args == ["The disk is full."]
    assert reporter.dialog is None
    assert "Not done: The disk is full." in caplog.text
