"""Which language the window speaks: the translators of Qt and of our own texts, and how numbers are written.

Texts are English in the source and marked for Qt Linguist: ``self.tr("…")`` in widgets, ``translate("Room", "…")``
elsewhere, ``QT_TRANSLATE_NOOP("Room", "…")`` where a text is data and is translated when it is shown. Values stand in
braces and are filled in by ``str.format``, so that every language has its own order: ``"{used} of {limit}"``. A number
that decides between singular and plural is ``%Ln``, also in English: ``self.tr("%Ln image(s)", "", number)``.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.paths import resources_dir

log = logging.getLogger(__name__)

VARIABLE: Final = "SECOND_GLANCE_LANGUAGE"
"""Environment variable that says what the system's language is taken to be; for tests and pictures."""
LANGUAGES: Final = ("en", "de", "zh_CN")
"""What there are translations to, by their names in the settings and in ``resources/translations``; English first."""

translate = QCoreApplication.translate


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Return ``text``: the call marks it for ``lupdate``, which knows it by this name. Qt's own has no types."""
    return text


def speak(app: QCoreApplication, language: str) -> None:
    """Put a language into force, ``system`` or one of :data:`LANGUAGES`, for what is made from now on."""
    locale = locale_for(language)
    QLocale.setDefault(locale)
    for former in app.findChildren(QTranslator):
        app.removeTranslator(former)
        former.deleteLater()
    name = known([locale.bcp47Name()])
    own, of_qt = resources_dir() / "translations", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for file, folder in ((f"qtbase_{name}", of_qt), (f"second_glance_{name}", str(own))):
        translator = QTranslator(app)
        if translator.load(file, folder):
            app.installTranslator(translator)
        elif name != "en":
            log.warning("There is no translation %s in %s", file, folder)


def locale_for(language: str) -> QLocale:
    """Return the locale of a language: the system's own where it is of that language, for its dates and numbers."""
    system = QLocale(os.environ[VARIABLE]) if VARIABLE in os.environ else QLocale.system()
    wanted = QLocale(known(system.uiLanguages()) if language == "system" else language)
    return system if _kind(system) == _kind(wanted) else wanted


def known(tags: Iterable[str]) -> str:
    """Return the first of :data:`LANGUAGES` that one of ``tags`` (``de-AT``, ``zh-Hans-CN``) means, else English."""
    ours = {_kind(QLocale(name)): name for name in LANGUAGES}
    before: list[str] = []
    for tag in tags:
        if _kind(QLocale(tag)) in ours and not _is_cut_short(tag, before):
            return ours[_kind(QLocale(tag))]
        before.append(tag)
    return LANGUAGES[0]


def _is_cut_short(tag: str, before: Iterable[str]) -> bool:
    """Whether ``tag`` is what systems add to a longer one, and means another script: ``zh`` after ``zh-TW``."""
    return any(longer.startswith(f"{tag}-") and _kind(QLocale(longer)) != _kind(QLocale(tag)) for longer in before)


def _kind(locale: QLocale) -> tuple[QLocale.Language, QLocale.Script]:
    return locale.language(), locale.script()
