"""The settings dialog, generated from the declarations in :mod:`app.settings`."""

from app.ui.preferences.dialog import PreferencesDialog

__all__ = ["PreferencesDialog"]
