"""The settings dialog: made from the declarations, checked in place, in force at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from app.cache.protocols import CacheOverview, TierRow
from app.settings.declarations import Settings
from app.settings.fields import changed, for_app, sections
from app.ui.messages.words import THIN
from app.ui.preferences import PreferencesDialog
from app.ui.preferences.budget import budget_words, machine_mb
from app.ui.preferences.row import SettingRow
from app.ui.translation import VARIABLE, speak

MB = 1024 * 1024


@pytest.fixture
def dialog(qtbot) -> PreferencesDialog:
    made = PreferencesDialog(Settings())
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def told(dialog: PreferencesDialog) -> list[Settings]:
    settings: list[Settings] = []
    dialog.settings_changed.connect(settings.append)
    return settings


def type_into(qtbot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_every_declared_setting_is_there_once_with_its_help(dialog: PreferencesDialog) -> None:
    assert list(dialog.rows) == [field.name for field in for_app()]
    for field in for_app():
        assert field.help in dialog.rows[field.name].help.text()
    titles = [dialog.navigation.item(n).text() for n in range(dialog.navigation.count())]
    assert titles == [*(section.__doc__ for section in sections().values()), "Shortcuts", "Privacy"]


def test_every_control_has_a_name(dialog: PreferencesDialog) -> None:
    kinds = QAbstractButton | QComboBox | QLineEdit | QPlainTextEdit | QSlider
    controls = [w for row in dialog.rows.values() for w in row.findChildren(QWidget) if isinstance(w, kinds)]
    assert len(controls) > 40
    assert [w for w in controls if not w.accessibleName() and not _inside(w)] == []


def test_the_disk_folder_says_what_is_free_and_can_be_shown(
    dialog: PreferencesDialog, qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: bool(shown.append(url.toLocalFile())) or True)
    folder = tmp_path / "not made yet"
    dialog.show_settings(changed(Settings(), "ssd", "directory", str(folder)))
    dialog.show_overview(CacheOverview((TierRow("ssd", 1, 3 * MB, 10 * MB, 0, 0),)))
    row = dialog.rows["ssd.directory"]
    assert row.note.text().startswith(f"{folder}. 3{THIN}MB used, ")
    assert "free on this volume" in row.note.text()
    button = next(b for b in row.findChildren(QAbstractButton) if b.text() == "Show")
    dialog.open_page("ssd")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown == [str(tmp_path)], "the nearest folder that is there"


def test_a_number_is_in_force_when_it_was_entered(dialog: PreferencesDialog, told: list, qtbot) -> None:
    dialog.open_page("caches")
    row = dialog.rows["caches.min_prefix_tokens"]
    type_into(qtbot, row.editor.line, "128")
    assert told[-1].caches.min_prefix_tokens == 128
    assert row.reset.isVisibleTo(row)
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert told[-1].caches.min_prefix_tokens == 1
    assert row.editor.line.text() == "1"
    assert not row.reset.isVisibleTo(row)


@pytest.mark.parametrize("text", ["-5", "many", "1e9"])
def test_what_does_not_fit_is_explained_in_place_and_not_told(dialog, told, qtbot, text: str) -> None:
    dialog.open_page("caches")
    row = dialog.rows["caches.vision_mb"]
    type_into(qtbot, row.editor.line, text)
    assert told == []
    assert "Memory for images must be 0 to 1048576 MB" in row.error.text()
    assert row.error.isVisible()
    assert row.editor.line.property("invalid") is True
    type_into(qtbot, row.editor.line, "256")
    assert told[-1].caches.vision_mb == 256
    assert not row.error.isVisible()


@pytest.mark.parametrize(
    ("language", "name", "text", "value"),
    [
        ("en", "ssd.size_gb", "1,500", 1500.0),
        ("en", "ssd.size_gb", "1,500.5", 1500.5),
        ("en", "ssd.size_gb", "1,5", 1.5),
        ("en", "caches.vision_mb", "1,024", 1024),
        ("de", "ssd.size_gb", "1.500", 1500.0),
        ("de", "ssd.size_gb", "2,5", 2.5),
        ("de", "ssd.size_gb", "2.5", 2.5),
        ("de", "generation.temperature", "0.125", 0.125),
        ("de", "caches.vision_mb", "1.024", 1024),
        ("de_AT", "caches.vision_mb", "1 024", 1024),
        ("de_CH", "caches.vision_mb", "1'024", 1024),
        ("zh_CN", "ssd.size_gb", "1,500", 1500.0),
    ],
)
def test_numbers_are_read_as_the_language_writes_them(
    qtbot, qapp: QApplication, monkeypatch, language: str, name: str, text: str, value: float
) -> None:
    monkeypatch.setenv(VARIABLE, language)
    speak(qapp, "system")
    row = SettingRow(next(field for field in for_app() if field.name == name))
    qtbot.addWidget(row)
    with qtbot.waitSignal(row.edited) as edited:
        type_into(qtbot, row.editor.line, text)
    assert edited.args[1] == value


@pytest.mark.parametrize(("language", "text"), [("de", "1.5"), ("de", "0.125"), ("en", "1,5"), ("en", "10,24")])
def test_half_a_number_is_no_whole_one(qtbot, qapp: QApplication, dialog, told, language: str, text: str) -> None:
    speak(qapp, language)
    dialog.open_page("caches")
    row = dialog.rows["caches.vision_mb"]
    type_into(qtbot, row.editor.line, text)
    assert told == []
    assert text in row.error.text()


def test_a_number_that_does_not_fit_is_told_as_it_was_typed(qtbot, qapp: QApplication, dialog, told) -> None:
    speak(qapp, "de")
    dialog.open_page("ssd")
    type_into(qtbot, dialog.rows["ssd.size_gb"].editor.line, "0,05")
    assert told == []
    assert "0,05" in dialog.rows["ssd.size_gb"].error.text()


def test_enter_presses_no_button(dialog: PreferencesDialog, told: list, qtbot, monkeypatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *given: asked.append(given) or "")
    dialog.open_page("model")
    type_into(qtbot, dialog.rows["model.ref"].editor.line, "owner/model")
    type_into(qtbot, dialog.rows["model.image_side"].editor.line, "800")
    assert (told[-1].model.ref, told[-1].model.image_side) == ("owner/model", 800)
    assert asked == []


def test_a_budget_moves_by_slider_and_says_what_it_means(dialog, told, qtbot) -> None:
    dialog.open_page("caches")
    dialog.show_overview(CacheOverview((TierRow("vision", 3, 300 * MB, 512 * MB, 1, 1),)))
    row = dialog.rows["caches.vision_mb"]
    row.editor.slider.setFocus()
    qtbot.keyClick(row.editor.slider, Qt.Key.Key_Left)
    assert told[-1].caches.vision_mb == 448
    type_into(qtbot, row.editor.line, "256")
    assert row.editor.slider.value() == 4
    assert row.note.text().replace(THIN, " ").endswith("300 MB used now; 44 MB would go.")


def test_budget_words_without_caches_name_the_share_of_the_machine() -> None:
    assert budget_words(machine_mb(), None).startswith(f"100{THIN}% of ")


@pytest.mark.parametrize("kind", ["relative", "file", "forbidden"])
def test_a_folder_that_cannot_be_used_is_refused_in_place(dialog, told, qtbot, tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("x")
    folder, words = {
        "relative": ("cache", "whole path"),
        "file": (str(tmp_path / "file" / "below"), "is a file"),
        "forbidden": ("/proc/second-glance", "cannot be written"),
    }[kind]
    dialog.open_page("ssd")
    row = dialog.rows["ssd.directory"]
    type_into(qtbot, row.editor.line, folder)
    assert words in row.error.text()
    assert told == []


def test_a_folder_that_does_not_exist_yet_is_fine(dialog, told, qtbot, tmp_path: Path) -> None:
    dialog.open_page("ssd")
    type_into(qtbot, dialog.rows["ssd.directory"].editor.line, str(tmp_path / "new" / "cache"))
    assert told[-1].ssd.directory == str(tmp_path / "new" / "cache")


def test_boxes_choices_and_texts(dialog, told, qtbot) -> None:
    dialog.open_page("ssd")
    box = dialog.rows["ssd.enabled"].editor.box
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert told[-1].ssd.enabled is True
    dialog.open_page("appearance")
    choice = dialog.rows["appearance.theme"].editor.box
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_End)
    assert told[-1].appearance.theme == "dark"
    dialog.open_page("generation")
    text = dialog.rows["generation.system_prompt"].editor.text
    text.setFocus()
    qtbot.keyClicks(text, "Be brief.")
    text.clearFocus()
    assert told[-1].generation.system_prompt == "Be brief."
    stop = dialog.rows["generation.stop"].editor.text
    stop.setFocus()
    stop.setPlainText("END\n\nSTOP")
    stop.clearFocus()
    assert told[-1].generation.stop == ("END", "STOP")


def test_showing_other_settings_tells_nothing_back(dialog, told) -> None:
    other = changed(changed(Settings(), "caches", "prefix_mb", 100), "appearance", "theme", "light")
    dialog.show_settings(other)
    assert told == []
    assert dialog.rows["caches.prefix_mb"].editor.line.text() == "100"
    assert dialog.rows["appearance.theme"].editor.box.currentData() == "light"


def _inside(widget: QWidget) -> bool:
    """Qt's own parts, such as the field of a list of choices, are named by what they belong to."""
    return isinstance(widget.parentWidget(), QComboBox) or widget.objectName().startswith("qt_")


@pytest.mark.parametrize("percent", [100, 150, 300])
def test_the_names_of_the_pages_are_whole_in_every_size_of_text(qapp, dialog: PreferencesDialog, percent: int) -> None:
    navigation = dialog.navigation
    larger = navigation.font()
    larger.setPointSizeF(larger.pointSizeF() * percent / 100)
    navigation.setFont(larger)
    navigation.item(0).setText("Festplatten-Cache")
    navigation.add("Erweiterte Einstellungen")
    dialog.layout().activate()
    navigation.doItemsLayout()
    for row in range(navigation.count()):
        option = QStyleOptionViewItem()
        navigation.initViewItemOption(option)
        option.rect = navigation.visualRect(navigation.model().index(row, 0))
        option.text = navigation.item(row).text()
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        room = navigation.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, navigation)
        assert room.width() >= navigation.fontMetrics().horizontalAdvance(option.text)
        assert room.height() >= navigation.fontMetrics().height()
