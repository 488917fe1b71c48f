"""The app's icon in the sizes and containers that platforms want, all drawn from ``resources/icons/app.svg``."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from bundle.contents import ROOT

DRAWING = ROOT / "resources" / "icons" / "app.svg"
LINUX_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
MAC_SIZES = (16, 32, 64, 128, 256, 512, 1024)
MAC_SCALE = 824 / 896
"""Apple's grid wants the plate 824 of 1024 units wide; the drawing's is 448 of 512."""


def draw(size: int, scale: float = 1.0) -> Image.Image:
    """Return the icon as a square of ``size`` pixels, shrunk by ``scale`` around its middle."""
    canvas = QImage(size, size, QImage.Format.Format_ARGB32)
    canvas.fill(0)
    painter = QPainter(canvas)
    margin = size * (1 - scale) / 2
    QSvgRenderer(str(DRAWING)).render(painter, QRectF(margin, margin, size * scale, size * scale))
    painter.end()
    return _to_pillow(canvas)


def write_hicolor(folder: Path) -> None:
    """Write the icon theme's files: one PNG per size, and the drawing itself."""
    for size in LINUX_SIZES:
        target = folder / f"{size}x{size}" / "apps" / "second-glance.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        draw(size).save(target, optimize=True)
    target = folder / "scalable" / "apps" / "second-glance.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(DRAWING.read_bytes())


def write_icns(target: Path) -> None:
    """Write Apple's container with all sizes; no Apple tool is needed."""
    pictures = [draw(size, MAC_SCALE) for size in MAC_SIZES]
    target.parent.mkdir(parents=True, exist_ok=True)
    pictures[-1].save(target, append_images=pictures[:-1])


def _to_pillow(canvas: QImage) -> Image.Image:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    canvas.save(buffer, "PNG")
    return Image.open(BytesIO(data.data()))
