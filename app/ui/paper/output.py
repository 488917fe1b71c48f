"""Where a chat on paper goes: a PDF file, or a printer that the user chooses."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter
from PySide6.QtWidgets import QWidget

from app.store.records import StoredMessage
from app.store.transfer import refused_in_words, write_in_words
from app.ui.paper.document import RESOLUTION
from app.ui.paper.pages import put_on_pages
from app.ui.paper.pictures import Pictures
from app.ui.paper.slices import Steps

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter


def write_pdf(target: Path, title: str, messages: Sequence[StoredMessage], pictures: Pictures) -> Steps:
    """Write a chat as a PDF file with numbered A4 pages; the file appears, whole, with the last step.

    Raises:
        UserError: the file cannot be written, or a picture is gone.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Second Glance")
    writer.setResolution(RESOLUTION)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageOrientation(QPageLayout.Orientation.Portrait)
    yield from put_on_pages(writer, title, messages, pictures)
    write_in_words(target, bytes(buffer.data().data()))


def choose_printer(title: str, over: QWidget) -> QPrinter | None:
    """Let the user choose a printer; ``None`` if that was not wanted."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # asks the system for its printers

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(title)
    printer.setResolution(RESOLUTION)
    dialog = QPrintDialog(printer, over)
    return printer if dialog.exec() == QPrintDialog.DialogCode.Accepted else None


def print_chat(printer: QPrinter, title: str, messages: Sequence[StoredMessage], pictures: Pictures) -> Steps:
    """Print a chat; where the user chose a file in the place of a printer, it appears, whole, with the last step.

    Printing cannot be stopped once the first page goes to a printer.

    Raises:
        UserError: the printer or the file cannot be used, or a picture is gone.
    """
    target = Path(printer.outputFileName()) if printer.outputFileName() else None
    if target is None:
        yield from put_on_pages(printer, title, messages, pictures, printer.abort)
        return
    aside = target.with_name(f".{target.stem}.part{target.suffix}")
    with refused_in_words(target):  # the printer would not say why it cannot write
        aside.touch()
        aside.unlink()
    printer.setOutputFileName(str(aside))
    try:
        yield from put_on_pages(printer, title, messages, pictures)
        with refused_in_words(target):
            os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)
