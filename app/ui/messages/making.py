"""Makes the widget of a message and lets what the user wants of it leave through the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.records import StoredMessage
from app.ui.messages.answer_message import AnswerMessage
from app.ui.messages.message_widget import MessageWidget
from app.ui.messages.user_message import UserMessage

if TYPE_CHECKING:
    from app.ui.messages.view import MessageView


def make_widget(view: MessageView, message: StoredMessage) -> MessageWidget:
    """Return a widget for ``message`` inside ``view``."""
    widget = _make_answer(view, message) if message.role == "assistant" else _make_user_message(view, message)
    widget.setParent(view.viewport())
    widget.sibling_requested.connect(lambda sibling: view.sibling_requested.emit(message.id, sibling))
    widget.image_activated.connect(view.image_activated)
    return widget


def _make_answer(view: MessageView, message: StoredMessage) -> MessageWidget:
    answer = AnswerMessage(message, view.no_thoughts)
    answer.regenerate_requested.connect(lambda: view.regenerate_requested.emit(message.id))
    answer.continue_requested.connect(lambda: view.continue_requested.emit(message.id))
    answer.retry_requested.connect(lambda: view.retry_requested.emit(message.id))
    answer.fork_requested.connect(lambda: view.fork_requested.emit(message.id))
    return answer


def _make_user_message(view: MessageView, message: StoredMessage) -> MessageWidget:
    widget = UserMessage(message, view.thumbnails)
    widget.edited.connect(lambda text, images: view.edit_requested.emit(message.id, text, images))
    widget.editing_changed.connect(view.editing_changed)
    return widget
