"""Puts a chat on the pages of a device: written block by block, then painted page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAbstractTextDocumentLayout, QColor, QPagedPaintDevice, QPainter, QPalette

from app.errors import UserError
from app.store.records import StoredMessage
from app.ui.paper.document import MARGIN, PaperDocument, write_chat
from app.ui.paper.pictures import Pictures
from app.ui.paper.slices import Step, Steps
from app.ui.theme import TextRole, font
from app.ui.theme.colours import LIGHT
from app.ui.translation import translate

_WRITING: Final = 0.8
"""Share of the time that writing takes, before painting."""


def put_on_pages(
    device: QPagedPaintDevice,
    title: str,
    messages: Sequence[StoredMessage],
    pictures: Pictures,
    abort: Callable[[], object] | None = None,
) -> Steps:
    """Write and paint the whole chat, or the pages of it that ``device`` is asked for.

    Args:
        abort: has what was painted thrown away, where ``device`` can do that. Not every printer can, and on Linux
            none, so with it painting cannot be stopped; without it, the caller throws away what is half painted.

    Raises:
        ImageRefused: a picture is gone or damaged.
        UserError: the device takes no pages.
    """
    document = PaperDocument(device)
    for step in write_chat(document, title, messages, pictures):
        yield Step(step.done * _WRITING, step.waits)
    yield Step(_WRITING, stoppable=abort is None)
    yield from _paint_pages(device, document, abort)


def _paint_pages(device: QPagedPaintDevice, document: PaperDocument, abort: Callable[[], object] | None) -> Steps:
    count = document.pageCount()
    ranges = device.pageRanges()
    wanted = [page for page in range(count) if ranges.isEmpty() or ranges.contains(page + 1)]
    painter = QPainter(device)
    if not painter.isActive():
        raise UserError(translate("Paper", "The printer cannot be used."))
    try:
        for number, page in enumerate(wanted):
            if number:
                device.newPage()
            paint_page(painter, document, page)
            yield Step(_WRITING + (1 - _WRITING) * (number + 1) / len(wanted), stoppable=abort is None)
    except BaseException:
        if abort is not None:
            abort()  # while painting, as the end sends the pages
        raise
    finally:
        painter.end()


def paint_page(painter: QPainter, document: PaperDocument, page: int) -> None:
    """Paint a page, counted from 0, and its number, counted from 1, below the text at the right."""
    size, margin = document.pageSize(), MARGIN * document.density
    view = QRectF(QPointF(0, page * size.height()), size)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = view.adjusted(0, margin, 0, -margin)  # what lies under code would go on through the margins
    context.palette.setColor(QPalette.ColorRole.Text, QColor(LIGHT.text))
    painter.save()
    painter.translate(-view.topLeft())
    painter.setClipRect(context.clip)
    document.documentLayout().draw(painter, context)
    painter.restore()
    painter.setFont(font(TextRole.CAPTION))
    painter.setPen(QColor(LIGHT.meta))
    foot = QRectF(margin, size.height() - margin, size.width() - 2 * margin, margin / 2)
    painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, str(page + 1))
