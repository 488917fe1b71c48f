"""Waiting for what Qt brings about as long as a busy machine may need: how fast it is decides no test."""

from __future__ import annotations

from functools import partialmethod
from typing import Final

from pytestqt.qtbot import QtBot

PATIENCE_MS: Final = 60_000


class PatientBot(QtBot):
    """A robot that waits for a minute where pytest-qt's own waits for five seconds."""

    waitActive = partialmethod(QtBot.waitActive, timeout=PATIENCE_MS)
    waitCallback = partialmethod(QtBot.waitCallback, timeout=PATIENCE_MS)
    waitExposed = partialmethod(QtBot.waitExposed, timeout=PATIENCE_MS)
    waitSignal = partialmethod(QtBot.waitSignal, timeout=PATIENCE_MS)
    waitSignals = partialmethod(QtBot.waitSignals, timeout=PATIENCE_MS)
    waitUntil = partialmethod(QtBot.waitUntil, timeout=PATIENCE_MS)
