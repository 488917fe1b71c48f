"""How branches are called: counted, in each language, also those of branches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.ui.requests import branch_title
from app.ui.translation import speak
from tests.ui.window.conftest import Desk


@pytest.fixture
def spoken(qapp: QApplication) -> Iterator[Callable[[str], None]]:
    yield lambda language: speak(qapp, language)
    speak(qapp, "en")


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["Login (branch)", "Login (branch 2)", "Login (branch 3)"]),
        ("de", ["Login (Zweig)", "Login (Zweig 2)", "Login (Zweig 3)"]),
        ("zh_CN", ["Login（分支）", "Login（分支 2）", "Login（分支 3）"]),
    ],
)
def test_branches_are_counted(spoken: Callable[[str], None], language: str, names: list[str]) -> None:
    spoken(language)
    taken = ["Login"]
    for name in names:
        taken.append(branch_title(taken[-1], taken))
        assert taken[-1] == name
    assert branch_title("Login", taken[:2]) == names[1]
    assert branch_title("f(x) [a]", []) == names[0].replace("Login", "f(x) [a]")


def test_a_branch_of_a_branch_is_counted_in_the_window(desk: Desk) -> None:
    desk.ask("Hello")
    for number in range(2):
        desk.click(desk.widget(1).fork_button)
        desk.wait(lambda number=number: len(desk.store.conversations()) == number + 2)
    assert desk.window.toolbar.title.text() == "Hello (branch 2)"
