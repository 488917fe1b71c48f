"""A memory budget: number and slider, with its share of the machine, what is used now and what would have to go."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import psutil  # type: ignore[import-untyped]
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider

from app.cache.config import MIB
from app.settings.fields import FieldInfo
from app.ui.messages.words import percent_of
from app.ui.preferences.editors import NumberEditor
from app.ui.translation import translate
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
        self.slider.setAccessibleName(self.tr("{title}, slider").format(title=field.title))
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
    whole, share = size(machine_mb() * MIB), percent_of(round(100 * megabytes / machine_mb()))
    if used_bytes is None:
        return translate("Budget", "{percent} of {memory} in this computer.").format(percent=share, memory=whole)
    surplus = used_bytes - megabytes * MIB
    words = translate("Budget", "{percent} of {memory} in this computer. {used} used now.")
    if surplus > 0:
        words = translate("Budget", "{percent} of {memory} in this computer. {used} used now; {surplus} would go.")
    return words.format(percent=share, memory=whole, used=size(used_bytes), surplus=size(max(0, surplus)))
