"""Take the tour of the README with the real window, engine and demo model, without anybody at the keyboard.

``python packaging/tour.py [report.json]`` in a checkout; a bundle takes it when ``SECOND_GLANCE_SELF_TEST`` names the
report. Exit status 0 means that every step did what the README says.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sights

REPORT = "SECOND_GLANCE_SELF_TEST"
PATIENCE = 180.0
"""Seconds that one step may take on a busy machine."""


class Tour:
    """The window, and what the README tells a newcomer to do with it."""

    def __init__(self) -> None:
        from app import paths
        from app.store.store import Store
        from app.ui.application import make_application, open_window
        from app.ui.tuning import Tuning

        began = time.monotonic()
        self.app = make_application(["second-glance"])
        tuning = Tuning(paths.settings_file(), self.app)
        tuning.change("generation", "temperature", 0.0)
        tuning.change("generation", "max_tokens", 24)
        self.store = Store(paths.data_dir())
        opened = open_window(self.store, tuning)
        self.window, self.controller = opened.window, opened.controller
        self.wait(self.window.isVisible)
        self.seconds_to_window = time.monotonic() - began
        self.wait(lambda: self.controller.models.state.phase == "ready")
        self.seconds_to_model = time.monotonic() - began

    def wait(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise SystemExit("The tour got stuck: the window did not get there in time.")
            self.app.processEvents()
            time.sleep(0.01)

    def ask(self, text: str, *pictures: Path) -> dict[str, Any]:
        """Drop the pictures, ask, and return the answer with its receipt."""
        composer = self.window.composer
        composer.add_files(pictures)
        self.wait(lambda: not composer.strip.is_loading())
        before = len(self.window.messages.messages())
        composer.edit.setPlainText(text)
        composer.submit()
        self.wait(lambda: len(self.window.messages.messages()) > before + 1)
        answer = self.window.messages.messages()[-1].id
        self.wait(lambda: self.store.message(answer).state == "complete")
        message = self.store.message(answer)
        return {"question": text, "answer": message.text, **(message.stats or {})}

    def leave(self) -> bool:
        """Close the window and return whether everything ended in time."""
        ended: list[bool] = []
        self.controller.closed.connect(ended.append)
        self.window.close()
        self.wait(lambda: ended)
        return ended[0]


def take(folder: Path) -> dict[str, Any]:
    """Take the tour with pictures drawn into ``folder``, and return what was seen."""
    from app import paths

    picture, same_renamed = draw(folder)
    tour = Tour()
    answers = [
        tour.ask("What is in the picture?", picture),
        tour.ask("Which colour is it?"),
    ]
    tour.window.actions_.new_chat.trigger()
    answers.append(tour.ask("What is in the picture?", same_renamed))
    overview = tour.window.panel.overview
    beyond = sights.see(tour, folder)
    tour.window.actions_.about.trigger()
    return {
        "platform": tour.app.platformName(),
        "app": str(paths.resources_dir().parent),
        "frozen": bool(getattr(sys, "frozen", False)),
        "seconds_to_window": round(tour.seconds_to_window, 3),
        "seconds_to_model": round(tour.seconds_to_model, 3),
        "answers": answers,
        "beyond": beyond,
        "licences": tour.controller.about.text.view.toPlainText(),
        "cached_bytes": overview.total_bytes,
        "ended_in_time": tour.leave(),
    }


def complaints(seen: dict[str, Any]) -> list[str]:
    """Return what the README promises and the tour did not see."""
    first, follow_up, again = seen["answers"]
    promises = {
        "The first question ran the vision encoder.": first["encoder_calls"] == 1,
        "Every question was answered.": all(answer["answer"].strip() for answer in seen["answers"]),
        "The follow-up reused the prompt so far.": follow_up["reused_tokens"] > 0 and follow_up["encoder_calls"] == 0,
        "The same picture in a new chat skipped the encoder.": again["encoder_calls"] == 0,
        "The same question about it has the same answer.": again["answer"] == first["answer"],
        "The About page names what the app is built on.": "mlx-vlm" in seen["licences"],
        "The panel counts what is cached.": seen["cached_bytes"] > 0,
        "Closing the window ended everything.": seen["ended_in_time"],
        **sights.complaints(seen["beyond"]),
    }
    return [f"Not so: {promise}" for promise, kept in promises.items() if not kept]


def draw(folder: Path) -> tuple[Path, Path]:
    """Draw a picture that the demo model knows, and the same one under another name and format."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (448, 336), "white")
    ImageDraw.Draw(picture).ellipse((120, 70, 320, 270), fill="#d02020")
    names = folder / "picture.png", folder / "the same one.bmp"
    for name in names:
        picture.save(name)
    return names


def main() -> int:
    target = os.environ.get(REPORT) or (sys.argv[1] if len(sys.argv) > 1 else "")
    with tempfile.TemporaryDirectory(prefix="second-glance-tour-") as folder:
        os.environ["SECOND_GLANCE_DATA_DIR"] = f"{folder}/data"
        os.environ["SECOND_GLANCE_CONFIG_DIR"] = f"{folder}/config"
        seen = take(Path(folder))
    report = json.dumps(seen, indent=2)
    if target:
        Path(target).write_text(report, encoding="utf-8")
    else:
        print(report)
    wrong = complaints(seen)
    print("\n".join(wrong) or "The tour went as the README says.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[1]))  # an installed app goes before the checkout's
    sys.exit(main())
