"""A memory budget: number and slider, with its share of the machine, what is used now and what would have to go."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import psutil  # type: ignore[import-untyped]
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider

from app.cache.config import MIB
from app.settings.fields import FieldInfo
from app.ui.messages.words import THIN
from app.ui.preferences.editors import NumberEditor
from app.ui.units import size

STEP_MB: Final = 64
LARGEST_SHARE: Final = 0.75
"""Of the machine's memory: where the slider ends. The number may go beyond."""


@cache
def machine_mb() -> int:
    """Return the memory of this machine in MB."""
    return int(psutil.virtual_memory().total // MIB)


class BudgetEditor(NumberEditor):
    """A number of MB with a slider in steps of 64 MB."""

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(f"{field.title}, slider")
        self.slider.setRange(0, int(machine_mb() * LARGEST_SHARE) // STEP_MB)
        self.slider.setPageStep(1024 // STEP_MB)
        self.slider.valueChanged.connect(self._on_moved)
        self.slider.sliderReleased.connect(self._on_finished)
        self._row.takeAt(self._row.count() - 1)
        self._row.addWidget(self.slider, 1)

    def show_value(self, value: Any) -> None:
        """Show a value."""
        super().show_value(value)
        self.slider.blockSignals(True)
        self.slider.setValue(round(value / STEP_MB))
        self.slider.blockSignals(False)

    def _on_moved(self, steps: int) -> None:
        self.line.setText(str(steps * STEP_MB))
        if not self.slider.isSliderDown():
            self._on_finished()


def budget_words(megabytes: int, used_bytes: int | None) -> str:
    """Return a budget's share of the machine and what it means now: ``8 % of 24 GB. 212 MB used.``"""
    share = f"{round(100 * megabytes / machine_mb())}{THIN}% of {size(machine_mb() * MIB)} in this computer."
    if used_bytes is None:
        return share
    surplus = used_bytes - megabytes * MIB
    now = f"{size(used_bytes)} used now"
    return f"{share} {now}; {size(surplus)} would go." if surplus > 0 else f"{share} {now}."
