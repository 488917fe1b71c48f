"""The line shown while an answer is on its way."""

from __future__ import annotations

from app.inference.events import Progress, Stage
from app.ui.messages.words import count, percent, seconds, whole_seconds
from app.ui.sentences import translated
from app.ui.translation import translate

_MINUTE = 60


def progress_sentence(progress: Progress) -> str:
    """Say which stage runs and how far it is: ``Encoding image 1 of 2`` or ``Reading the prompt 62 %``."""
    words = _counted(progress)
    if progress.note:
        words = translate("Progress", "{words} ({note})").format(words=words, note=translated(progress.note))
    if progress.eta is not None and progress.eta >= 1:
        left = round(progress.eta)
        duration = whole_seconds(count(left)) if left < _MINUTE else seconds(left)
        words = translate("Progress", "{words}, about {duration} left").format(words=words, duration=duration)
    return words


def progress_fraction(progress: Progress) -> float:
    """Return the share done, 0.0 to 1.0."""
    return min(1.0, progress.done / progress.total) if progress.total > 0 else 0.0


def _counted(progress: Progress) -> str:
    if progress.stage in ("images", "encode"):
        opening = translate("Progress", "Opening image {number} of {total}")
        encoding = translate("Progress", "Encoding image {number} of {total}")
        words = opening if progress.stage == "images" else encoding
        number = min(progress.done + 1, progress.total)
        return words.format(number=number, total=progress.total) if progress.total else _stage(progress.stage)
    if progress.total <= 1:
        return _stage(progress.stage)
    share = percent(progress.done, progress.total)
    return translate("Progress", "{stage} {percent}").format(stage=_stage(progress.stage), percent=share)


def _stage(stage: Stage) -> str:
    return {
        "load": translate("Progress", "Loading the model"),
        "images": translate("Progress", "Opening image"),
        "encode": translate("Progress", "Encoding image"),
        "restore": translate("Progress", "Restoring what is known"),
        "prefill": translate("Progress", "Reading the prompt"),
    }[stage]
