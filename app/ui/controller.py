"""The one place that ties store, settings, worker and views together."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import paths
from app.errors import UserError
from app.ui.capture.capture import ScreenCapture, system_tool
from app.ui.chat_details import ChatDetails
from app.ui.chats import Chats
from app.ui.dialogue import Dialogue
from app.ui.earlier_pictures import Gallery
from app.ui.library.entry import ModelLibrary
from app.ui.models import Models
from app.ui.sentences import translated
from app.ui.transfer import Transfer

if TYPE_CHECKING:
    from app.cache.events import CacheEvent, Tier
    from app.store.images import ImageStore
    from app.store.store import Store
    from app.ui.about import AboutDialog
    from app.ui.main_window import MainWindow
    from app.ui.tuning import Tuning
    from app.worker.service import InferenceService

log = logging.getLogger(__name__)

SECONDS_PER_DAY = 86400


class Controller(QObject):
    """Owns the parts that act: chats, dialogue, models; connects caches and settings; begins and ends it all.

    Attributes:
        about: the About dialog, once it was opened.
        started: the last chat is shown and what is no longer wanted is cleared away.

    Signals:
        closed(ended): everything is saved and let go; ``ended`` says whether the worker ended in time.
    """

    closed = Signal(bool)

    def __init__(
        self, window: MainWindow, store: Store, images: ImageStore, tuning: Tuning, service: InferenceService
    ) -> None:
        super().__init__()
        self.window, self.store, self.images = window, store, images
        self.tuning, self.service = tuning, service
        self.chats = Chats(window, store)
        self.models = Models(window, tuning, service)
        self.dialogue = Dialogue(window, store, images, tuning, self.chats, self.models, service)
        self.library = ModelLibrary(window, tuning, self.models, self.chats, self.dialogue, service)
        self.details = ChatDetails(window, store, self.chats, tuning)
        self.transfer = Transfer(window, store, images, self.chats, self.dialogue.answers)
        self.gallery = Gallery(window, store, self.chats, self.dialogue)
        self.capture = ScreenCapture(window, system_tool())
        self.about: AboutDialog | None = None
        self.started = False
        self._closed = False
        window.closing.connect(self.close)
        self.chats.gone.connect(self._forget_incognito)
        self._connect_caches()
        self._connect_settings()

    def start(self) -> None:
        """Show the last chat, begin to load the model, and clear away what is no longer wanted."""
        if self._closed:
            return
        self.chats.open_last()
        self.models.start()
        for notice in self.tuning.notices:
            self.window.toast.say(translated(notice))
        self.store.purge(self.tuning.settings.general.trash_days * SECONDS_PER_DAY)
        self.images.collect(self.store.image_digests())
        self.capture.check()
        self.started = True

    def close(self) -> None:
        """Save everything, stop the worker within a bounded time, and let the store go."""
        if self._closed:
            return
        self._closed = True
        self.window.toast.lapse()
        try:
            self.chats.save_draft()
        except UserError as error:  # the window closes all the same
            log.warning("The draft is not saved: %s", error)
        self.window.composer.blockSignals(True)  # it may still change, and go, and that concerns nobody any more
        self.dialogue.ahead.stop()
        self.library.close()
        ended = self.service.close()
        self.dialogue.answers.abandon()
        self.images.forget_temporary()
        self.store.close()
        self.closed.emit(ended)

    def clear_caches(self, tier: str = "") -> None:
        """Empty one cache tier, or all for the empty name."""
        self.service.clear(cast("Tier", tier) if tier else None)

    def show_about(self) -> None:
        """Show what the app is and under which licences."""
        from app.ui.about import AboutDialog

        if self.about is None:
            self.about = AboutDialog(self.window)
        self.about.show()
        self.about.raise_()
        self.about.activateWindow()

    def _forget_incognito(self) -> None:
        """Let go of the pictures of incognito chats that were deleted and cannot be brought back any more."""
        if not self.window.composer.strip.is_loading():  # what is being opened belongs to no chat yet
            gone = self.images.forget_temporary(self.chats.incognito_digests())
            for thumbnails in (self.window.composer.thumbnails, self.window.messages.thumbnails):
                thumbnails.forget(gone)

    def _connect_caches(self) -> None:
        service, panel = self.service, self.window.panel
        service.overview_changed.connect(panel.show_overview)
        service.overview_changed.connect(self.tuning.show_overview)
        service.memory_changed.connect(panel.show_memory)
        service.entries_listed.connect(panel.entries.show_entries)
        panel.entries.wanted.connect(service.list_entries)
        service.cache_events.connect(panel.add_events)
        service.cache_events.connect(self.dialogue.ahead.on_cache_events)
        service.cache_events.connect(self._on_cache_events)
        service.failed.connect(lambda sentence, _: self.window.toast.say(translated(sentence)))
        panel.clear_requested.connect(self.clear_caches)
        panel.budgets_requested.connect(lambda: self.tuning.open_dialog(self.window, "caches"))
        self.window.actions_.clear_caches.triggered.connect(lambda _=False: self.clear_caches())

    def _connect_settings(self) -> None:
        tuning, window, actions = self.tuning, self.window, self.window.actions_
        tuning.appearance_changed.connect(self._show_motion)
        tuning.failed.connect(lambda sentence: window.toast.say(translated(sentence)))
        actions.settings.triggered.connect(lambda: tuning.open_dialog(window, ""))
        actions.zoom_in.triggered.connect(lambda: tuning.zoom_by(10))
        actions.zoom_out.triggered.connect(lambda: tuning.zoom_by(-10))
        actions.zoom_reset.triggered.connect(lambda: tuning.zoom_by(0))
        actions.models.triggered.connect(self.library.open)
        actions.log_folder.triggered.connect(_open_log_folder)
        actions.about.triggered.connect(self.show_about)
        self._show_motion()

    def _show_motion(self) -> None:
        reduced = self.tuning.settings.appearance.reduce_motion
        self.window.columns.reduce_motion = reduced
        self.window.panel.set_reduce_motion(reduced)

    def _on_cache_events(self, events: list[CacheEvent]) -> None:
        for event in events:
            if (event.tier, event.kind) == ("ssd", "bypassed"):
                self.window.toast.say(translated(event.reason))


def _open_log_folder() -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.private_folder(paths.log_dir()))))
