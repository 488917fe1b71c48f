"""The conversation: a column of messages of which only those near the window exist as widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QPushButton, QWidget

from app.inference.events import Progress
from app.store.records import StoredMessage
from app.ui.composer.thumbnails import Thumbnails, ThumbnailSource
from app.ui.messages.answer_message import AnswerMessage
from app.ui.messages.finder import Finder
from app.ui.messages.message_widget import MessageWidget
from app.ui.messages.row_heights import RowHeights, estimated_height
from app.ui.messages.user_message import UserMessage
from app.ui.theme import Space, set_icon, theme_notifier
from app.ui.theme.tokens import COLUMN_WIDTH, ICON_SMALL

_AT_END: Final = 24
_SETTLING: Final = 4
_LINE_STEP: Final = 40


@dataclass(slots=True, eq=False)
class _Row:
    """A message, its widget while there is one, and the height it had when it was last laid out at a width."""

    message: StoredMessage
    widget: MessageWidget | None = None
    measured: tuple[int, int] | None = None


class MessageView(QAbstractScrollArea):
    """Messages one below the other, at most 760 points wide, following the end only while the reader is there.

    Signals:
        regenerate_requested: another version of this answer is wanted.
        continue_requested: this answer was cut and is to be gone on with.
        edit_requested: this message is to be sent again with other words.
        sibling_requested: another version of this message, counted from 0, is to be shown.
        image_activated: the picture with this digest is to be shown large.
        retry_requested: this failed answer is to be tried again.
        fork_requested: another chat is to go on from this answer.
    """

    regenerate_requested = Signal(str)
    continue_requested = Signal(str)
    edit_requested = Signal(str, str)
    sibling_requested = Signal(str, int)
    image_activated = Signal(str)
    retry_requested = Signal(str)
    fork_requested = Signal(str)

    def __init__(self, image_store: ThumbnailSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.thumbnails = Thumbnails(image_store, self)
        self._rows: list[_Row] = []
        self._no_thoughts = ""
        self._heights = RowHeights(Space.XL)
        self._following = True
        self._arranging = False
        self._tabs_in_order = True
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._arrange)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.latest_button = self._make_latest_button()
        self.finder = Finder(self)
        theme_notifier().changed.connect(self._restyle)

    # What is shown

    def set_messages(self, messages: Sequence[StoredMessage]) -> None:
        """Show these messages instead, at their end; where it is the same chat, the place of reading stays.

        A new message at the end of the same chat is gone to. An answer that is growing here keeps what it has.
        """
        known = {row.message.id: row for row in self._rows}
        goes_to_end = self._is_another_chat(messages) or self._has_new_end(messages)
        rows = [self._kept_row(known.get(message.id), message) for message in messages]
        kept = {id(row) for row in rows}
        for row in self._rows:
            if id(row) not in kept:
                self._let_go(row)
        self._rows = rows
        self._heights.reset([self._height_of(row) for row in rows])
        self._following = self._following or goes_to_end
        self._arrange()
        self.finder.refresh()

    def _is_another_chat(self, messages: Sequence[StoredMessage]) -> bool:
        if not self._rows or not messages:
            return True
        return self._rows[0].message.conversation_id != messages[0].conversation_id

    def _has_new_end(self, messages: Sequence[StoredMessage]) -> bool:
        before = [row.message.id for row in self._rows]
        after = [message.id for message in messages]
        appended = len(after) > len(before) and after[: len(before)] == before
        return appended or (messages[-1].state == "streaming" and messages[-1].id not in before)

    def _kept_row(self, row: _Row | None, message: StoredMessage) -> _Row:
        if row is None:
            return _Row(message)
        growing = row.message.state == message.state == "streaming"
        return row if growing or row.message == message else _Row(message)

    def messages(self) -> list[StoredMessage]:
        """Return what is shown."""
        return [row.message for row in self._rows]

    def add_message(self, message: StoredMessage) -> None:
        """Show ``message`` below the others and go there."""
        row = _Row(message)
        self._rows.append(row)
        self._heights.append(self._height_of(row))
        self._following = True
        self._arrange()

    # An answer on its way

    def begin_answer(self, message: StoredMessage) -> None:
        """Make room for an answer; ``message.state`` is ``streaming``."""
        self.add_message(message)

    def append_answer(self, message_id: str, text: str, thinking: bool = False) -> None:
        """Add a piece to an answer; a message that is not shown is none of our business."""
        if answer := self._answer(message_id):
            answer.append(text, thinking=thinking)

    def set_progress(self, message_id: str, progress: Progress) -> None:
        """Show how far the work before an answer's first words is."""
        if answer := self._answer(message_id):
            answer.set_progress(progress)

    def finish_answer(self, message: StoredMessage) -> None:
        """Show the finished, stopped or failed form of an answer, with its receipt."""
        index = self._index(message.id)
        if index is None:
            return
        row = self._rows[index]
        row.message, row.measured = message, None
        if isinstance(row.widget, AnswerMessage):
            row.widget.finish(message)
        self._arrange()

    def show_error(self, message_id: str, sentence: str, details: str) -> None:
        """Say under an answer what went wrong."""
        if answer := self._answer(message_id):
            answer.show_error(sentence, details)
            self._arrange()

    def refuse_thoughts(self, why: str) -> None:
        """Let no thought that was stopped be gone on with, for the reason ``why``; an empty one lets it again."""
        self._no_thoughts = why
        for row in self._rows:
            if isinstance(row.widget, AnswerMessage):
                row.widget.refuse_thoughts(why)

    # Places

    @property
    def is_following(self) -> bool:
        """Whether the view stays at the end while an answer grows."""
        return self._following

    def go_to_end(self) -> None:
        """Show the latest and follow it."""
        self._following = True
        self._arrange()

    def show_message(self, message_id: str) -> None:
        """Scroll to a message, for a search hit."""
        index = self._index(message_id)
        if index is None:
            return
        self._following = False
        for _ in range(_SETTLING):
            self.verticalScrollBar().setValue(self._heights.top(index))
            self._arrange()

    def start_finding(self) -> None:
        """Open the bar that finds words in this conversation."""
        self.finder.open()

    def widget_of(self, message_id: str) -> MessageWidget | None:
        """Return the widget of a message, if it exists at present."""
        index = self._index(message_id)
        return None if index is None else self._rows[index].widget

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange for the new size; what was at the top, or the end, stays there."""
        super().resizeEvent(event)
        self.finder.place()
        if event.oldSize().width() != event.size().width():
            self._heights.reset([self._height_of(row) for row in self._rows])
        self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End, beside what a scroll area knows."""
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_Home:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End:
            self.go_to_end()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Put the widgets into the order of reading before the focus goes from one to the next."""
        if not self._tabs_in_order:
            self._order_tabs()
        return super().focusNextPrevChild(next_)

    def changeEvent(self, event: QEvent) -> None:
        """Take a new font size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._restyle()

    def viewportSizeHint(self) -> QSize:
        """Return the width of the column."""
        return QSize(COLUMN_WIDTH, COLUMN_WIDTH // 2)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Place the messages for the new position, which says whether the reader wants to follow the end."""
        if not self._arranging:
            bar = self.verticalScrollBar()
            self._following = bar.value() >= bar.maximum() - _AT_END
            self._arrange()

    # Arranging

    def _arrange(self) -> None:
        """Place what can be seen, making widgets where they are needed; heights may prove wrong, hence the rounds."""
        if self._arranging:
            return
        self._arranging = True
        self._later.stop()
        try:
            anchor = self._anchor()
            for _ in range(_SETTLING):
                changed = self._make_and_measure()
                self._set_range()
                self._go_back_to(anchor)
                if not changed:
                    break
            self._place()
        finally:
            self._arranging = False
        self._release_far_rows()
        self._place_latest_button()

    def _anchor(self) -> tuple[_Row, int] | None:
        """Return the first row on the screen and how far its top is above the screen's."""
        if self._following or not self._rows:
            return None
        value = self.verticalScrollBar().value() - Space.L
        row = self._heights.row_at(value)
        return self._rows[row], value - self._heights.top(row)

    def _go_back_to(self, anchor: tuple[_Row, int] | None) -> None:
        bar = self.verticalScrollBar()
        if anchor is None:
            bar.setValue(bar.maximum())
        elif anchor[0] in self._rows:
            bar.setValue(self._heights.top(self._rows.index(anchor[0])) + anchor[1] + Space.L)

    def _make_and_measure(self) -> bool:
        """Return whether a height was another than thought."""
        changed = False
        for index in self._near_rows():
            row = self._rows[index]
            if row.widget is None:
                row.widget = self._make_widget(row.message)
            changed = self._heights.set(index, self._height_of(row)) or changed
        return changed

    def _near_rows(self) -> range:
        if not self._rows:
            return range(0)
        bar, page = self.verticalScrollBar(), self.viewport().height()
        value = max(0, self._heights.total + 2 * Space.L - page) if self._following else bar.value()
        return range(self._heights.row_at(value - page // 2), self._heights.row_at(value + page + page // 2) + 1)

    def _height_of(self, row: _Row) -> int:
        width = self._column_width()
        if row.widget is not None:
            row.measured = (width, row.widget.height_at(width))
        if row.measured is not None and row.measured[0] == width:
            return row.measured[1]
        return estimated_height(row.message, width)

    def _column_width(self) -> int:
        """Return the width of the messages: the scroll bar lies in the margin, so that it moves nothing."""
        return max(1, min(COLUMN_WIDTH, self.width() - 2 * Space.L))

    def _set_range(self) -> None:
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(page)
        bar.setSingleStep(_LINE_STEP)
        bar.setRange(0, max(0, self._heights.total + 2 * Space.L - page))

    def _place(self) -> None:
        width = self._column_width()
        x = (self.width() - width) // 2
        offset = Space.L - self.verticalScrollBar().value()
        for index, row in enumerate(self._rows):
            if row.widget is not None:
                row.widget.setGeometry(x, self._heights.top(index) + offset, width, self._heights.height(index))
                row.widget.show()

    # Widgets

    def _make_widget(self, message: StoredMessage) -> MessageWidget:
        name = message.id
        widget = self._make_answer(message) if message.role == "assistant" else self._make_user_message(message)
        widget.setParent(self.viewport())
        self._tabs_in_order = False
        widget.sibling_requested.connect(lambda sibling: self.sibling_requested.emit(name, sibling))
        widget.image_activated.connect(self.image_activated)
        widget.layout_changed.connect(lambda: self._later.start(0))
        self.finder.mark(widget)
        return widget

    def _make_answer(self, message: StoredMessage) -> MessageWidget:
        answer = AnswerMessage(message, self._no_thoughts)
        answer.regenerate_requested.connect(lambda: self.regenerate_requested.emit(message.id))
        answer.continue_requested.connect(lambda: self.continue_requested.emit(message.id))
        answer.retry_requested.connect(lambda: self.retry_requested.emit(message.id))
        answer.fork_requested.connect(lambda: self.fork_requested.emit(message.id))
        return answer

    def _make_user_message(self, message: StoredMessage) -> MessageWidget:
        widget = UserMessage(message, self.thumbnails)
        widget.edited.connect(lambda text: self.edit_requested.emit(message.id, text))
        return widget

    def _release_far_rows(self) -> None:
        page = self.viewport().height()
        value = self.verticalScrollBar().value()
        for index, row in enumerate(self._rows):
            if row.widget is None:
                continue
            top = self._heights.top(index)
            far = top + self._heights.height(index) < value - 2 * page or top > value + 3 * page
            if far and not row.widget.in_use and not row.widget.has_focus():
                self._let_go(row)

    def _let_go(self, row: _Row) -> None:
        if row.widget is not None:
            row.widget.hide()
            row.widget.deleteLater()
            row.widget = None

    def _order_tabs(self) -> None:
        """Let Tab walk through the messages from top to bottom, in whatever order they were made."""
        self._tabs_in_order = True
        previous: QWidget = self
        for row in self._rows:
            if row.widget is None:
                continue
            for widget in row.widget.findChildren(QWidget):
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    QWidget.setTabOrder(previous, widget)
                    previous = widget
        QWidget.setTabOrder(previous, self.latest_button)

    def _index(self, message_id: str) -> int | None:
        for index in range(len(self._rows) - 1, -1, -1):
            if self._rows[index].message.id == message_id:
                return index
        return None

    def _answer(self, message_id: str) -> AnswerMessage | None:
        """Return the widget of an answer, made now if it was out of sight."""
        index = self._index(message_id)
        if index is None:
            return None
        row = self._rows[index]
        if row.widget is None:
            row.widget = self._make_widget(row.message)
        return row.widget if isinstance(row.widget, AnswerMessage) else None

    def _restyle(self) -> None:
        """Make everything anew in the fonts and colours in force; what is in use takes them where it stands."""
        for row in self._rows:
            row.measured = None
            if row.widget is not None and (row.widget.in_use or row.widget.has_focus()):
                row.widget.restyle()
            else:
                self._let_go(row)
        self._heights.reset([self._height_of(row) for row in self._rows])
        self._arrange()

    # The way back to the end

    def _make_latest_button(self) -> QPushButton:
        button = QPushButton(self.tr("Latest"), self)
        button.setAccessibleName(self.tr("Go to the latest message"))
        button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        button.clicked.connect(self.go_to_end)
        button.hide()
        set_icon(button, "jump-latest")
        return button

    def _place_latest_button(self) -> None:
        bar = self.verticalScrollBar()
        self.latest_button.setVisible(bar.value() < bar.maximum() - _AT_END)
        size = self.latest_button.sizeHint()
        area = self.viewport().geometry()
        self.latest_button.setGeometry(
            area.center().x() - size.width() // 2, area.bottom() - size.height() - Space.M, size.width(), size.height()
        )
        self.latest_button.raise_()
