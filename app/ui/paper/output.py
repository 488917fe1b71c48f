"""Where a document on paper goes: a PDF file, or a printer that the user chooses."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QWidget

from app.ui.paper.document import RESOLUTION


def pdf(document: QTextDocument, title: str) -> bytes:
    """Return ``document`` as a PDF file with numbered A4 pages."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Second Glance")
    writer.setResolution(RESOLUTION)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageOrientation(QPageLayout.Orientation.Portrait)
    document.print_(writer)
    del writer  # the file's end is written when it goes
    return bytes(buffer.data().data())


def print_with_dialog(document: QTextDocument, title: str, over: QWidget) -> bool:
    """Let the user choose a printer and print; false if that was not wanted."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # asks the system for its printers

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(title)
    printer.setResolution(RESOLUTION)
    dialog = QPrintDialog(printer, over)
    if dialog.exec() != QPrintDialog.DialogCode.Accepted:
        return False
    document.print_(printer)
    return True
