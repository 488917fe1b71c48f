"""Pictures to try the demo model with: one press and a question, and the answer is about that picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.paths import samples_dir
from tests.ui.window.conftest import Desk


def test_a_new_user_presses_a_sample_and_asks(open_desk: Callable[..., Desk], qtbot) -> None:
    desk = open_desk()
    desk.wait_ready()
    samples = desk.window.empty.samples
    assert samples.isVisibleTo(desk.window)
    assert len(samples.buttons) == len(list(samples_dir().glob("*.png"))) >= 3
    desk.click(samples.buttons[1])
    qtbot.waitUntil(lambda: len(desk.window.composer.draft().images) == 1)
    assert desk.window.composer.draft().images[0].name == sorted(samples_dir().glob("*.png"))[1].name
    answer = desk.ask("What does the title say?")
    assert answer.text
    assert not samples.isVisibleTo(desk.window)


@pytest.mark.parametrize("file", sorted(samples_dir().glob("*.png")), ids=lambda path: path.stem)
def test_each_has_a_name_for_those_who_do_not_see_it(file: Path, open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    names = [button.accessibleName() for button in desk.window.empty.samples.buttons]
    assert any(file.stem.replace("-", " ") in name for name in names)


def test_another_model_is_not_offered_them(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.wait_ready()
    desk.window.empty.offer_samples(False)
    assert not desk.window.empty.samples.isVisibleTo(desk.window)


def test_they_are_left_out_rather_than_squeezed(open_desk: Callable[..., Desk], qtbot) -> None:
    desk = open_desk()
    desk.wait_ready()
    empty = desk.window.empty
    full = empty.samples.buttons[0].sizeHint()
    for height, seen in ((700, True), (320, False), (700, True)):
        empty.resize(480, height)
        assert empty.samples.isVisibleTo(empty) is seen
    qtbot.waitUntil(lambda: empty.samples.buttons[0].size() == full)
