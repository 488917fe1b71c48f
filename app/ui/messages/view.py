"""The conversation: a column of messages of which only those near the window exist as widgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.inference.events import Progress
from app.store.records import StoredImage, StoredMessage
from app.ui.composer.badge import Known
from app.ui.composer.thumbnails import Thumbnails, ThumbnailSource
from app.ui.messages.answer_message import AnswerMessage
from app.ui.messages.column import SETTLING, Column, Row
from app.ui.messages.finder import Finder
from app.ui.messages.latest_button import LatestButton
from app.ui.messages.making import make_widget
from app.ui.messages.message_widget import MessageWidget
from app.ui.messages.user_message import UserMessage
from app.ui.theme import theme_notifier
from app.ui.theme.tokens import COLUMN_WIDTH

_AT_END: Final = 24
_IDLE_MS: Final = 20
"""Pause before each message that is made ahead of scrolling: no step of scrolling waits for what it does not show."""


class MessageView(QAbstractScrollArea):
    """Messages one below the other, at most 760 points wide, following the end only while the reader is there.

    Signals:
        regenerate_requested: another version of this answer is wanted.
        continue_requested: this answer was cut and is to be gone on with.
        edit_requested: this message is to be sent again with these words and pictures.
        editing_changed: other pictures than before stand in messages that are being edited.
        sibling_requested: another version of this message, counted from 0, is to be shown.
        image_activated: the picture with this digest is to be shown large.
        retry_requested: this failed answer is to be tried again.
        fork_requested: another chat is to go on from this answer.
    """

    regenerate_requested = Signal(str)
    continue_requested = Signal(str)
    edit_requested = Signal(str, str, list)
    editing_changed = Signal()
    sibling_requested = Signal(str, int)
    image_activated = Signal(str)
    retry_requested = Signal(str)
    fork_requested = Signal(str)

    def __init__(self, image_store: ThumbnailSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.thumbnails = Thumbnails(image_store, self)
        self.no_thoughts = ""
        self._column = Column(self.verticalScrollBar(), self._make_widget)
        self._following = True
        self._arranging = False
        self._tabs_in_order = True
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._arrange)
        self._idle = QTimer(self, singleShot=True, interval=_IDLE_MS)
        self._idle.timeout.connect(lambda: self._arrange(ahead=True))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.latest_button = LatestButton(self)
        self.latest_button.clicked.connect(self.go_to_end)
        self.finder = Finder(self)
        theme_notifier().changed.connect(self._restyle)

    # What is shown

    def set_messages(self, messages: Sequence[StoredMessage]) -> None:
        """Show these messages instead, at their end; where it is the same chat, the place of reading stays.

        A new message at the end of the same chat is gone to. An answer that is growing here keeps what it has.
        """
        known = {row.message.id: row for row in self._column.rows}
        goes_to_end = self._is_another_chat(messages) or self._has_new_end(messages)
        self._column.set_rows([_kept_row(known.get(message.id), message) for message in messages])
        self._following = self._following or goes_to_end
        self._arrange()
        self.finder.refresh()

    def _is_another_chat(self, messages: Sequence[StoredMessage]) -> bool:
        if not self._column.rows or not messages:
            return True
        return self._column.rows[0].message.conversation_id != messages[0].conversation_id

    def _has_new_end(self, messages: Sequence[StoredMessage]) -> bool:
        before = [row.message.id for row in self._column.rows]
        after = [message.id for message in messages]
        appended = len(after) > len(before) and after[: len(before)] == before
        return appended or (messages[-1].state == "streaming" and messages[-1].id not in before)

    def messages(self) -> list[StoredMessage]:
        """Return what is shown."""
        return [row.message for row in self._column.rows]

    def add_message(self, message: StoredMessage) -> None:
        """Show ``message`` below the others and go there."""
        self._column.append(Row(message))
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
        index = self._column.index(message.id)
        if index is None:
            return
        row = self._column.rows[index]
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
        self.no_thoughts = why
        for widget in self._column.widgets():
            if isinstance(widget, AnswerMessage):
                widget.refuse_thoughts(why)

    # Questions that are being edited

    def edited_images(self) -> list[StoredImage]:
        """Return the pictures in messages that are being edited."""
        return [image for message in self._edited() for image in message.edited_images()]

    def set_known(self, digest: str, known: Known) -> None:
        """Show what is known about a picture wherever it is being edited."""
        for message in self._edited():
            message.set_known(digest, known)

    def _edited(self) -> list[UserMessage]:
        return [widget for widget in self._column.widgets() if isinstance(widget, UserMessage) and widget.in_use]

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
        index = self._column.index(message_id)
        if index is None:
            return
        self._following = False
        for _ in range(SETTLING):
            self.verticalScrollBar().setValue(self._column.top(index))
            self._arrange()

    def start_finding(self) -> None:
        """Open the bar that finds words in this conversation."""
        self.finder.open()

    def widget_of(self, message_id: str) -> MessageWidget | None:
        """Return the widget of a message, if it exists at present."""
        index = self._column.index(message_id)
        return None if index is None else self._column.rows[index].widget

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange for the new size; what was at the top, or the end, stays there."""
        super().resizeEvent(event)
        self.finder.place()
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

    def _arrange(self, *, ahead: bool = False) -> None:
        if self._arranging:
            return
        self._arranging = True
        self._later.stop()
        try:
            self._column.fit(self.width(), self.viewport().height())
            self._column.arrange(at_end=self._following, ahead=ahead)
        finally:
            self._arranging = False
        if not self._column.is_ready(at_end=self._following):
            self._idle.start()
        bar = self.verticalScrollBar()
        self.latest_button.place(self.viewport().geometry(), shown=bar.value() < bar.maximum() - _AT_END)

    def _make_widget(self, message: StoredMessage) -> MessageWidget:
        widget = make_widget(self, message)
        widget.layout_changed.connect(lambda: self._later.start(0))
        self._tabs_in_order = False
        self.finder.mark(widget)
        return widget

    def _order_tabs(self) -> None:
        """Let Tab walk through the messages from top to bottom, in whatever order they were made."""
        self._tabs_in_order = True
        previous: QWidget = self
        for message in self._column.widgets():
            for widget in message.findChildren(QWidget):
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    QWidget.setTabOrder(previous, widget)
                    previous = widget
        QWidget.setTabOrder(previous, self.latest_button)

    def _answer(self, message_id: str) -> AnswerMessage | None:
        """Return the widget of an answer, made now if it was out of sight."""
        index = self._column.index(message_id)
        widget = None if index is None else self._column.widget(index)
        return widget if isinstance(widget, AnswerMessage) else None

    def _restyle(self) -> None:
        """Make everything anew in the fonts and colours in force; what is in use takes them where it stands."""
        self._column.hold()
        for row in self._column.rows:
            row.measured = None
            if row.widget is not None and row.is_needed:
                row.widget.restyle()
            else:
                row.let_go()
        self._column.measure_anew()
        self._arrange()


def _kept_row(row: Row | None, message: StoredMessage) -> Row:
    if row is None:
        return Row(message)
    growing = row.message.state == message.state == "streaming"
    return row if growing or row.message == message else Row(message)
