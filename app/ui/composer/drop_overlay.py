"""One clear frame around the window while pictures are dragged over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.ui.composer.mime import offers_pictures, why_not
from app.ui.theme import Radius, Space, TextRole, colours, font, icon_pixmap

_LEAVE_MS: Final = 60
"""Going from one widget to the next is a leave and an enter; the frame must not flicker between them."""
_ICON: Final = 32
_PEN: Final = 2


class DropOverlay(QWidget):
    """Covers ``window``, shows what a drop would do, and hands drops on the window to ``take``.

    Widgets that take drops themselves are named by :meth:`watch`; the frame shows for them too.
    """

    def __init__(self, window: QWidget, take: Callable[[QMimeData], object]) -> None:
        super().__init__(window)
        self._window = window
        self._take = take
        self.reason = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._leaving = QTimer(self)
        self._leaving.setSingleShot(True)
        self._leaving.setInterval(_LEAVE_MS)
        self._leaving.timeout.connect(self.hide)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self.hide()

    def watch(self, *targets: QWidget) -> None:
        """Show the frame while something is dragged over ``targets``, too."""
        for target in targets:
            target.installEventFilter(self)

    def words(self) -> str:
        """Return what the frame says."""
        return self.reason or self.tr("Drop to attach")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what is dragged; on the window itself also answer it."""
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self.setGeometry(self._window.rect())
        elif isinstance(event, QDropEvent):
            return self._on_drag(event, on_window=watched is self._window)
        elif event.type() == QEvent.Type.DragLeave:
            self._leaving.start()
        return False

    def _on_drag(self, event: QDropEvent, *, on_window: bool) -> bool:
        """Return true where the event has been dealt with here. Enter and move are kinds of drop events in Qt."""
        mime = event.mimeData()
        wanted = offers_pictures(mime)
        if event.source() is not None or not (wanted or on_window):
            return False
        if isinstance(event, QDragEnterEvent):
            self._appear("" if wanted else why_not(mime))
            event.acceptProposedAction()  # also foreign content, or its leaving would not be told
            return on_window
        if isinstance(event, QDragMoveEvent):
            event.setAccepted(wanted)
            return on_window
        self._leaving.stop()
        self.hide()
        if on_window and wanted:
            self._take(mime)
            event.acceptProposedAction()
        return on_window

    def _appear(self, reason: str) -> None:
        self._leaving.stop()
        self.reason = reason
        self.setGeometry(self._window.rect())
        self.setAccessibleName(self.words())
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a veil, the frame, and the words in the middle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(colours().window)
        veil.setAlphaF(0.88)
        painter.fillRect(self.rect(), veil)
        colour = QColor(colours().danger if self.reason else colours().accent)
        painter.setPen(QPen(colour, _PEN, Qt.PenStyle.DashLine if self.reason else Qt.PenStyle.SolidLine))
        frame = QRectF(self.rect()).adjusted(Space.M, Space.M, -Space.M, -Space.M)
        painter.drawRoundedRect(frame, Radius.CARD + Space.XS, Radius.CARD + Space.XS)
        middle = frame.center()
        symbol = icon_pixmap("error" if self.reason else "image", _ICON, colour.name(), self.devicePixelRatioF())
        painter.drawPixmap(int(middle.x()) - _ICON // 2, int(middle.y()) - _ICON - Space.S, symbol)
        painter.setPen(QColor(colours().text))
        painter.setFont(font(TextRole.LEAD, bold=not self.reason))
        below = QRectF(frame.left() + Space.XL, middle.y(), frame.width() - 2 * Space.XL, frame.height() / 2)
        painter.drawText(
            below,
            int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap),
            self.words(),
        )
        painter.end()
