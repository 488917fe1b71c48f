"""Work off the GUI thread."""

from __future__ import annotations

import threading

import shiboken6
from PySide6.QtCore import QObject

from app.ui.composer.background import Background


def test_work_runs_elsewhere_and_results_come_back_here(qtbot):
    background, owner = Background(), QObject()
    heres: list[threading.Thread] = []
    theres: list[tuple[int, threading.Thread]] = []

    def take(result: tuple[int, threading.Thread]) -> None:
        heres.append(threading.current_thread())
        theres.append(result)

    for i in range(3):
        background.run(owner, lambda i=i: (i, threading.current_thread()), take, lambda error: None)
    qtbot.waitUntil(lambda: len(theres) == 3)
    assert [number for number, _ in theres] == [0, 1, 2]
    assert all(thread is threading.main_thread() for thread in heres)
    assert all(thread is not threading.main_thread() for _, thread in theres)


def test_errors_come_back_too(qtbot):
    background, owner = Background(), QObject()
    errors: list[Exception] = []
    background.run(owner, lambda: 1 / 0, lambda result: None, errors.append)
    qtbot.waitUntil(lambda: len(errors) == 1)
    assert isinstance(errors[0], ZeroDivisionError)


def test_nobody_is_called_after_the_owner_is_gone(qtbot):
    background, owner, other = Background(), QObject(), QObject()
    called: list[str] = []
    gate = threading.Event()
    background.run(owner, gate.wait, lambda result: called.append("gone"), lambda error: None)
    background.run(other, lambda: None, lambda result: called.append("other"), lambda error: None)
    shiboken6.delete(owner)
    gate.set()
    qtbot.waitUntil(lambda: bool(called))
    assert called == ["other"]


def test_the_thread_ends_when_there_is_nothing_to_do(qtbot):
    background, owner = Background(), QObject()
    threads: list[threading.Thread] = []
    background.run(owner, threading.current_thread, threads.append, lambda error: None)
    qtbot.waitUntil(lambda: bool(threads))
    threads[0].join(5)
    assert not threads[0].is_alive()
