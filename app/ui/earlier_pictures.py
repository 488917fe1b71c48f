"""“Pictures of this chat…”: which they are, what is known of them, and that a chosen one is attached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from app.ui.composer.gallery import EarlierPictures

if TYPE_CHECKING:
    from app.store.store import Store
    from app.ui.chats import Chats
    from app.ui.dialogue import Dialogue
    from app.ui.main_window import MainWindow

LOOKED_AT: Final = 24
"""Of so many, the latest, the engine is asked what it knows: it may have to decode each, and a question would wait."""


class Gallery(QObject):
    """Opens the earlier pictures of the open chat over the window, and puts the chosen ones into the draft.

    Attributes:
        view: what is shown.
    """

    def __init__(self, window: MainWindow, store: Store, chats: Chats, dialogue: Dialogue) -> None:
        super().__init__()
        self._window, self._store, self._chats, self._dialogue = window, store, chats, dialogue
        self.view = EarlierPictures(window.composer.thumbnails, window.whole)
        self.view.chosen.connect(window.composer.add_stored)
        self.view.closed.connect(window.composer.focus_input)
        window.actions_.earlier_pictures.triggered.connect(self.open)
        chats.leaving.connect(self.view.hide)
        dialogue.image_notes.changed.connect(lambda _: self._on_known())

    def open(self) -> None:
        """Show the pictures, or say that there are none."""
        images = self._store.gallery(self._chats.current_id) if self._chats.current is not None else []
        if images:
            self._dialogue.image_notes.look_at(images[-LOOKED_AT:])
            self.view.open(images, self._dialogue.image_notes.known, self._window.composer.card)
        else:
            self._window.toast.say(self.tr("No picture has been sent in this chat yet."))

    def _on_known(self) -> None:
        if self.view.isVisible():
            self.view.show_known(self._dialogue.image_notes.known)
