"""What the thumbnail says before sending agrees with what the engine then counts, also after a change of the model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.inference.events import ImageView
from app.store.records import StoredImage
from app.ui.composer.badge import Known
from app.ui.image_notes import known_of, size_note
from tests.models.pictures import screenshot, with_corner_changed
from tests.ui.window.conftest import Desk

IMAGE = StoredImage("d", 1568, 980, "screen.png")


@pytest.mark.parametrize(
    ("view", "note"),
    [
        (ImageView(1024, 640, 414), "1568×980 → 1024×640, 414 tokens"),
        (ImageView(1568, 980, 2048), "1568×980, 2,048 tokens"),
        (ImageView(224, 224, 1), "1568×980 → 224×224, 1 token"),
        (None, ""),
    ],
)
def test_the_note_in_words(view: ImageView | None, note: str) -> None:
    assert size_note(IMAGE, view) == note


@pytest.mark.parametrize(
    ("tiles_known", "state", "known"),
    [
        (11, "new", Known("partly", "1568×980, 2,048 tokens\n11 of 12 tiles known", "11/12")),
        (12, "new", Known("ready", "1568×980, 2,048 tokens")),
        (0, "new", Known("new", "1568×980, 2,048 tokens")),
        (11, "preparing", Known("preparing", "1568×980, 2,048 tokens")),
        (11, "ready", Known("ready", "1568×980, 2,048 tokens")),
    ],
)
def test_what_is_known_of_the_tiles_is_on_the_badge(tiles_known: int, state: str, known: Known) -> None:
    assert known_of(IMAGE, ImageView(1568, 980, 2048, 12, tiles_known), state) == known


def test_the_thumbnail_says_the_size_and_the_tokens_of_the_model_in_use(
    open_desk: Callable[..., Desk], pictures: Path
) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    desk.drop(pictures / "first.png")
    (item,) = desk.window.composer.strip.items()
    assert item.note == ""
    desk.controller.models.ensure_loading()
    desk.wait_ready()
    desk.wait(lambda: item.note)
    view = desk.engine.image_view(320, 200)
    assert item.note == size_note(item.image, view)
    assert f"{view.tokens} tokens" in item.toolTip()
    desk.drop(pictures / "second.png")
    second = desk.window.composer.strip.items()[1]
    desk.wait(lambda: second.note)
    assert second.note.startswith("240×240")


@pytest.mark.parametrize("family", ["smolvlm", "lfm2_vl"])
def test_tomorrow_the_badge_says_how_many_tiles_of_a_changed_screenshot_are_known(
    open_desk: Callable[..., Desk], checkpoints: Callable[[str], Path], tmp_path: Path, family: str
) -> None:
    pictures = {"before.png": screenshot(), "after.png": with_corner_changed(screenshot())}
    for name, picture in pictures.items():
        picture.save(tmp_path / name)
    values = {"model__ref": str(checkpoints(family)), "ssd__enabled": True}
    desk = open_desk(**values)
    desk.wait_ready()
    desk.drop(tmp_path / "before.png")
    (first,) = desk.ask("What is open?").stats["images"]
    desk.window.close()

    reopened = open_desk(**values)
    reopened.wait_ready()
    reopened.drop(tmp_path / "before.png", tmp_path / "after.png")
    same, changed = reopened.window.composer.strip.items()
    reopened.wait(lambda: (same.state, changed.state) == ("ready", "partly"))
    known, tiles = map(int, changed.known.share.split("/"))
    *_, old, new = reopened.ask("What has changed?").stats["images"]

    assert tiles == first["tiles_run"] == new["tiles"]
    assert new["tiles_run"] == tiles - known == 2, "the corner's tile, and the one of the whole picture"
    assert (old["skipped"], old["tiles_run"]) == (True, 0)
