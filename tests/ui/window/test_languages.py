"""A user who reads German or Chinese: nothing stays English, no letter is asked for twice, nothing is cut off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from marked_texts import Text, all_texts
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QRadioButton,
    QTextEdit,
    QToolButton,
    QWidget,
)

from app.ui.translation import speak
from tests.ui.window.conftest import Desk

QUESTIONS = {"de": "Was ist auf dem Bild?", "zh_CN": "图片里有什么？"}
VALUE = re.compile(r"\{\w+\}|%Ln")
SLACK = 1
"""Pixels; text may be wider by a rounded fraction."""


def english(language: str) -> list[tuple[Text, re.Pattern[str]]]:
    """Return the texts of the catalogue that read otherwise in ``language``, as patterns of what is made of them."""
    found = []
    for text in all_texts():
        own = VALUE.sub("", text.source)
        if len(re.findall(r"[A-Za-z]{2,}", own)) and translated(text) != text.source:
            pieces = [re.escape(piece) for piece in VALUE.split(text.source)]
            found.append((text, re.compile(".*?".join(pieces), re.DOTALL)))
    return found


def translated(text: Text) -> str:
    return QCoreApplication.translate(text.context, text.source, text.note, 2 if text.counted else -1)


def words_of(widget: QWidget) -> Iterator[str]:
    """Yield what a widget says: shown, as tooltip, and to a screen reader."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if widget.isWindow():
        yield widget.windowTitle()
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    if isinstance(widget, QLineEdit | QTextEdit):
        yield widget.placeholderText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(number) for number in range(widget.count()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        model = widget.model()
        for row in range(model.rowCount()):
            yield str(model.index(row, 0).data() or "")
            yield str(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) or "")
    for action in widget.actions():
        yield from (action.text(), action.toolTip())


def everything(*roots: QWidget) -> set[str]:
    widgets = [widget for root in roots for widget in (root, *root.findChildren(QWidget))]
    said = {line.strip() for widget in widgets for words in words_of(widget) for line in words.split("\n")}
    return {line.removesuffix("…") for line in said} | said


def left_in_english(language: str, said: set[str]) -> dict[str, str]:
    catalogue = english(language)
    return {
        line: text.context
        for line in said
        for text, pattern in catalogue
        if line and pattern.fullmatch(line) and line != translated(text)
    }


@pytest.fixture(params=["de", "zh_CN"])
def language(request: pytest.FixtureRequest) -> str:
    return request.param


def ask(desk: Desk, question: str) -> None:
    desk.window.composer.edit.setPlainText(question)  # QTest types nothing but ASCII
    desk.sends(desk.press_enter)


def walk(desk: Desk, language: str, pictures: Path) -> list[QWidget]:
    """Go wherever a user can go, and return the windows that were opened."""
    window, controller = desk.window, desk.controller
    window.resize(1000, 700)
    desk.wait_ready()
    desk.drop(pictures / "first.png")
    ask(desk, QUESTIONS[language])
    desk.drop(pictures / "first.png", pictures / "other.png", pictures / "broken.png")
    ask(desk, QUESTIONS[language])
    desk.drop(pictures / "second.png", pictures / "broken.png")
    window.messages.start_finding()
    window.panel.entries_section.set_open(True)
    window.panel.events_section.set_open(True)
    desk.wait(window.panel.entries.model.rowCount)
    window.actions_.earlier_pictures.trigger()
    window.actions_.palette.trigger()
    controller.tuning.open_dialog(window, "caches")
    controller.show_about()
    window.actions_.models.trigger()
    page = controller.library.library.page
    desk.wait(lambda: page.models)
    controller.chats.delete([desk.chat_id])
    window.actions_.new_incognito.trigger()
    return [window, controller.tuning.dialog, controller.about, page]


def test_nothing_stays_english(open_desk: Callable[..., Desk], language: str, pictures: Path) -> None:
    desk = open_desk(appearance__language=language)
    windows = walk(desk, language, pictures)
    said = everything(*windows)
    assert len(said) > 300
    assert left_in_english(language, said) == {}


def test_a_wrong_text_would_be_found(qapp: QApplication) -> None:
    speak(qapp, "de")
    said = {"Add images", "1,612 of 1,640 prompt tokens reused", "Bilder hinzufügen", "Chat"}
    assert set(left_in_english("de", said)) == {"Add images", "1,612 of 1,640 prompt tokens reused"}


def test_no_menu_asks_twice_for_a_letter(open_desk: Callable[..., Desk], language: str) -> None:
    desk = open_desk(appearance__language=language, model__load_at_start=False)
    menus = desk.window.findChildren(QMenu)
    assert len(menus) >= 4
    for menu in menus:
        texts = [action.text() for action in menu.actions() if action.text()]
        letters = Counter(found[1].casefold() for text in texts if (found := re.search(r"&(\w)", text)))
        assert max(letters.values(), default=1) == 1, texts
        assert len(texts) == len(set(texts)), texts


def settle() -> None:
    """Let layouts that depend on each other come to rest: each pass is an event."""
    for _ in range(5):
        QApplication.processEvents()


def said_by(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return widget.text() if isinstance(widget, QLabel | QPushButton | QCheckBox | QRadioButton | QToolButton) else ""


def cut_off(root: QWidget) -> list[str]:
    """Return the texts that have not the room they need."""
    short = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty() or not said_by(widget):
            continue
        if isinstance(widget, QLabel) and widget.wordWrap():
            needed, has = widget.heightForWidth(widget.width()), widget.height()
        else:
            needed, has = widget.minimumSizeHint().width(), widget.width()
        if needed > has + SLACK:
            short.append(f"{type(widget).__name__} {said_by(widget)!r}: {needed} needed, {has} there")
    return short


def test_german_has_room_in_a_small_window(open_desk: Callable[..., Desk], pictures: Path) -> None:
    desk = open_desk(appearance__language="de")
    windows = walk(desk, "de", pictures)
    desk.controller.chats.open_last()
    dialog = desk.controller.tuning.dialog
    settle()
    found = [line for window in windows for line in cut_off(window)]
    for row in range(dialog.navigation.count()):
        dialog.navigation.setCurrentRow(row)
        settle()
        found += cut_off(dialog)
    assert found == []
    assert dialog.navigation.sizeHintForColumn(0) <= dialog.navigation.viewport().width()


def test_a_failure_is_kept_in_english_and_told_in_german(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(appearance__language="de", model__ref="/nowhere/model")
    told, kept = "Es gibt keinen Ordner /nowhere/model.", "There is no folder /nowhere/model."
    desk.wait(desk.window.toast.label.text)
    assert desk.window.toast.label.text() == desk.window.empty.problem.text() == told
    assert desk.ask("Wer bist du?").error == kept
    labels = [label.text() for label in desk.widget(-1).findChildren(QLabel)]
    assert told in labels
    assert kept not in everything(desk.window)


def test_the_language_is_a_setting_that_waits_for_the_next_start(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.controller.tuning.open_dialog(desk.window, "appearance")
    row = desk.controller.tuning.dialog.rows["appearance.language"]
    box = row.editor.box
    names = [box.itemText(number) for number in range(box.count())]
    assert names == ["As the system", "English", "Deutsch", "简体中文"]
    assert "next start" in row.help.text()
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert desk.controller.tuning.settings.appearance.language == "de"
    assert desk.window.actions_.settings.text() == "Settings…"
    desk.window.close()
    again = open_desk(appearance__language="de", model__load_at_start=False)
    assert again.window.actions_.settings.text() == "Einstellungen…"
