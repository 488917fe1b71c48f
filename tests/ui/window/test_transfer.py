"""Chats out to files and back in, through the window's parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.inference.events import TextDelta
from app.store.records import StoredMessage
from app.ui.paper.progress import ProgressDialog
from app.ui.paper.slices import Step, Steps
from app.ui.transfer import ENDINGS, JSON, MARKDOWN, PDF, file_name, with_ending
from tests.ui.window.conftest import Desk


def test_a_chat_goes_out_and_comes_back_with_its_images(desk: Desk, pictures: Path, tmp_path: Path) -> None:
    desk.drop(pictures / "first.png")
    answer = desk.ask("What is in the picture?")
    desk.controller.transfer.export(tmp_path / "chat.json")
    desk.controller.transfer.export(tmp_path / "chat.md")
    assert answer.text in (tmp_path / "chat.md").read_text(encoding="utf-8")
    assert len(list((tmp_path / "chat-images").iterdir())) == 1
    before = desk.chat_id
    desk.controller.transfer.import_from(tmp_path / "chat.json")
    assert desk.chat_id != before
    assert [m.text for m in desk.messages()] == ["What is in the picture?", answer.text]
    assert desk.messages()[0].images[0].digest == desk.store.messages(before)[0].images[0].digest


@pytest.fixture
def printed(monkeypatch) -> list[str]:
    """Return what the last message said that was given to a printer, where the user has one."""
    said: list[str] = []

    def to_paper(printer: QPrinter, title: str, messages: Sequence[StoredMessage], pictures: object) -> Steps:
        said.append(messages[-1].text)
        yield Step(1.0)

    monkeypatch.setattr("app.ui.transfer.choose_printer", lambda title, over: QPrinter())
    monkeypatch.setattr("app.ui.transfer.print_chat", to_paper)
    return said


def test_an_answer_that_runs_goes_out_as_far_as_it_has_come(desk: Desk, tmp_path: Path, printed, monkeypatch) -> None:
    monkeypatch.setattr("app.ui.growing.SAVE_MS", 10**9)
    grown: list[str] = []

    def go_out(_: object, delta: TextDelta) -> None:
        grown.append(delta.text)
        if len(grown) == 1:
            desk.controller.transfer.export(tmp_path / "chat.md")
            desk.controller.transfer.print_chat()

    desk.controller.dialogue.answers.grew.connect(go_out)
    desk.ask("Hello")
    desk.wait(lambda: printed)
    assert grown[0].strip()
    assert (tmp_path / "chat.md").read_text(encoding="utf-8").endswith(f"\n{grown[0]}\n")
    assert printed == [grown[0]]


def test_what_is_no_chat_is_said(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    desk.controller.transfer.import_from(tmp_path / "x.json")
    assert "x.json" in desk.window.toast.label.text()
    desk.ask("Hello")
    desk.controller.transfer.export(tmp_path / "x.json" / "below.md")
    assert "cannot be written" in desk.window.toast.label.text()


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("a", MARKDOWN, "a.md"),
        ("a", JSON, "a.json"),
        ("a.md", JSON, "a.json"),
        ("v1.2", MARKDOWN, "v1.2.md"),
        ("a.md", PDF, "a.pdf"),
        ("v1.2", PDF, "v1.2.pdf"),
    ],
)
def test_endings(name: str, kind: str, expected: str) -> None:
    assert with_ending(Path(name), ENDINGS[kind]) == Path(expected)


def test_names_of_files() -> None:
    assert file_name('What: "this/that"?') == "What this that"
    assert file_name("…/..") == "…"
    assert file_name("???") == "chat"


@pytest.mark.parametrize("letter", ["a", "ä", "图", "😀"])
def test_a_long_title_is_a_name_that_can_be_written(desk: Desk, tmp_path: Path, letter: str) -> None:
    chat = desk.store.create_conversation(letter * 120)
    desk.store.add_message(chat.id, "user", "Hello")
    desk.controller.chats.open(chat.id)
    for ending in ENDINGS.values():
        desk.controller.transfer.export(tmp_path / f"{file_name(chat.title)}{ending}")
    desk.wait(lambda: len(list(tmp_path.iterdir())) == len(ENDINGS))


@pytest.mark.parametrize("wanted", [True, False])
def test_a_file_under_the_name_with_its_ending_is_replaced_only_if_wanted(
    desk: Desk, tmp_path: Path, monkeypatch, wanted: bool
) -> None:
    """The dialog for files asks about the name that was typed, ``chat``, and that is not there."""
    desk.ask("Hello")
    (tmp_path / "chat.json").write_text("precious")
    buttons = QMessageBox.StandardButton
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "chat"), JSON))
    monkeypatch.setattr(
        QMessageBox, "question", lambda *given: asked.append(given[2]) or (buttons.Yes if wanted else buttons.No)
    )
    desk.keys("Ctrl+Shift+E")
    assert asked == ["chat.json is there already. Replace it?"]
    assert ((tmp_path / "chat.json").read_text(encoding="utf-8") == "precious") is not wanted


def test_a_name_that_the_dialog_asked_about_is_not_asked_about_again(desk: Desk, tmp_path: Path, monkeypatch) -> None:
    desk.ask("Hello")
    (tmp_path / "chat.json").write_text("old")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "chat.json"), JSON))
    desk.keys("Ctrl+Shift+E")
    assert (tmp_path / "chat.json").read_text(encoding="utf-8") != "old"


def test_a_chat_goes_out_as_a_pdf(desk: Desk, pictures: Path, tmp_path: Path) -> None:
    desk.drop(pictures / "first.png")
    desk.ask("What is in the picture?")
    desk.controller.transfer.export(tmp_path / "chat.pdf")
    desk.wait(lambda: desk.window.toast.label.text() == "Exported to chat.pdf")
    assert (tmp_path / "chat.pdf").read_bytes().startswith(b"%PDF-")
    desk.wait(lambda: desk.window.findChild(ProgressDialog) is None)


def test_a_long_pdf_is_cancelled_with_escape(desk: Desk, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("app.ui.paper.progress.DELAY_MS", 0)
    chat = desk.store.create_conversation("Long")
    for number in range(200):
        desk.store.add_message(chat.id, "assistant", f"With $x_{{{number}}}$ and\n\n- more\n- words\n")
    desk.controller.chats.open(chat.id)
    desk.controller.transfer.export(tmp_path / "chat.pdf")
    dialog = desk.window.findChild(ProgressDialog)
    desk.wait(lambda: dialog.isVisible() and dialog.bar.value() > 0)
    with desk.qtbot.waitSignal(dialog.destroyed):
        desk.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert list(tmp_path.glob("*.pdf")) == []


def test_a_new_chat_has_nothing_to_print(desk: Desk) -> None:
    desk.keys("Ctrl+N", "Ctrl+P")
    assert desk.window.toast.label.text() == "There is nothing to print in a new chat."
