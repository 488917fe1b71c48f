"""The dialog: a page per section; what is entered is checked, and in force at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app import paths
from app.cache.protocols import CacheOverview
from app.settings.convert import ssd_dir
from app.settings.declarations import Settings
from app.settings.fields import BadSetting, FieldInfo, changed, for_app, sections, value_of
from app.ui.labels import heading, scroll_area
from app.ui.preferences.budget import budget_words
from app.ui.preferences.checks import problem
from app.ui.preferences.editors import PlaceEditor
from app.ui.preferences.navigation import Navigation
from app.ui.preferences.pages import privacy_page, shortcuts_page
from app.ui.preferences.place import place_words, show_folder
from app.ui.preferences.row import SettingRow
from app.ui.preferences.words import in_words, misfit, title_of
from app.ui.theme import Space, TextRole

SIZE: Final = (720, 560)
DISK_FOLDER: Final = "ssd.directory"
_TIER_OF: Final = {"caches.prefix_mb": "prefix", "caches.vision_mb": "vision"}


class PreferencesDialog(QDialog):
    """Edits :class:`Settings`. Has no buttons: a value that fits is in force as soon as it was entered.

    Signals:
        settings_changed(Settings): other values are in force.
    """

    settings_changed = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None, actions: Sequence[QAction] = ()) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.resize(*SIZE)
        self._settings = settings
        self._overview = CacheOverview(())
        self.rows: dict[str, SettingRow] = {}
        self.navigation = Navigation()
        self.navigation.setAccessibleName(self.tr("Pages"))
        self.navigation.setProperty("surface", "sidebar")
        self.pages = QStackedWidget()
        self._sections = list(sections())
        self._add_pages()
        self._add_page(self.tr("Shortcuts"), shortcuts_page(actions))
        self._add_page(self.tr("Privacy"), privacy_page(paths.data_dir(), paths.settings_file()))
        place = self.rows[DISK_FOLDER].editor
        assert isinstance(place, PlaceEditor)
        place.show_requested.connect(self._show_disk_folder)
        self.navigation.currentRowChanged.connect(self.pages.setCurrentIndex)
        self.navigation.setCurrentRow(0)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self.navigation)
        line.addWidget(self.pages, 1)
        self.show_settings(settings)

    def show_settings(self, settings: Settings) -> None:
        """Show these values."""
        self._settings = settings
        for row in self.rows.values():
            row.show_value(value_of(settings, row.field))
        self._show_notes()

    def show_overview(self, overview: CacheOverview) -> None:
        """Show what of the budgets is used now."""
        self._overview = overview
        self._show_notes()

    def open_page(self, section: str) -> None:
        """Show the page of a section, for example ``caches``."""
        self.navigation.setCurrentRow(self._sections.index(section))

    def _add_pages(self) -> None:
        fields = for_app()
        for name, section in sections().items():
            title = title_of(section)
            self._add_page(title, self._make_page(title, [field for field in fields if field.section == name]))

    def _add_page(self, title: str, page: QWidget) -> None:
        self.navigation.add(title)
        self.pages.addWidget(page)

    def _make_page(self, title: str, fields: list[FieldInfo]) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.XL)
        column.setSpacing(Space.L)
        column.addWidget(heading(title, TextRole.TITLE))
        for field in fields:
            row = SettingRow(in_words(field))
            row.edited.connect(self._on_edited)
            self.rows[field.name] = row
            column.addWidget(row)
        column.addStretch()
        return scroll_area(body)

    def _on_edited(self, field: FieldInfo, value: Any) -> None:
        row = self.rows[field.name]
        try:
            settings = changed(self._settings, field.section, field.key, value)
        except BadSetting:
            row.show_error(misfit(field, value))
            return
        if sentence := problem(field, value):
            row.show_error(sentence)
            return
        row.show_value(value_of(settings, field))
        if settings != self._settings:
            self._settings = settings
            self._show_notes()
            self.settings_changed.emit(settings)

    def _show_notes(self) -> None:
        used: dict[str, int] = {row.name: row.nbytes for row in self._overview.rows}
        for name, tier in _TIER_OF.items():
            row = self.rows[name]
            row.show_note(budget_words(value_of(self._settings, row.field), used.get(tier)))
        self.rows[DISK_FOLDER].show_note(place_words(ssd_dir(self._settings.ssd), used.get("ssd")))

    def _show_disk_folder(self) -> None:
        show_folder(ssd_dir(self._settings.ssd))
