"""Take pictures of every page and state, light and dark, small and large, to be looked at one by one.

Run from the checkout: ``python packaging/every_page.py FOLDER``. ``SECOND_GLANCE_LANGUAGE`` chooses the language.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from screenshots import FORMULAS, Photographer, chat

from app import paths
from app.settings.fields import sections
from app.ui.messages.find_bar import FindBar
from app.ui.messages.formulas import formulas as drawings_of_formulas
from app.ui.messages.receipt_view import ReceiptView

SIZES: Final = {"small": QSize(1000, 700), "large": QSize(1600, 1000)}
LONG: Final = 120
"""Messages of the long conversation."""


class Tour:
    """Goes through the pages; ``size`` goes into the names of the pictures."""

    def __init__(self, photo: Photographer, files: dict[str, Path]) -> None:
        self.photo, self.files = photo, files
        self.window, self.controller = photo.window, photo.controller
        self.size = ""

    def take(self, name: str, widget: QWidget | None = None) -> None:
        self.photo.both(f"{self.size}-{name}", widget)

    def first_page(self) -> None:
        self.controller.chats.new()
        self.take("empty")

    def conversation(self) -> None:
        self.controller.chats.open(self.controller.store.conversations()[0].id)
        self.photo.attach(self.files["home"], self.files["budget"])
        self.take("conversation")
        receipt = self.window.findChildren(ReceiptView)[-1]
        receipt.toggle()
        self.take("receipt")
        receipt.toggle()
        self.window.composer.set_draft("", [])

    def long_conversation(self) -> None:
        store = self.controller.store
        made = store.create_conversation("A long conversation about quadratic equations and what became of them")
        for number in range(LONG):
            store.add_message(made.id, "user", f"Question {number}: how do I solve it?")
            store.add_message(made.id, "assistant", FORMULAS)
        self.controller.chats.open(made.id)
        self.photo.wait(lambda: not drawings_of_formulas().is_busy)
        self.take("long")
        self.window.actions_.find.trigger()
        bar = self.window.findChild(FindBar)
        QTest.keyClicks(bar.field, "roots")
        self.take("find")
        bar.closed.emit()
        self.controller.chats.delete([made.id])
        self.take("deleted")
        self.window.toast.hide()

    def over_the_window(self) -> None:
        for mode in ("light", "dark"):
            self.photo.theme(mode)
            self.window.actions_.palette.trigger()
            self.photo.take(f"{self.size}-palette-{mode}")
            self.window.palette_.hide()
        self.photo.theme("light")
        self.controller.chats.open(self.controller.store.conversations()[0].id)
        self.window.actions_.earlier_pictures.trigger()
        self.take("earlier")
        self.controller.gallery.view.hide()

    def panel(self) -> None:
        self.window.panel.events_section.set_open(True)
        self.window.panel.show_entries_of("")
        self.photo.settle()
        self.take("panel")
        self.window.panel.events_section.set_open(False)
        self.window.panel.entries_section.set_open(False)

    def dialogs(self) -> None:
        for name in sections():
            self.photo.tuning.open_dialog(self.window, name)
            self.take(f"settings-{name}", self.photo.tuning.dialog)
        self.photo.tuning.dialog.close()
        self.window.actions_.models.trigger()
        page = self.controller.library.library.page
        self.take("models", page)
        page.close()
        self.controller.show_about()
        self.take("about", self.controller.about)
        self.controller.about.close()

    def zoomed(self) -> None:
        for _ in range(5):
            self.window.actions_.zoom_in.trigger()
        self.take("zoomed")
        self.window.actions_.zoom_reset.trigger()

    def failures(self) -> None:
        self.photo.lose_the_model()
        self.controller.chats.new()
        self.take("no-model")
        self.photo.ask("Is anybody there?")
        self.take("no-answer")
        self.window.toast.hide()
        self.controller.models.load("demo")
        self.photo.wait(lambda: self.controller.models.state.phase == "ready")


def main() -> None:
    photo = Photographer(Path(sys.argv[1]))
    photo.wait(lambda: photo.controller.models.state.phase == "ready")
    files = {file.stem: file for file in paths.samples_dir().glob("*.png")}
    chat(photo, files)
    tour = Tour(photo, files)
    pages: tuple[Callable[[], None], ...] = (
        tour.first_page, tour.conversation, tour.over_the_window, tour.panel, tour.dialogs, tour.zoomed,
        tour.long_conversation, tour.failures,
    )  # fmt: skip
    for tour.size, size in SIZES.items():
        photo.window.resize(size)
        for page in pages:
            page()
    photo.window.close()
    QApplication.processEvents()


if __name__ == "__main__":
    main()
