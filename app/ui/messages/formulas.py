"""Formulas as pictures: drawn by ziamath off the GUI thread, which takes tens of milliseconds each, and kept."""

from __future__ import annotations

import logging
import math
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.ui.composer.background import Background
from app.ui.messages.math_source import Formula

log = logging.getLogger(__name__)

KEPT: Final = 512
LONGEST: Final = 600
"""Characters of a formula that is drawn: the time grows with the square of the length, to seconds beyond."""
_INK: Final = b"#010203"
"""Stands for the colour of the text, which is known when a picture is painted."""
_RELATIVE_SIZE: Final = 1.15
"""The formula's font looks smaller than a font for interfaces of the same size."""
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a picture is known by; ``pixels`` is the size of its letters. Colours are put in when it is painted."""

    formula: Formula
    pixels: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn formula of ``width`` points; ``ascent`` and ``depth`` are points above and below the text's line."""

    svg: bytes
    width: float
    ascent: float
    depth: float

    def scaled(self, scale: float) -> Picture:
        """Return the same picture smaller, or as it is for 1.0."""
        return replace(self, width=self.width * scale, ascent=self.ascent * scale, depth=self.depth * scale)

    def image(self, height: float, above: float, colour: str, ratio: float = 0.0) -> QImage:
        """Return it as an image ``height`` points high, in which the text's line lies ``above`` points from the top.

        ``colour`` is ``#rrggbb``. It has ``ratio`` pixels per point; without, as many as the screen, as documents draw
        images pixel by pixel.
        """
        return _painted(self, height, above, colour, ratio or QGuiApplication.primaryScreen().devicePixelRatio())


@lru_cache(maxsize=KEPT)
def _painted(picture: Picture, height: float, above: float, colour: str, ratio: float) -> QImage:
    """Paint a picture; kept, as a block is laid out anew with each piece of an answer that grows."""
    size = QSize(math.ceil(picture.width * ratio), math.ceil(height * ratio))
    made = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    place = QRectF(0, above - picture.ascent, picture.width, picture.ascent + picture.depth)
    QSvgRenderer(QByteArray(picture.svg.replace(_INK, colour.encode()))).render(painter, place)
    painter.end()
    return made


class Formulas(QObject):
    """All formulas of the app.

    Signals:
        drawn(Wanted): a picture has arrived, or it is known now that there will be none.
    """

    drawn = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._background = Background()
        self._pictures: OrderedDict[Wanted, Picture | None] = OrderedDict()
        self._asked: set[Wanted] = set()
        self._holds = 0

    def picture(self, wanted: Wanted) -> Picture | None:
        """Return the picture; ``None`` while it is being drawn (then ``drawn`` tells) and where it cannot be."""
        if wanted in self._pictures:
            self._pictures.move_to_end(wanted)
            return self._pictures[wanted]
        if wanted not in self._asked:
            self._asked.add(wanted)
            self._background.run(
                self,
                lambda: draw(wanted),
                lambda made: self._keep(wanted, made),
                lambda error: self._fail(wanted, error),
            )
        return None

    @property
    def is_busy(self) -> bool:
        """Whether any picture is still being drawn."""
        return bool(self._asked)

    def is_waiting(self, wanted: Wanted) -> bool:
        """Whether the picture is still being drawn."""
        return wanted in self._asked

    def hold(self, owner: QObject) -> QObject:
        """Let go of no picture until what is returned is deleted, or ``owner``, which it belongs to.

        Who needs more pictures than are kept would ask for them without end.
        """
        made = QObject(owner)
        made.destroyed.connect(self._release)
        self._holds += 1
        return made

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let go of no picture meanwhile."""
        self._holds += 1
        try:
            yield
        finally:
            self._release()

    def _release(self) -> None:
        self._holds -= 1
        self._let_go()

    def _fail(self, wanted: Wanted, error: Exception) -> None:
        log.info("A formula is shown as its source: %s", error or type(error).__name__)
        self._keep(wanted, None)

    def _keep(self, wanted: Wanted, picture: Picture | None) -> None:
        self._asked.discard(wanted)
        self._pictures[wanted] = picture
        self._let_go()
        self.drawn.emit(wanted)

    def _let_go(self) -> None:
        while len(self._pictures) > KEPT and not self._holds:
            self._pictures.popitem(last=False)


_formulas: Formulas | None = None


def formulas() -> Formulas:
    """Return the formulas of the app; made on first use, on the GUI thread."""
    global _formulas  # noqa: PLW0603 - one cache per process
    if _formulas is None:
        _formulas = Formulas()
    return _formulas


def wanted(formula: Formula, font: QFont) -> Wanted:
    """Return what to ask for in text of ``font``."""
    return Wanted(formula, QFontInfo(font).pixelSize() * _RELATIVE_SIZE)


def draw(wanted: Wanted) -> Picture:
    """Draw a formula; any thread.

    Raises:
        ValueError: it is too long, or ziamath and its parser's own errors: it is no LaTeX that they know.
    """
    formula = wanted.formula
    if len(formula.latex) > LONGEST:
        raise ValueError(f"it has {len(formula.latex)} characters")
    import ziamath  # takes most of a second, and not every chat has a formula

    with _one_at_a_time:
        ziamath.config.svg2 = False
        drawn = ziamath.Latex(formula.latex, size=wanted.pixels, color=_INK.decode(), inline=not formula.display)
        svg = drawn.svg()
    _, top, width, height = map(float, svg.split('viewBox="', 1)[1].split('"', 1)[0].split())
    return Picture(svg.encode(), width, -top, height + top)


def room(picture: Picture, font: QFont, density: float = 1.0) -> tuple[float, float, bool]:
    """Return the height of an inline image for ``picture``, where the line is in it, and whether Qt is to centre it.

    Qt places an inline image in two ways only: with the font's descent below the line, or with its middle a quarter of
    the x-height above it. A formula that reaches no deeper than the first is given that, others the second. On paper
    of ``density`` dots per pixel Qt takes descent and x-height for dots.
    """
    metrics = QFontMetrics(font)
    descent, shift = metrics.descent() / density, metrics.xHeight() / 2 / density
    if picture.depth <= descent:
        above = math.ceil(picture.ascent)
        return above + descent, above, False
    height = math.ceil(2 * max(picture.depth, picture.ascent - shift) + shift)
    return height, (height + shift) / 2, True
