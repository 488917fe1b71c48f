"""The window: where everything stands. It decides nothing; :class:`app.ui.controller.Controller` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSettings, QSize, Signal
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.ui.actions import Actions, make_actions
from app.ui.composer.composer import Composer
from app.ui.composer.drop_overlay import DropOverlay
from app.ui.empty import EmptyState
from app.ui.labels import hairline
from app.ui.messages.view import MessageView
from app.ui.palette import Palette
from app.ui.panel import CachePanel
from app.ui.side_panel import ThreeColumns
from app.ui.sidebar import Sidebar
from app.ui.theme import app_icon
from app.ui.toast import Toast
from app.ui.toolbar import Toolbar

if TYPE_CHECKING:
    from app.store.images import ImageStore

DEFAULT_SIZE: Final = QSize(1200, 800)
LEAST_SIZE: Final = QSize(720, 520)


class MainWindow(QMainWindow):
    """Toolbar on top; below it the list of chats, messages with the composer, and the cache panel.

    Signals:
        closing(): the user closes the window; what listens must be done when it returns.
    """

    closing = Signal()

    def __init__(self, images: ImageStore) -> None:
        super().__init__()
        self.setWindowTitle("Second Glance")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(LEAST_SIZE)
        self.resize(DEFAULT_SIZE)
        self.actions_: Actions = make_actions(self)
        self.sidebar = Sidebar()
        self.messages = MessageView(images)
        self.empty = EmptyState()
        self.composer = Composer(images)
        self.panel = CachePanel(self.composer.thumbnails)
        self.toolbar = self._make_toolbar()
        self.columns = ThreeColumns(self.sidebar, self._make_content(), self.panel)
        self.whole = self._lay_out()
        self.toast = Toast(self.stack, self.whole)
        self.palette_ = Palette(self.actions_, self.whole)
        self.drop_overlay = DropOverlay(self, self.composer.take)
        self.drop_overlay.watch(*self.composer.drop_targets())
        self._connect()

    def show_conversation(self, shown: bool) -> None:
        """Show the messages, or what stands there before there are any."""
        self.stack.setCurrentWidget(self.messages if shown else self.empty)
        self.actions_.find.setEnabled(shown)

    def save_geometry(self, kept: QSettings) -> None:
        """Keep size, place and widths."""
        kept.setValue("geometry", self.saveGeometry())
        kept.setValue("columns", self.columns.state())
        kept.setValue("sidebar", self.actions_.sidebar.isChecked())
        kept.setValue("panel", self.columns.panel_wanted)

    def restore_geometry(self, kept: QSettings) -> None:
        """Take what was kept."""
        if kept.contains("geometry"):
            self.restoreGeometry(kept.value("geometry"))
        if kept.contains("columns"):
            self.columns.restore(kept.value("columns"))
        self.actions_.sidebar.setChecked(bool(kept.value("sidebar", True, bool)))
        self.columns.want_panel(bool(kept.value("panel", True, bool)))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Vanish at once, then let the work end."""
        self.hide()
        self.closing.emit()
        event.accept()

    def _make_toolbar(self) -> Toolbar:
        actions = self.actions_
        self.model_menu = QMenu(self.tr("Model"), self)
        self.model_menu.addActions([actions.models, actions.model_demo, actions.model_folder])
        self.model_menu.addSeparator()
        self.model_menu.addAction(actions.unload)
        return Toolbar(
            left=[actions.sidebar, actions.new_chat],
            right=[actions.panel, actions.settings],
            model_menu=self.model_menu,
            main_menu=self._make_main_menu(),
        )

    def _make_main_menu(self) -> QMenu:
        a = self.actions_
        groups: list[list[QAction]] = [
            [a.new_chat, a.new_incognito],
            [a.add_images, a.capture, a.earlier_pictures],
            [a.find, a.search, a.rename, a.pin, a.system_prompt, a.delete, a.restore],
            [a.export_chat, a.print_chat, a.import_chat],
            [a.stop, a.go_on, a.palette],
            [a.zoom_in, a.zoom_out, a.zoom_reset],
            [a.clear_caches, a.settings, a.log_folder],
            [a.about, a.quit],
        ]
        menu = QMenu(self.tr("Menu"), self)
        menu.setToolTipsVisible(True)
        for group in groups:
            menu.addActions(group)
            menu.addSeparator()
        return menu

    def _make_content(self) -> QWidget:
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.messages)
        self.content = QWidget()
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stack, 1)
        column.addWidget(self.composer)
        return self.content

    def _lay_out(self) -> QWidget:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(hairline())
        column.addWidget(self.columns, 1)
        self.setCentralWidget(whole)
        return whole

    def _connect(self) -> None:
        self.actions_.sidebar.toggled.connect(self.columns.show_sidebar)
        self.actions_.panel.triggered.connect(self.columns.show_panel)
        self.columns.panel_shown_changed.connect(self.actions_.panel.setChecked)
        self.actions_.palette.triggered.connect(self.palette_.open)
        self.actions_.find.triggered.connect(self.messages.start_finding)
        self.actions_.search.triggered.connect(self._search)
        self.actions_.rename.triggered.connect(self._rename)
        self.actions_.add_images.triggered.connect(self.composer.choose_files)
        self.empty.add_images_requested.connect(self.composer.choose_files)
        self.empty.samples.chosen.connect(self._add_sample)
        self.composer.offer([self.actions_.add_images, self.actions_.capture, self.actions_.earlier_pictures])
        self.actions_.sidebar.setChecked(True)
        self.columns.want_panel(True)

    def _add_sample(self, path: str) -> None:
        self.composer.add_files([path])
        self.composer.focus_input()

    def _search(self) -> None:
        self.actions_.sidebar.setChecked(True)
        self.sidebar.focus_search()

    def _rename(self) -> None:
        self.actions_.sidebar.setChecked(True)
        self.sidebar.rename_current()
