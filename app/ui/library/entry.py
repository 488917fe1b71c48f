"""What the window has of the page of models before it is opened; the page itself and the hub library come with it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.inference.library.uses import Uses
from app.ui.library.idle import IdleUnload
from app.ui.model_state import ModelState, model_label

if TYPE_CHECKING:
    from app.ui.chats import Chats
    from app.ui.dialogue import Dialogue
    from app.ui.library.library import Library
    from app.ui.main_window import MainWindow
    from app.ui.models import Models
    from app.ui.tuning import Tuning
    from app.worker.service import InferenceService

log = logging.getLogger(__name__)


class ModelLibrary(QObject):
    """Opens the page of models, notes uses, lets idle models go, and offers a chat the model it had.

    Attributes:
        library: what is behind the page, once it was opened.
        idle: see :class:`IdleUnload`.
    """

    def __init__(
        self,
        window: MainWindow,
        tuning: Tuning,
        models: Models,
        chats: Chats,
        dialogue: Dialogue,
        service: InferenceService,
    ) -> None:
        super().__init__()
        self._window, self._tuning, self._models, self._chats = window, tuning, models, chats
        self._service = service
        self._uses = Uses()
        self.library: Library | None = None
        self.idle = IdleUnload(models, tuning, lambda: len(dialogue.answers) > 0)
        window.empty.model_requested.connect(self.open)
        window.composer.changed.connect(self.idle.used)
        dialogue.answers.ended.connect(lambda *_: self.idle.used())
        models.changed.connect(self._on_model)
        chats.shown.connect(self._offer_model_of_chat)

    def open(self) -> None:
        """Show the page."""
        if self.library is None:
            from app.ui.library.library import Library

            self.library = Library(self._window, self._tuning, self._models, self._uses, self._service)
        self.library.open()

    def close(self) -> None:
        """Pause what is being fetched."""
        self.idle.stop()
        if self.library is not None:
            self.library.close()

    def _on_model(self, state: ModelState) -> None:
        if state.phase != "ready" or state.info is None:
            return
        self.idle.used()
        try:
            self._uses.record(state.info.ref, state.info.weight_bytes, sees_images=state.info.sees_images)
        except OSError as error:
            log.info("The use of %s could not be noted (%s)", state.info.ref, error)

    def _offer_model_of_chat(self) -> None:
        chat = self._chats.current
        had = chat.model_ref if chat is not None else ""
        if had and had != self._models.state.ref:
            words = self.tr("This chat had its answers from {model}.").format(model=model_label(had))
            self._window.toast.say(words, self.tr("Use it again"), lambda: self._models.choose(had))
