"""What is asked about a single model in windows of their own: its settings, and a smaller copy of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app import paths
from app.inference.library.discover import DEPTH
from app.inference.library.quantized import Bits, quantized_bytes
from app.settings.fields import FieldInfo
from app.ui.library.own_settings import OwnSettingsDialog
from app.ui.library.quantize_dialog import QuantizeDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.ui.library.text import Listed
    from app.ui.tuning import Tuning
    from app.worker.service import InferenceService


class ModelDialogs(QObject):
    """Opens them, and does what is entered there.

    Attributes:
        settings: the last window of settings.
        quantize: the last window that asked for a copy.

    Signals:
        own_changed(ref, FieldInfo): a model has another setting of its own.
        copy_asked(ref): a copy will be made as soon as the worker has time.
    """

    own_changed = Signal(str, object)
    copy_asked = Signal(str)

    def __init__(self, tuning: Tuning, service: InferenceService) -> None:
        super().__init__()
        self._tuning, self._service = tuning, service
        self.settings: OwnSettingsDialog | None = None
        self.quantize: QuantizeDialog | None = None

    def open_settings(self, model: Listed, parent: QWidget) -> None:
        """Show what the model has of its own."""
        self._let_go(self.settings)
        ref = model.facts.ref
        self.settings = dialog = OwnSettingsDialog(model.name, parent)
        dialog.show_settings(self._tuning.settings, self._tuning.own_settings(ref))
        dialog.changed.connect(partial(self._change, ref))
        dialog.show()

    def ask_quantize(self, model: Listed, parent: QWidget) -> None:
        """Ask how small a copy of the model shall be, and where to."""
        self._let_go(self.quantize)
        expected = partial(quantized_bytes, Path(model.facts.folder))
        self.quantize = dialog = QuantizeDialog(model.name, self._place(), expected, parent)
        dialog.accepted_with.connect(partial(self._quantize, model.facts.ref))
        dialog.open()

    def where_to_look(self, target: Path) -> str:
        """Return the folder in which a copy is looked for from now on; empty where one of those chosen has it."""
        chosen = [Path(folder).expanduser() for folder in self._tuning.settings.model.folders]
        if any(folder == place for folder in chosen for place in (target, *target.parents[:DEPTH])):
            return ""
        return str(target.parent if target.parent == _own_place() else target)

    def _place(self) -> Path:
        folders = self._tuning.settings.model.folders
        return next((place for place in map(Path, folders) if place.is_dir()), _own_place())

    def _change(self, ref: str, field: FieldInfo, value: Any) -> None:
        self._tuning.change_for_model(ref, field, value)
        if self.settings is not None:
            self.settings.show_settings(self._tuning.settings, self._tuning.own_settings(ref))
        self.own_changed.emit(ref, field)

    def _quantize(self, ref: str, target: Path, bits: Bits) -> None:
        self._service.quantize(ref, target, bits)
        self.copy_asked.emit(ref)

    @staticmethod
    def _let_go(dialog: QuantizeDialog | OwnSettingsDialog | None) -> None:
        if dialog is not None:
            dialog.close()
            dialog.deleteLater()


def _own_place() -> Path:
    return paths.data_dir() / "models"
