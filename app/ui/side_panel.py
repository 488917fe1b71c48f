"""A splitter whose right part becomes an overlay where there is no room beside the content."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QEasingCurve, QPoint, QPropertyAnimation, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from app.ui.theme.fonts import keep_shares
from app.ui.theme.tokens import MOTION_MS, OVERLAY_BELOW, PANEL_WIDTH, SIDEBAR_WIDTH

CONTENT_LEAST: Final = 360
SIDE_LEAST: Final = 180


class ThreeColumns(QWidget):
    """Sidebar, content and panel. Below 900 pixels the panel lies over the content, at its right edge.

    Signals:
        panel_shown_changed(bool): the panel appeared or vanished, also because the width changed.
    """

    panel_shown_changed = Signal(bool)

    def __init__(self, sidebar: QWidget, content: QWidget, panel: QWidget) -> None:
        super().__init__()
        self.reduce_motion = False
        self._sidebar, self._panel = sidebar, panel
        self._wanted = True
        self._overlay_open = False
        self._spread_once = False
        self._overlay = self._make_overlay()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        sidebar.setMinimumWidth(SIDE_LEAST)
        content.setMinimumWidth(CONTENT_LEAST)
        for place, widget in enumerate((sidebar, content, panel)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(place, int(widget is content))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)
        self._slide = QPropertyAnimation(self._overlay, b"pos", self)
        self._slide.setDuration(MOTION_MS)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)

    @property
    def panel_shown(self) -> bool:
        """Whether the panel can be seen, beside the content or over it."""
        return self._overlay_open if self.narrow else self._wanted

    @property
    def panel_wanted(self) -> bool:
        """Whether the panel stands beside the content where there is room."""
        return self._wanted

    def want_panel(self, wanted: bool) -> None:
        """Say whether the panel is to stand beside the content where there is room."""
        self._wanted = wanted
        self._arrange()
        self.panel_shown_changed.emit(self.panel_shown)

    @property
    def narrow(self) -> bool:
        """Whether the panel has no room beside the content."""
        return self.width() < OVERLAY_BELOW

    def show_panel(self, shown: bool) -> None:
        """Show or hide the panel."""
        if self.narrow:
            self._overlay_open = shown
        else:
            self._wanted = shown
        self._arrange(slide=shown and self.narrow and not self.reduce_motion)
        self.panel_shown_changed.emit(self.panel_shown)

    def show_sidebar(self, shown: bool) -> None:
        """Show or hide the sidebar."""
        self._sidebar.setVisible(shown)

    def state(self) -> QByteArray:
        """Return the widths of the columns, to be kept."""
        return self.splitter.saveState()

    def restore(self, state: QByteArray) -> None:
        """Take the widths that were kept; what does not fit is ignored."""
        self._spread_once = self.splitter.restoreState(state)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the panel between its two places when the width changes."""
        super().resizeEvent(event)
        if not self._spread_once:
            self._spread_once = True
            self._spread()
        self._arrange()
        self.panel_shown_changed.emit(self.panel_shown)

    def _make_overlay(self) -> QFrame:
        overlay = QFrame(self)
        overlay.setProperty("kind", "overlay")
        column = QVBoxLayout(overlay)
        column.setContentsMargins(1, 0, 0, 0)
        overlay.hide()
        return overlay

    def _arrange(self, *, slide: bool = False) -> None:
        if self.narrow:
            self._put_over()
            self._overlay.setVisible(self._overlay_open)
            self._panel.setVisible(True)
            self._place(slide)
        else:
            self._overlay.hide()
            self._overlay_open = False
            if self.splitter.indexOf(self._panel) < 0:
                self.splitter.insertWidget(2, self._panel)
                self._spread()
                keep_shares(self._panel)
            self._panel.setVisible(self._wanted)

    def _spread(self) -> None:
        """Give sidebar and panel their usual widths, and the content the rest."""
        self.splitter.setSizes([SIDEBAR_WIDTH, self.width() - SIDEBAR_WIDTH - PANEL_WIDTH, PANEL_WIDTH])

    def _put_over(self) -> None:
        layout = self._overlay.layout()
        if layout is not None and layout.indexOf(self._panel) < 0:
            layout.addWidget(self._panel)
            keep_shares(self._panel)

    def _place(self, slide: bool) -> None:
        self._overlay.setFixedWidth(max(PANEL_WIDTH, self._panel.minimumSizeHint().width()))
        end = QPoint(self.width() - self._overlay.width(), 0)
        self._overlay.resize(self._overlay.width(), self.height())
        self._slide.stop()
        self._overlay.raise_()
        if slide:
            self._slide.setStartValue(QPoint(self.width(), 0))
            self._slide.setEndValue(end)
            self._slide.start()
        else:
            self._overlay.move(end)
