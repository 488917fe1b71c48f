"""Work ahead of a question that cannot be answered: it is said once, and not where a chat is only read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ui.window.conftest import Desk


@pytest.fixture
def blind(open_desk: Callable[..., Desk], checkpoints: Callable[[str], Path], pictures: Path) -> Desk:
    """A window whose model takes no images, on a new chat beside one with a picture."""
    model = str(checkpoints("text_qwen3"))
    desk = open_desk(model__ref=model, caches__work_ahead=True, caches__work_ahead_on_battery=True)
    desk.wait_ready()
    chat = desk.store.create_conversation("With a picture", model_ref=model)
    image = desk.controller.images.add((pictures / "first.png").read_bytes(), "first.png")
    desk.store.add_message(chat.id, "user", "What is it?", images=[image])
    desk.store.add_message(chat.id, "assistant", "A square.")
    desk.controller.chats.new()
    return desk


def test_a_chat_with_a_picture_is_read_in_peace(blind: Desk) -> None:
    (chat,) = (chat for chat in blind.store.conversations() if chat.title == "With a picture")
    with blind.qtbot.waitSignal(blind.controller.service.prepared):
        blind.controller.chats.open(chat.id)
    assert not blind.window.toast.isVisible()


def test_a_picture_for_a_model_that_takes_none_is_told_once(blind: Desk, pictures: Path) -> None:
    with blind.qtbot.waitSignal(blind.controller.service.prepared) as prepared:
        blind.drop(pictures / "first.png")
    assert prepared.args[1:] == [False, True]
    assert "takes no images. Load a model that does" in blind.window.toast.label.text()
    blind.window.toast.hide()
    ahead = blind.controller.dialogue.ahead
    blind.type("What is it?")
    assert not ahead._timer.isActive(), "the same is not tried after each pause in typing"
    with blind.qtbot.waitSignal(blind.controller.service.prepared):
        blind.drop(pictures / "second.png")
