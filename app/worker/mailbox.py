"""The post from any thread to the GUI thread, delivered at most 30 times a second."""

from __future__ import annotations

import threading
from typing import Final

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from app.worker.reports import Report, merge_reports

INTERVAL_MS: Final = 34


class Mailbox(QObject):
    """Collects reports and delivers them, merged, on the thread that made it.

    The first report after a pause is delivered at once, so nothing waits for a successor that may be long in coming.
    """

    delivered = Signal(list)
    _arrived = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._reports: list[Report] = []
        self._announced = False
        self._since = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.flush)
        self._arrived.connect(self._schedule, Qt.ConnectionType.QueuedConnection)

    def post(self, report: Report) -> None:
        """Add a report; may be called from any thread."""
        with self._lock:
            self._reports.append(report)
            announce, self._announced = not self._announced, True
        if announce:
            self._arrived.emit()

    def flush(self) -> None:
        """Deliver everything now; only on the thread of this object."""
        self._timer.stop()
        with self._lock:
            reports, self._reports, self._announced = self._reports, [], False
        self._since.start()
        if reports:
            self.delivered.emit(merge_reports(reports))

    def _schedule(self) -> None:
        passed = self._since.elapsed() if self._since.isValid() else INTERVAL_MS
        self._timer.start(max(0, INTERVAL_MS - passed))
