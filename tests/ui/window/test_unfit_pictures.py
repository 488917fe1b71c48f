"""A picture that the loaded model cannot take: it is said before sending, nothing is lost, and no chat ends with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.ui.window.conftest import Desk

pytestmark = pytest.mark.allows_log("cannot take")


@pytest.fixture
def strip_of_pixels(tmp_path: Path) -> Path:
    """A picture of a shape that the demo model refuses."""
    file = tmp_path / "tall.png"
    Image.new("RGB", (3, 900), "red").save(file)
    return file


def attach_unfit(desk: Desk, file: Path):
    """Attach ``file`` and return its thumbnail once the model has refused it."""
    desk.drop(file)
    (item,) = desk.window.composer.strip.items()
    desk.wait(lambda: item.state == "unfit")
    return item


def test_it_is_refused_with_the_reason_before_sending(desk: Desk, strip_of_pixels: Path) -> None:
    item = attach_unfit(desk, strip_of_pixels)
    assert "tall.png is 3×900 pixels, a shape that this model cannot take" in item.toolTip()
    assert "tall.png is 3×900 pixels" in desk.window.composer.reasons.text()
    desk.type("What is it?")

    desk.press_enter()

    draft = desk.window.composer.draft()
    assert (draft.text, [image.name for image in draft.images]) == ("What is it?", ["tall.png"])
    assert desk.messages() == []
    assert "tall.png is 3×900 pixels" in desk.window.toast.label.text()
    item.remove_requested.emit()
    assert desk.sends(desk.press_enter).state == "complete"


def test_another_model_may_take_it(desk: Desk, strip_of_pixels: Path, checkpoints: Callable[[str], Path]) -> None:
    item = attach_unfit(desk, strip_of_pixels)
    desk.controller.models.choose(str(checkpoints("llava_next")))
    desk.wait(lambda: item.state == "new" and item.note)
    desk.type("What is it?")
    assert desk.sends(desk.press_enter).state == "complete"


def test_a_model_that_takes_no_pictures_refuses_each(
    open_desk: Callable[..., Desk], checkpoints: Callable[[str], Path], pictures: Path
) -> None:
    desk = open_desk(model__ref=str(checkpoints("text_qwen3")))
    desk.wait_ready()
    item = attach_unfit(desk, pictures / "first.png")
    assert "takes no images" in item.note


def test_a_question_that_was_sent_with_it_is_edited_without_it(desk: Desk, strip_of_pixels: Path) -> None:
    image = desk.controller.images.add(strip_of_pixels.read_bytes(), "tall.png")
    failed = desk.sends(lambda: desk.controller.dialogue.send("What is it?", [image]))
    assert failed.state == "failed"
    assert "tall.png is 3×900 pixels" in desk.widget(-1).note.sentence.text()
    card = desk.widget(0)
    card.start_editing()
    (item,) = card.strip.items()
    desk.wait(lambda: item.state == "unfit")
    assert "tall.png is 3×900 pixels" in card.why.text()
    with desk.qtbot.assertNotEmitted(card.edited):
        desk.keys_in(card.field)

    desk.click(item.remove_button)

    assert not card.why.isVisible()
    assert desk.sends(lambda: desk.keys_in(card.field)).state == "complete"
    assert desk.messages()[0].images == ()
    assert desk.ask("And now?").state == "complete"


def test_cancelling_an_edit_brings_the_pictures_back(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png", pictures / "second.png")
    desk.ask("What are they?")
    card = desk.widget(0)
    card.start_editing()
    assert not card.pictures.isVisible()
    card.strip.items()[0].remove_requested.emit()
    assert [image.name for image in desk.window.messages.edited_images()] == ["second.png"]
    card.stop_editing()
    assert card.pictures.isVisible()
    assert [image.name for image in desk.messages()[0].images] == ["first.png", "second.png"]
    assert desk.window.messages.edited_images() == []
