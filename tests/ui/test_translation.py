"""Languages are chosen rightly, numbers written as they are there, and sentences of other rooms recognised."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit
from pytestqt.qtbot import QtBot

from app.errors import ImageRefused
from app.inference.checkpoint import resolve
from app.inference.events import Progress
from app.inference.hub.failures import in_words as download_failed
from app.ui.messages.progress_text import progress_sentence
from app.ui.messages.receipt_text import receipt
from app.ui.messages.words import (
    THIN,
    count,
    entries,
    images,
    listed,
    percent,
    rate,
    seconds,
    sentence,
    together,
    tokens,
)
from app.ui.preferences.words import number_in_words
from app.ui.sentences import translated
from app.ui.translation import VARIABLE, known, locale_for, speak
from app.ui.units import size


@pytest.fixture
def german(qapp: QApplication) -> None:
    speak(qapp, "de")


@pytest.fixture
def chinese(qapp: QApplication) -> None:
    speak(qapp, "zh_CN")


@pytest.mark.parametrize(
    ("tags", "name"),
    [
        (["de-Latn-AT", "de-AT", "de"], "de"),
        (["fr-FR", "de-DE"], "de"),
        (["zh-Hans-CN", "zh-CN"], "zh_CN"),
        (["zh-Hans-SG"], "zh_CN"),
        (["zh-Hant-TW"], "en"),
        (["zh-Hant-TW", "zh-TW", "zh-Hant", "zh"], "en"),
        (["zh-Hant-TW", "zh-TW", "zh-Hant", "zh", "zh-Hans-CN"], "zh_CN"),
        (["zh-Hant-HK", "zh-HK", "zh-Hant", "zh", "de-Latn-DE", "de"], "de"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_systems_languages_are_taken_in_their_order(tags: list[str], name: str) -> None:
    assert known(tags) == name


def test_the_systems_own_dates_and_numbers_are_kept_where_the_language_is_its_own(monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, "de_AT")
    assert locale_for("system").name() == "de_AT"
    assert locale_for("de").name() == "de_AT"
    assert locale_for("zh_CN").name() == "zh_CN"
    monkeypatch.setenv(VARIABLE, "fr_FR")
    assert locale_for("system").name() == "en_US"


def test_german_numbers(german: None) -> None:
    assert count(1234567) == "1.234.567"
    assert size(1.5 * 1024**3) == f"1,5{THIN}GB"
    assert seconds(0.21) == f"0,21{THIN}s"
    assert seconds(125) == f"2{THIN}min 5{THIN}s"
    assert percent(1, 2) == f"50{THIN}%"
    assert rate(3.21) == "3,2 Token/s"
    assert number_in_words(0.7) == "0,7"
    assert number_in_words(1024) == "1024"
    assert (entries(1), entries(1200)) == ("1 Eintrag", "1.200 Einträge")


def test_chinese_numbers_and_stops(chinese: None) -> None:
    assert tokens(1) == "1 个 token"
    assert seconds(12.34) == "12.3 秒"
    assert listed(["一", "二"]) == "一，二"
    assert sentence("更换了模型") == "更换了模型。"
    assert together(["一。", "二。"]) == "一。二。"


def test_qt_speaks_the_language_too(german: None, qtbot: QtBot) -> None:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel | QDialogButtonBox.StandardButton.Close)
    field = QLineEdit("x")
    qtbot.addWidget(buttons)
    qtbot.addWidget(field)
    assert {button.text().replace("&", "") for button in buttons.buttons()} == {"Abbrechen", "Schließen"}
    menu = field.createStandardContextMenu()
    assert "Kopieren" in " ".join(action.text().replace("&", "") for action in menu.actions())
    menu.deleteLater()


def test_the_language_of_the_next_start_replaces_the_one_before(qapp: QApplication) -> None:
    for name, words in (("de", "1 Bild"), ("zh_CN", "1 张图片"), ("en", "1 image")):
        speak(qapp, name)
        assert QLocale().name().startswith(name)
        assert images(1) == words


def test_reasons_for_a_miss(german: None) -> None:
    stats = {"prompt_tokens": 1640, "reused_tokens": 0, "why": "no stored prompt begins like this one"}
    assert receipt(stats).sentence == (
        "Nichts wiederverwendet: kein gespeicherter Prompt beginnt wie dieser. Alle 1.640 Prompt-Token jetzt berechnet."
    )
    stats = {"prompt_tokens": 1640, "reused_tokens": 1400, "why": "first 1,400 tokens match; then the text differs"}
    assert receipt(stats).sentence == "1.400 von 1.640 Prompt-Token wiederverwendet; dann: der Text weicht ab."
    assert translated("first 1,400 tokens match; then image 2 is new") == (
        "die ersten 1.400 Token stimmen überein; dann: Bild 2 ist neu"
    )


def test_refusals(german: None) -> None:
    assert translated("“a b.png” is damaged (cut off).") == "„a b.png“ ist beschädigt (cut off)."
    needs = (
        "This conversation of 12,800 tokens needs about 4.5 GB of memory and 2.0 GB are free. Remove images or text, "
    )
    words = translated(f"{needs}close other programs, or use a smaller model.")
    assert words.startswith("Dieses Gespräch mit 12.800 Token braucht etwa 4,5 GB Speicher, und 2,0 GB sind frei.")
    nested = "settings.toml: Temperature must be 0 to 2, not 9. The default is used."
    assert translated(nested) == "settings.toml: Temperatur: erlaubt ist 0 to 2, nicht 9. Es gilt die Vorgabe."


def test_a_sentence_about_something_is_known_behind_its_colon(german: None) -> None:
    words = translated("settings.toml: There is no setting ssd.colour; it is ignored.")
    assert words == "settings.toml: Es gibt keine Einstellung ssd.colour; sie wird übergangen."


def test_what_the_rooms_really_say_is_known(german: None) -> None:
    with pytest.raises(Exception, match="There is no folder") as refused:
        resolve("/nowhere/model")
    assert translated(str(refused.value)) == "Es gibt keinen Ordner /nowhere/model."
    full = download_failed(OSError(28, "No space left on device"), "a/b")
    assert translated(str(full)).startswith("Die Festplatte ist voll.")
    no_room = "The disk cache could not be used: its size limit, or the free space of the volume, leaves no room."
    assert translated(no_room) == (
        "Der Festplatten-Cache konnte nicht benutzt werden: seine Größengrenze oder der freie Platz auf dem Volume "
        "lässt keinen Raum."
    )
    assert progress_sentence(Progress("load", 1, 4, note="Reading the weights")).replace(THIN, " ") == (
        "Modell wird geladen 25 % (Gewichte werden gelesen)"
    )


def test_what_nobody_knows_stays_as_it_is(german: None) -> None:
    assert translated("A new kind of trouble.") == "A new kind of trouble."
    assert translated("Trouble: of a new kind: it goes on.") == "Trouble: of a new kind: it goes on."
    assert translated("") == ""


@given(name=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_a_value_is_put_back_whatever_it_is(name: str) -> None:
    words = translated(str(ImageRefused(f"“{name}” does not exist.")))
    assert words == f"“{name}” does not exist."


def test_values_survive_in_german_too(german: None) -> None:
    for name in ("{ref}", "a} {b", "%n %1", "“x” is empty", "ＡＢＣ\n"):
        assert translated(f"“{name}” does not exist.") == f"„{name}“ gibt es nicht."
