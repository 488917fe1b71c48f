"""The settings while the app runs: kept in their file, and put into force where they take hold."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.cache.protocols import CacheOverview
from app.errors import UserError
from app.inference.checkpoint import stable_ref
from app.settings import file
from app.settings.declarations import Settings
from app.settings.fields import FieldInfo, changed, differences
from app.settings.per_model import OwnSettings, applied, with_own
from app.ui.theme import Mode, apply_theme, set_app_font
from app.ui.translation import speak

if TYPE_CHECKING:
    from app.ui.preferences import PreferencesDialog

ZOOM: Final = (50, 300)
ENGINE: Final = frozenset({"advanced.prefill_chunk", "model.context_limit", "model.image_side"})
"""Settings outside the caches' sections that the engine is configured with."""


class Tuning(QObject):
    """Holds the settings in force.

    Attributes:
        settings: the settings for all models.
        notices: a sentence for everything in the file that could not be used.
        dialog: the settings dialog, once it was opened.

    Signals:
        engine_concerned(): something of the caches, the disk tier or the engine changed, maybe for one model only.
        model_chosen(ref): another model is to be used.
        appearance_changed(): theme, text size or motion changed.
        failed(sentence): the settings could not be saved.
    """

    engine_concerned = Signal()
    model_chosen = Signal(str)
    appearance_changed = Signal()
    failed = Signal(str)

    def __init__(self, path: Path, app: QApplication) -> None:
        super().__init__()
        loaded = file.load(path)
        self.settings: Settings = loaded.settings
        self._models = loaded.models
        self.notices = loaded.notices
        self._path = path
        self._app = app
        self._font_size = app.font().pointSizeF()
        self.dialog: PreferencesDialog | None = None
        self._overview = CacheOverview(())
        self._theme: Mode | None = None
        speak(app, self.settings.appearance.language)
        self._show_appearance()

    def change(self, section: str, key: str, value: Any) -> bool:
        """Change one setting and return whether it differs from before.

        Raises:
            BadSetting: the value does not fit.
        """
        return self.adopt(changed(self.settings, section, key, value))

    def adopt(self, settings: Settings) -> bool:
        """Put other settings into force, save them, and return whether they differ."""
        names = {field.name for field in differences(self.settings, settings)}
        if not names:
            return False
        self.settings = settings
        self._guarded(lambda: file.save(self._path, settings))
        parts = {name.split(".")[0] for name in names}
        if "appearance" in parts:
            self._show_appearance()
            self.appearance_changed.emit()
        if parts & {"caches", "ssd"} or names & ENGINE:
            self.engine_concerned.emit()
        if "model.ref" in names:
            self.model_chosen.emit(settings.model.ref)
        if "advanced.log_level" in names:
            logging.getLogger().setLevel(settings.advanced.log_level.upper())
        if self.dialog is not None:
            self.dialog.show_settings(settings)
        return True

    def own_settings(self, ref: str) -> OwnSettings:
        """Return what the model that ``ref`` names has of its own."""
        return self._models.get(stable_ref(ref), {})

    def for_model(self, ref: str) -> Settings:
        """Return the settings in force while the model that ``ref`` names is used."""
        return applied(self.settings, self.own_settings(ref))

    def change_for_model(self, ref: str, field: FieldInfo, value: Any) -> None:
        """Give one model a setting of its own; the value of all models takes that back.

        Raises:
            BadSetting: the value does not fit.
        """
        own = with_own(self.settings, self.own_settings(ref), field, value)
        if own == self.own_settings(ref):
            return
        self._models = {**self._models, stable_ref(ref): own}
        self._guarded(lambda: file.save_model(self._path, stable_ref(ref), own))
        if field.section in ("caches", "model"):
            self.engine_concerned.emit()

    def zoom_by(self, percent: int) -> None:
        """Make all text larger or smaller; 0 for the usual size."""
        zoom = self.settings.appearance.zoom + percent if percent else 100
        self.change("appearance", "zoom", max(ZOOM[0], min(ZOOM[1], zoom)))

    def open_dialog(self, parent: QWidget, section: str) -> None:
        """Show the settings, at a page where one is named."""
        if self.dialog is None:
            from app.ui.preferences import PreferencesDialog

            self.dialog = PreferencesDialog(self.settings, parent, parent.actions())
            self.dialog.settings_changed.connect(self.adopt)
        self.dialog.show_settings(self.settings)
        self.dialog.show_overview(self._overview)
        if section:
            self.dialog.open_page(section)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def show_overview(self, overview: CacheOverview) -> None:
        """Let the dialog say what of the budgets is used."""
        self._overview = overview
        if self.dialog is not None:
            self.dialog.show_overview(overview)

    def _guarded(self, save: Callable[[], None]) -> None:
        try:
            save()
        except UserError as error:
            self.failed.emit(str(error))

    def _show_appearance(self) -> None:
        appearance = self.settings.appearance
        font = self._app.font()
        font.setPointSizeF(self._font_size * appearance.zoom / 100)
        if font != self._app.font():
            set_app_font(self._app, font)
        if appearance.theme != self._theme:
            self._theme = appearance.theme
            apply_theme(self._app, appearance.theme)
