"""The assistant's turn: progress, thoughts, blocks, receipt, and what can be done with it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.inference.events import Progress
from app.store.records import StoredMessage
from app.ui.messages.answer_body import AnswerBody
from app.ui.messages.block_text import BlockText
from app.ui.messages.buttons import BUTTON_INSET, CopyButton, IconButton
from app.ui.messages.message_widget import MessageWidget
from app.ui.messages.note import Note
from app.ui.messages.progress_line import ProgressLine
from app.ui.messages.receipt_view import ReceiptView
from app.ui.messages.thinking import Thinking
from app.ui.sentences import translated
from app.ui.theme import Space

_LIMITS: Final = ("length", "context", "loop")


class AnswerMessage(MessageWidget):
    """One answer, finished or on its way.

    Signals:
        regenerate_requested: another answer is wanted.
        continue_requested: it was cut and is to be gone on with.
        retry_requested: the failed one is to be tried again.
        fork_requested: another chat is to go on from here.
    """

    regenerate_requested = Signal()
    continue_requested = Signal()
    retry_requested = Signal()
    fork_requested = Signal()

    def __init__(self, message: StoredMessage, no_thoughts: str = "", parent: QWidget | None = None) -> None:
        """``no_thoughts``: why a thought cannot be gone on with now; empty where it can."""
        super().__init__(message, "", parent)
        self._no_thoughts = no_thoughts
        self.name.setText(self.tr("Second Glance"))
        self.column.setContentsMargins(Space.L - BUTTON_INSET, 0, Space.L, 0)
        self.header.setContentsMargins(BUTTON_INSET, 0, 0, 0)
        self.progress = ProgressLine()
        self.thinking: Thinking | None = None
        self.body = AnswerBody()
        self.note: Note | None = None
        self.receipt: ReceiptView | None = None
        self._footer = QWidget()
        self._waits = False
        self.column.addWidget(_set_in(self.body))
        self.column.addWidget(_set_in(self.progress))
        self.column.addWidget(self._footer)
        self._fill_footer()
        self.show_message(message)

    @property
    def in_use(self) -> bool:
        """Whether it is growing, or something in it has been opened."""
        opened = (self.thinking is not None and self.thinking.is_open) or (
            self.receipt is not None and self.receipt.is_open
        )
        explained = self.note is not None and self.note.details is not None
        return self.message.state == "streaming" or opened or explained

    def show_message(self, message: StoredMessage) -> None:
        """Show ``message``, which may be the finished form of what was streaming here."""
        self.message = message
        streaming = message.state == "streaming"
        self._show_thinking(message.thinking, running=streaming and not message.text)
        self.body.set_text(message.text)
        self.body.setVisible(bool(message.text))
        self._waits = streaming
        self.progress.setVisible(streaming and not message.text)
        self._footer.setVisible(not streaming)
        for button in (self.copy_button, self.fork_button):
            button.setVisible(bool(message.text))
        self._show_receipt()
        self._show_state()

    def append(self, text: str, *, thinking: bool = False) -> None:
        """Add to the answer or to the thoughts."""
        self._waits = False
        self.progress.hide()
        if thinking:
            self._ensure_thinking().append(text)
            self._ensure_thinking().set_running(True)
            return
        if self.thinking is not None:
            self.thinking.set_running(False)
        self.body.show()
        self.body.append(text)

    def set_progress(self, progress: Progress) -> None:
        """Show how far the work before the first words is, or before the first that are added."""
        self.progress.set_progress(progress)
        self.progress.setVisible(self._waits)

    def finish(self, message: StoredMessage) -> None:
        """Show the finished answer and tell a screen reader."""
        self.show_message(message)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.tr("Answer finished")))

    def refuse_thoughts(self, why: str) -> None:
        """Take another reason why a thought cannot be gone on with, or none."""
        if why != self._no_thoughts:
            self._no_thoughts = why
            if can_continue(self.message) and not self.message.text:
                self._show_state()

    def show_error(self, sentence: str, details: str) -> None:
        """Show what went wrong, under what there is of the answer."""
        self.progress.hide()
        if can_continue(self.message):
            self._offer_to_go_on(translated(sentence), details)
        else:
            self._set_note(Note(translated(sentence), self.tr("Try again"), details=details), self.retry_requested)

    def texts(self) -> list[BlockText]:
        """Return the texts of all blocks."""
        return self.body.texts()

    def restyle(self) -> None:
        """Take the fonts and colours in force."""
        super().restyle()
        self.body.restyle()
        if self.thinking is not None:
            self.thinking.restyle()

    def _fill_footer(self) -> None:
        self.copy_button = CopyButton(self.tr("Copy answer"), self.body.text)
        self.regenerate_button = IconButton("regenerate", self.tr("Answer again"))
        self.regenerate_button.clicked.connect(self.regenerate_requested)
        self.fork_button = IconButton("branch", self.tr("Go on from here in a new chat"))
        self.fork_button.clicked.connect(self.fork_requested)
        row = QHBoxLayout(self._footer)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.copy_button)
        row.addWidget(self.regenerate_button)
        row.addWidget(self.fork_button)
        self.add_siblings(row)
        row.addStretch()

    def _show_thinking(self, text: str, *, running: bool) -> None:
        if not text:
            return
        thinking = self._ensure_thinking()
        if thinking.text() != text:
            thinking.set_text(text)
        thinking.set_running(running)

    def _ensure_thinking(self) -> Thinking:
        if self.thinking is None:
            self.thinking = Thinking()
            self.column.insertWidget(self.column.indexOf(self.body), self.thinking)
        return self.thinking

    def _show_receipt(self) -> None:
        if self.receipt is not None:
            self.receipt.hide()
            self.receipt.deleteLater()
            self.receipt = None
        if self.message.stats and self.message.state != "streaming":
            self.receipt = ReceiptView(self.message.stats)
            self.column.insertWidget(self.column.indexOf(self._footer), _set_in(self.receipt))

    def _show_state(self) -> None:
        self._set_note(None)
        message = self.message
        if message.state == "failed":
            self.show_error(message.error or self.tr("This answer failed."), "")
        elif can_continue(message):
            self._offer_to_go_on(translated(message.error))
        elif message.state == "stopped":
            again = Note(self.tr("Stopped."), self.tr("Answer again"), failed=False)
            self._set_note(again, self.regenerate_requested)

    def _offer_to_go_on(self, failure: str, details: str = "") -> None:
        """``failure``: why it could not be gone on with before; empty if that was not tried."""
        message = self.message
        words = {
            "length": self.tr("Stopped at the length limit of the settings."),
            "context": self.tr("Stopped because the context is full."),
            "loop": self.tr("Stopped because the answer repeats itself."),
        }.get(cut_by(message), self.tr("Stopped."))
        refused = "" if message.text else self._no_thoughts
        sentence = f"{words} {refused or failure}".strip()
        note = Note(sentence, self.tr("Continue"), details=details, failed=bool(failure))
        note.button.setEnabled(not refused)
        self._set_note(note, self.continue_requested)

    def _set_note(self, note: Note | None, on_action: SignalInstance | None = None) -> None:
        if self.note is not None:
            self.note.hide()
            self.note.deleteLater()
        self.note = note
        if note is not None:
            if on_action is not None:
                note.action_triggered.connect(on_action)
            self.column.insertWidget(self.column.indexOf(self.body) + 1, _set_in(note))


def can_continue(message: StoredMessage) -> bool:
    """Whether an answer was cut, by the user or at a limit, after its first word or thought."""
    if message.role != "assistant" or not message.begun:
        return False
    return message.state == "stopped" or bool(cut_by(message))


def cut_by(message: StoredMessage) -> str:
    """Return the limit that ended a complete answer: ``length``, ``context`` or ``loop``; empty where none did."""
    reason = str((message.stats or {}).get("finish_reason", ""))
    return reason if message.state == "complete" and reason in _LIMITS else ""


def _set_in(widget: QWidget) -> QWidget:
    """Let ``widget`` begin where the icons of the buttons do."""
    widget.setContentsMargins(BUTTON_INSET, 0, 0, 0)
    return widget
