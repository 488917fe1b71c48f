"""Render one prose block into a QTextDocument, in the theme's sizes and colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from app.ui.messages.formula_text import Drawn, insert_formula
from app.ui.messages.math_source import MARK, formula_of, protect_formulas
from app.ui.theme import Colours, Space, TextRole, colours, font, mono_font
from app.ui.theme.tokens import COLUMN_WIDTH, LINE_HEIGHT

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_HEADING_SIZES = {1: TextRole.TITLE, 2: TextRole.LEAD}
_CODE_SIZE = 0.95
_CELL_PADDING = 6
_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_QUOTE = QTextFormat.Property.BlockQuoteLevel
_RULE = QTextFormat.Property.BlockTrailingHorizontalRulerWidth


def render_markdown(
    document: QTextDocument,
    markdown: str,
    *,
    meta: bool = False,
    drawn: Drawn | None = None,
    palette: Colours | None = None,
) -> Drawn:
    """Replace the content of ``document``; tags in ``markdown`` stay visible as text.

    Args:
        document: what to fill.
        markdown: its new content.
        meta: whether it is quiet text.
        drawn: how formulas are to be drawn; also returned, with what became of them.
        palette: colours to use; by default the theme's.
    """
    style = _Style.now(meta, drawn or Drawn(COLUMN_WIDTH), palette or colours())
    if document.defaultFont() != style.body:
        document.setDefaultFont(style.body)
    document.setIndentWidth(Space.XL)
    document.setMarkdown(protect_formulas(markdown), _FEATURES)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for block in _blocks(document):
        style.apply(cursor, block)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            style.apply_to_table(frame)
    cursor.endEditBlock()
    return style.drawn


def line_height(of: QFont, ratio: float = LINE_HEIGHT) -> float:
    """Return Qt's proportional line height, in percent, that spaces lines by ``ratio`` times the font's size."""
    return max(100.0, 100.0 * ratio * QFontInfo(of).pixelSize() / QFontMetricsF(of).height())


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


@dataclass(frozen=True, slots=True)
class _Style:
    """The theme's fonts, colours and distances for one rendering."""

    body: QFont
    code: QFont
    colours: Colours
    height: float
    meta: bool
    drawn: Drawn

    @classmethod
    def now(cls, meta: bool, drawn: Drawn, palette: Colours) -> _Style:
        body, code = font(), mono_font()
        code.setPointSizeF(code.pointSizeF() * _CODE_SIZE)
        return cls(body, code, palette, line_height(body), meta, drawn)

    def apply(self, cursor: QTextCursor, block: QTextBlock) -> None:
        cursor.setPosition(block.position())
        in_table = cursor.currentTable() is not None
        cursor.mergeBlockFormat(self._block_format(block, in_table=in_table))
        if _surrounds_a_table(block, in_table=in_table):
            cursor.setBlockCharFormat(_invisible())
        for start, end, shape in _fragments(block):
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            if shape.isImageFormat():
                self._name_image(cursor, shape)
            elif cursor.selectedText().startswith(MARK):
                self._show_formula(cursor, block, shape)
            elif restyled := self._character_format(block, shape):
                cursor.setCharFormat(restyled)

    def _block_format(self, block: QTextBlock, *, in_table: bool) -> QTextBlockFormat:
        shape = block.blockFormat()
        changed = QTextBlockFormat()
        if _surrounds_a_table(block, in_table=in_table):
            changed.setLineHeight(1, _FIXED)
            return changed
        changed.setLineHeight(self.height, _PROPORTIONAL)
        above, below = self._margins(block, in_table=in_table)
        changed.setTopMargin(above)
        changed.setBottomMargin(below)
        if shape.hasProperty(_QUOTE):
            depth, mirrored = Space.L * shape.intProperty(_QUOTE), _is_right_to_left(block)
            changed.setLeftMargin(0 if mirrored else depth)
            changed.setRightMargin(depth if mirrored else 0)
        if shape.hasProperty(_RULE):
            changed.setBackground(QBrush(QColor(self.colours.hairline)))
        return changed

    def _margins(self, block: QTextBlock, *, in_table: bool) -> tuple[float, float]:
        heading = block.blockFormat().headingLevel() > 0
        close = heading or block.textList() is not None
        if in_table:
            return 0, 0
        above = 0 if not block.previous().isValid() else Space.L if heading else Space.XS if close else Space.S
        below = 0 if not block.next().isValid() else Space.XS if close else Space.S
        return above, below

    def _character_format(self, block: QTextBlock, shape: QTextCharFormat) -> QTextCharFormat | None:
        outer = block.blockFormat()
        if shape.fontFixedPitch() or outer.hasProperty(QTextFormat.Property.BlockCodeFence):
            shape.setFontFamilies(self.code.families())
            shape.setFontPointSize(self.code.pointSizeF())
            shape.setBackground(QBrush(QColor(self.colours.code)))
        elif level := outer.headingLevel():
            shape.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)
            shape.setFontPointSize(font(_HEADING_SIZES.get(level, TextRole.BODY)).pointSizeF())
            shape.setFontWeight(QFont.Weight.DemiBold)
        elif shape.isAnchor():
            shape.setForeground(QBrush(QColor(self.colours.accent)))
            shape.setFontUnderline(True)
        elif self.meta or outer.hasProperty(_QUOTE):
            shape.setForeground(QBrush(QColor(self.colours.meta)))
        else:
            return None
        return shape

    def _show_formula(self, cursor: QTextCursor, block: QTextBlock, shape: QTextCharFormat) -> None:
        source = cursor.selectedText().removeprefix(MARK)
        alone = len(source) + len(MARK) == len(block.text())
        quiet = self.meta or block.blockFormat().hasProperty(_QUOTE)
        colour = self.colours.meta if quiet else self.colours.text
        as_source = self._character_format(block, shape) or shape
        inserted = insert_formula(cursor, source, self.body, colour, as_source, self.drawn)
        if inserted and alone and formula_of(source).display:
            centred = QTextBlockFormat()
            centred.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            centred.setLineHeight(0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
            cursor.mergeBlockFormat(centred)

    def _name_image(self, cursor: QTextCursor, shape: QTextCharFormat) -> None:
        """Put an image's words in its place, with its address as a link: an answer loads nothing by itself."""
        image = shape.toImageFormat()
        words = str(image.property(QTextFormat.Property.ImageAltText.value) or "") or image.name()
        link = QTextCharFormat()
        if QUrl(image.name()).scheme() in ("http", "https"):
            link.setAnchor(True)
            link.setAnchorHref(image.name())
            link.setForeground(QBrush(QColor(self.colours.accent)))
            link.setFontUnderline(True)
        cursor.insertText(f"[{words}]", link)

    def apply_to_table(self, table: QTextTable) -> None:
        shape = table.format()
        shape.setBorder(1)
        shape.setBorderBrush(QBrush(QColor(self.colours.hairline)))
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setBorderCollapse(True)
        shape.setCellPadding(_CELL_PADDING)
        shape.setCellSpacing(0)
        shape.setTopMargin(Space.XS)
        shape.setBottomMargin(Space.XS)
        table.setFormat(shape)
        first = table.cellAt(0, 0).firstCursorPosition()
        if not first.block().text() and first.block() != table.cellAt(0, 0).lastCursorPosition().block():
            first.deleteChar()  # the Markdown reader leaves an empty paragraph in a table that follows a quote
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        for column in range(table.columns()):
            cell = table.cellAt(0, column)
            cursor = cell.firstCursorPosition()
            cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(bold)


def _surrounds_a_table(block: QTextBlock, *, in_table: bool) -> bool:
    """Whether this is an empty paragraph of those that Qt puts around a table; they cannot be removed, only shrunk."""
    return not block.text() and not in_table and not block.blockFormat().hasProperty(_RULE)


def _is_right_to_left(block: QTextBlock) -> bool:
    return block.textDirection() == Qt.LayoutDirection.RightToLeft


def _invisible() -> QTextCharFormat:
    shape = QTextCharFormat()
    shape.setFontPointSize(1)
    return shape


def _fragments(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    """Return start, end and format of each run of text, last first, so that replacing one moves no other."""
    found = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        found.append((fragment.position(), fragment.position() + fragment.length(), fragment.charFormat()))
        iterator += 1
    return found[::-1]
