"""Starting and ending the window. Nothing of MLX is imported on the way to the first picture."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from app import paths
from app.errors import UserError
from app.settings.convert import put_into_environment
from app.store.images import ImageStore
from app.store.lock import FolderInUse
from app.store.store import Store
from app.ui.controller import Controller
from app.ui.crash import CrashReporter, offer_last_crash, watch_faults
from app.ui.doorbell import Doorbell, ring
from app.ui.logs import start_logging
from app.ui.main_window import MainWindow
from app.ui.messages.warm import warm_up
from app.ui.opened_files import OpenedFiles, named_files
from app.ui.requests import engine_options
from app.ui.sentences import translated
from app.ui.theme import app_icon
from app.ui.tuning import Tuning
from app.worker.backend import REAL, Backend
from app.worker.service import InferenceService

log = logging.getLogger(__name__)

INVISIBLE: Final = ("offscreen", "minimal")
SWITCH_SECONDS: Final = 0.001
"""How long a thread that runs Python may keep the GUI thread waiting; by default it is five times that, each time."""
WARM_UP_MS: Final = 500
"""Pause before what only the first answer needs: the window and its first paint come before."""


@dataclass(slots=True)
class OpenApp:
    """What is alive while the window is open."""

    window: MainWindow
    controller: Controller
    service: InferenceService


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window, run until it is closed, and return the exit status."""
    app = make_application(list(argv if argv is not None else sys.argv))
    tuning = Tuning(paths.settings_file(), app)
    tail = start_logging(paths.log_dir(), tuning.settings.advanced.log_level)
    crashes = CrashReporter(tail)
    crashes.install()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        store = Store(paths.data_dir())
    except FolderInUse as error:
        return 0 if ring(paths.data_dir(), named_files(app)) else explain(translated(str(error)))
    except UserError as error:
        return explain(translated(str(error)))
    opened = open_window(store, tuning)
    crashes.refused.connect(lambda sentence: opened.window.toast.say(translated(sentence)))
    listen(opened, OpenedFiles(app, opened.window.composer.add_files))
    faults, before = watch_faults(paths.private_folder(paths.log_dir()))
    offer_last_crash(before, tail, opened.window.toast.say)
    status = run(app, opened)
    faults.close()
    return status


def make_application(argv: list[str]) -> QApplication:
    """Return the application object with its name and icon; the GUI thread gets its turn within a millisecond."""
    sys.setswitchinterval(SWITCH_SECONDS)
    app = QApplication(argv)
    app.setApplicationName("Second Glance")
    app.setDesktopFileName("second-glance")
    app.setWindowIcon(app_icon())
    return app


def open_window(store: Store, tuning: Tuning, backend: Backend = REAL) -> OpenApp:
    """Show the window, and begin to load as soon as it stands."""
    put_into_environment(tuning.settings)
    images = ImageStore(store.data_dir / "images")
    service = InferenceService(engine_options(tuning.for_model(tuning.settings.model.ref)), backend)
    window = MainWindow(images)
    window.restore_geometry(kept_geometry())
    controller = Controller(window, store, images, tuning, service)
    window.show()
    QTimer.singleShot(0, controller.start)
    QTimer.singleShot(WARM_UP_MS, warm_up)
    return OpenApp(window, controller, service)


def listen(opened: OpenApp, files: OpenedFiles) -> Doorbell | None:
    """Let later starts on the same data folder hand their files to this window; without, they say that it is open."""
    try:
        bell = Doorbell(opened.controller.store.data_dir, files)
    except OSError as error:
        log.warning("Later starts cannot hand over their files: %s", error)
        return None
    bell.rung.connect(files.take)
    bell.rung.connect(lambda _: show(opened.window))
    opened.window.closing.connect(bell.close)
    return bell


def show(window: MainWindow) -> None:
    """Bring the window to the front, as far as the desktop lets an app do that."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def run(app: QApplication, opened: OpenApp) -> int:
    """Run until the window is closed. Where the worker does not end in time, the process is left at once."""
    ended: list[bool] = []
    opened.window.closing.connect(lambda: opened.window.save_geometry(kept_geometry()))
    opened.controller.closed.connect(ended.append)
    opened.window.actions_.quit.triggered.connect(opened.window.close)
    status = app.exec()
    if ended and not ended[0]:
        log.error("The worker did not end in time; leaving without it")
        logging.shutdown()
        os._exit(status)
    return status


def kept_geometry() -> QSettings:
    """Return where the window's place and size are kept."""
    return QSettings(str(paths.config_dir() / "window.ini"), QSettings.Format.IniFormat)


def explain(sentence: str) -> int:
    """Say why the window cannot open, where the user can read it, and return the exit status."""
    print(sentence, file=sys.stderr)
    if QGuiApplication.platformName() not in INVISIBLE:
        QMessageBox.warning(None, "Second Glance", sentence)
    return 2
