"""kill -9 while an answer streams: at most its last second is lost, and the next start shows the rest as stopped.

The second is one of the window's own event loop, which a busy machine may stretch.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

from tests.ui.window.conftest import Desk

RATE = 100
PROGRAM = f"""
import sys
from PySide6.QtCore import QTimer
from app import paths
from app.store.store import Store
from app.ui.application import make_application, open_window
from app.ui.probe import Feeder, wait
from app.ui.tuning import Tuning
from app.worker.backend import Backend
app = make_application(["test"])
feeder = Feeder(100_000, {RATE})
backend = Backend(lambda options: feeder, lambda options: options)
opened = open_window(Store(paths.data_dir()), Tuning(paths.settings_file(), app), backend)
wait(lambda: opened.controller.models.state.phase == "ready")
shown = 0
def count(message, delta):
    global shown
    shown += len(delta.token_ids)
second = QTimer(interval=1000)
second.timeout.connect(lambda: print(shown, flush=True))
second.start()
opened.controller.dialogue.answers.grew.connect(count)
opened.window.composer.edit.setPlainText("Go on for ever")
opened.window.composer.submit()
app.exec()
"""


def test_a_killed_process_loses_at_most_the_last_second(open_desk: Callable[..., Desk]) -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = [0]
    for line in process.stdout:
        seen.append(int(line))
        if seen[-1] > 2 * RATE and seen[-2] > 0:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.chats.current is not None)
    question, answer = desk.messages()
    assert (question.text, answer.state) == ("Go on for ever", "stopped")
    assert seen[-1] > seen[-2]
    assert len(answer.token_ids) >= seen[-2]
    assert answer.text
