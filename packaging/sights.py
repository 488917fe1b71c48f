"""What the tour looks at beyond the README's five minutes: the parts of the window that need data files or plug-ins.

A bundle can lack any of these and still answer: the fonts of formulas, Qt's parts for PDF files, printers and the
desktop's message bus, the sample pictures.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tour import Tour

FORMULA = r"It is $\sqrt{2}$ times as long as a side."
OBJECT = "\ufffc"
"""Stands in a text for an image, such as a drawn formula."""


def see(tour: Tour, folder: Path) -> dict[str, Any]:
    """Look at everything, write files into ``folder``, and return what was seen."""
    return {
        "sample": try_a_sample(tour),
        "formula": see_a_formula(tour),
        "pdf_bytes": export(tour, folder / "chat.pdf"),
        "printers": printers(),
        "capture": ask_for_the_screen(tour),
        "german": in_german(tour),
    }


def complaints(seen: dict[str, Any]) -> dict[str, bool]:
    """Return what should be so, and whether it is."""
    sample, capture = seen["sample"], seen["capture"]
    return {
        "A sample picture opens and its title is read.": Path(sample["picture"]).stem in sample["answer"].lower(),
        "A formula is drawn.": OBJECT in seen["formula"],
        "A PDF is written.": seen["pdf_bytes"] > 1000,
        "The screen can be captured, or it is said why not.": capture["possible"]
        or capture["says"].endswith((".", "。")),
        "The window can speak German, Qt's own words included.": seen["german"] == ["Beenden", "Abbrechen"],
    }


def try_a_sample(tour: Tour) -> dict[str, Any]:
    """Press the first sample picture of a new chat's page, and ask what its title says."""
    composer = tour.window.composer
    tour.window.actions_.new_chat.trigger()
    button = tour.window.empty.samples.buttons[0]
    tour.wait(button.isVisible)
    button.click()
    tour.wait(lambda: composer.draft().images and not composer.strip.is_loading())
    (image,) = composer.draft().images
    return {"picture": image.name, **tour.ask("What does the title say?")}


def see_a_formula(tour: Tour) -> str:
    """Open a chat with a formula in its answer, wait until its source is gone, and return that answer as shown."""
    chat = tour.store.create_conversation("A formula")
    tour.store.add_message(chat.id, "user", "How long is the diagonal of a square?")
    answer = tour.store.add_message(chat.id, "assistant", FORMULA)
    tour.controller.chats.open(chat.id)
    (shown,) = tour.window.messages.widget_of(answer.id).texts()
    tour.wait(lambda: "$" not in shown.toPlainText())
    return str(shown.toPlainText())


def export(tour: Tour, target: Path) -> int:
    """Export the open chat as PDF; return the size in bytes, or 0 for what is none."""
    tour.controller.transfer.export(target)
    tour.wait(target.is_file)  # it is put there whole
    content = target.read_bytes()
    return len(content) if content.startswith(b"%PDF-") else 0


def printers() -> list[str]:
    """Return the system's printers, of which there may be none."""
    from PySide6.QtPrintSupport import QPrinterInfo

    return [str(name) for name in QPrinterInfo.availablePrinterNames()]


def in_german(tour: Tour) -> list[str]:
    """Return a word of ours and one of Qt's in German; the language in force comes back."""
    from app.ui.translation import speak, translate

    speak(tour.app, "de")
    words = [translate("Actions", "Quit"), translate("QPlatformTheme", "Cancel")]
    speak(tour.app, tour.controller.tuning.settings.appearance.language)
    return words


def ask_for_the_screen(tour: Tour) -> dict[str, Any]:
    """Return whether the screen can be captured here, and what the action says of it."""
    action = tour.window.actions_.capture
    tour.wait(action.statusTip)  # it is found out once the window stands
    return {"possible": action.isEnabled(), "says": action.statusTip()}
