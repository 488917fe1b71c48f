"""Take the pictures of the documentation: the real window on the real engine with the demo model, drawn off screen.

Run from the checkout: ``python packaging/screenshots.py [folder]``.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("SECOND_GLANCE_LANGUAGE", "en")
_HOME = tempfile.TemporaryDirectory()
os.environ["SECOND_GLANCE_DATA_DIR"] = f"{_HOME.name}/data"
os.environ["SECOND_GLANCE_CONFIG_DIR"] = f"{_HOME.name}/config"

from PySide6.QtCore import QSize  # noqa: E402 - the folders must be set before the app is imported
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from app import paths  # noqa: E402
from app.store.store import Store  # noqa: E402
from app.ui.application import make_application, open_window  # noqa: E402
from app.ui.messages.formulas import formulas as drawings_of_formulas  # noqa: E402
from app.ui.tuning import Tuning  # noqa: E402

PATIENCE = 120.0
SIZE = QSize(1200, 800)
TALL = QSize(1200, 900)
SMALL = QSize(720, 520)


class Photographer:
    """Drives the window and takes its pictures."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.app = make_application(["second-glance"])
        self.tuning = Tuning(paths.settings_file(), self.app)
        for section, key, value in (
            ("appearance", "theme", "light"),
            ("appearance", "reduce_motion", True),
            ("generation", "temperature", 0.0),
            ("generation", "max_tokens", 48),
            ("caches", "work_ahead", False),
            ("ssd", "enabled", True),
        ):
            self.tuning.change(section, key, value)
        self.opened = open_window(Store(paths.data_dir()), self.tuning)
        self.window, self.controller = self.opened.window, self.opened.controller
        self.window.resize(SIZE)

    def wait(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise SystemExit("the window did not get there in time")
            self.app.processEvents()
            time.sleep(0.01)

    def settle(self) -> None:
        """Let thumbnails, layouts and delayed deliveries arrive."""
        end = time.monotonic() + 0.6
        self.wait(lambda: time.monotonic() > end)

    def take(self, name: str, widget: QWidget | None = None) -> None:
        self.settle()
        target = self.folder / f"{name}.png"
        (widget or self.window).grab().save(str(target))
        print(target)

    def attach(self, *files: Path) -> None:
        self.window.composer.add_files(files)
        self.wait(lambda: not self.window.composer.strip.is_loading())

    def ask(self, text: str, *files: Path) -> None:
        self.attach(*files)
        self.window.composer.edit.setPlainText(text)
        self.window.composer.submit()
        self.wait(lambda: len(self.controller.dialogue.answers) == 0)

    def lose_the_model(self) -> None:
        """Choose one that is not there."""
        self.controller.models.unload()
        self.controller.models.load("somebody/llama-vision")
        self.wait(lambda: self.controller.models.state.phase == "failed")

    def theme(self, mode: str) -> None:
        self.tuning.change("appearance", "theme", mode)

    def both(self, name: str, widget: QWidget | None = None) -> None:
        for mode in ("light", "dark"):
            self.theme(mode)
            self.take(f"{name}-{mode}", widget)
        self.theme("light")


def chat(photo: Photographer, files: dict[str, Path]) -> None:
    """Make a few chats, the last one worth a picture."""
    photo.ask("How many shapes are there?", files["budget"])
    photo.controller.chats.new()
    photo.ask("What does the title say?", files["store"])
    photo.controller.chats.set_pinned(photo.controller.chats.current.id, True)
    photo.controller.chats.new()
    photo.ask("Describe this picture.", files["home"])
    photo.ask("What is in the middle?")
    photo.ask("And what does the title say?", files["home"], files["store"])


FORMULAS = r"""The roots of $ax^2 + bx + c = 0$ with $a \neq 0$ are

\[
x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
\]

and for $b^2 - 4ac < 0$ there are none in $\mathbb{R}$.

```python
def roots(a: float, b: float, c: float) -> tuple[float, float]:
    d = (b * b - 4 * a * c) ** 0.5
    return (-b - d) / (2 * a), (-b + d) / (2 * a)
```

| | $a$ | $b$ | $c$ |
|---|---|---|---|
| $x^2 - 1$ | 1 | 0 | $-1$ |
"""


def formulas(photo: Photographer) -> None:
    """Show an answer such as larger models give."""
    store = photo.controller.store
    made = store.create_conversation("Quadratic equations")
    store.add_message(made.id, "user", "How do I solve a quadratic equation?")
    store.add_message(made.id, "assistant", FORMULAS)
    photo.controller.chats.open(made.id)
    photo.wait(lambda: not drawings_of_formulas().is_busy)
    photo.both("formulas")
    photo.controller.chats.delete([made.id])
    photo.window.toast.hide()


def panel(photo: Photographer) -> None:
    """Show the panel with its lists, and the pictures that can be attached again."""
    events = photo.window.panel.events_section
    events.set_open(True)
    photo.window.resize(TALL)
    photo.both("panel", photo.window.panel)
    events.set_open(False)
    photo.window.panel.show_entries_of("")
    photo.settle()
    photo.both("entries", photo.window.panel)
    photo.window.panel.entries_section.set_open(False)
    photo.window.resize(SIZE)
    photo.window.actions_.earlier_pictures.trigger()
    photo.both("earlier-pictures")
    photo.controller.gallery.view.hide()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    photo = Photographer(folder)
    photo.wait(lambda: photo.controller.models.state.phase == "ready")
    photo.both("empty")
    files = {file.stem: file for file in paths.samples_dir().glob("*.png")}
    chat(photo, files)
    photo.attach(files["home"], files["budget"])
    photo.window.composer.edit.setPlainText("Compare these two")
    photo.both("window")
    panel(photo)
    photo.tuning.open_dialog(photo.window, "caches")
    photo.both("settings", photo.tuning.dialog)
    photo.tuning.dialog.close()
    photo.window.resize(SMALL)
    photo.both("small")
    photo.window.actions_.panel.trigger()
    photo.take("small-panel-light")
    photo.window.actions_.panel.trigger()
    photo.window.resize(SIZE)
    photo.window.composer.set_draft("", [])
    formulas(photo)
    photo.lose_the_model()
    photo.ask("Is anybody there?")
    photo.window.toast.hide()
    photo.both("error")
    photo.controller.chats.new()
    photo.take("no-model-light")
    photo.window.close()
    QApplication.processEvents()


if __name__ == "__main__":
    main()
