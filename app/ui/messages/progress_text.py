"""The line shown while an answer is on its way. No Qt."""

from __future__ import annotations

from app.inference.events import Progress
from app.ui.messages.words import percent, seconds

_STAGES = {
    "load": "Loading the model",
    "images": "Opening image",
    "encode": "Encoding image",
    "restore": "Restoring what is known",
    "prefill": "Reading the prompt",
}


def progress_sentence(progress: Progress) -> str:
    """Say which stage runs and how far it is: ``Encoding image 1 of 2`` or ``Reading the prompt 62 %``."""
    words = _STAGES[progress.stage]
    if progress.stage in ("images", "encode"):
        words = f"{words} {min(progress.done + 1, progress.total)} of {progress.total}" if progress.total else words
    elif progress.total > 1:
        words = f"{words} {percent(progress.done, progress.total)}"
    if progress.note:
        words = f"{words} ({progress.note})"
    if progress.eta is not None and progress.eta >= 1:
        words = f"{words}, about {seconds(round(progress.eta)).replace('.00', '').replace('.0', '')} left"
    return words


def progress_fraction(progress: Progress) -> float:
    """Return the share done, 0.0 to 1.0."""
    return min(1.0, progress.done / progress.total) if progress.total > 0 else 0.0
