"""The conversation as a user meets it: reading, streaming, scrolling, editing, choosing versions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication, QWheelEvent, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton

from app.inference.events import Progress
from app.ui.composer.thumbnail_button import ThumbnailButton
from app.ui.messages.answer_message import AnswerMessage
from app.ui.messages.code_block import CodeBlock
from app.ui.messages.message_widget import MessageWidget
from app.ui.messages.user_message import UserMessage
from app.ui.messages.words import THIN
from app.ui.theme import Space, apply_theme
from tests.ui.messages.conftest import STATS, dialogue, finished, message, streaming


def answer_of(view, name="answer") -> AnswerMessage:
    widget = view.widget_of(name)
    assert isinstance(widget, AnswerMessage)
    return widget


def words_of(view, name="answer") -> str:
    body = answer_of(view, name).body
    return "\n".join(
        block.code() if isinstance(block, CodeBlock) else block.toPlainText() for block in body.block_widgets()
    )


def places_of_widgets(view) -> list[QRect]:
    made = [widget for widget in view.viewport().children() if isinstance(widget, MessageWidget)]
    return [widget.geometry() for widget in made if widget.isVisible()]


def wheel(view, notches: int) -> None:
    where = QPointF(view.viewport().rect().center())
    QApplication.sendEvent(
        view.viewport(),
        QWheelEvent(
            where,
            QPointF(view.viewport().mapToGlobal(where.toPoint())),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        ),
    )


def at_end(view) -> bool:
    bar = view.verticalScrollBar()
    return bar.value() == bar.maximum()


# Reading


def test_a_turn_is_shown_whole(qtbot, view, make_image):
    images = (make_image("red"), make_image("blue"))
    question = message("q", "user", "What is <b>this</b>?", images=images)
    view.set_messages([question, finished("It is **red**.\n\n```py\nx = 1\n```")])
    card = view.widget_of("q")
    assert isinstance(card, UserMessage)
    assert card.text.toPlainText() == "What is <b>this</b>?"
    thumbnails = card.findChildren(ThumbnailButton)
    assert [button.accessibleName() for button in thumbnails] == ["red.png", "blue.png"]
    qtbot.waitUntil(lambda: all(button.pixmap() is not None for button in thumbnails))
    assert words_of(view) == "It is red.\nx = 1"


def test_a_picture_can_be_opened(qtbot, view, make_image):
    image = make_image()
    view.set_messages([message("q", "user", "", images=(image,))])
    (button,) = view.widget_of("q").findChildren(ThumbnailButton)
    with qtbot.waitSignal(view.image_activated) as opened:
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Return)
    assert opened.args == [image.digest]


def test_the_receipt_says_it_and_opens(qtbot, view):
    view.set_messages([finished("Yes.")])
    receipt = answer_of(view).receipt
    assert receipt is not None
    assert receipt.sentence.text().replace(THIN, " ").startswith("Image seen before: encoder skipped (saved 0.45 s).")
    before = answer_of(view).height()
    qtbot.mouseClick(receipt.toggle_button, Qt.MouseButton.LeftButton)
    assert receipt.is_open
    qtbot.waitUntil(lambda: answer_of(view).height() > before + 50)
    qtbot.mouseClick(receipt.sentence, Qt.MouseButton.LeftButton)
    assert not receipt.is_open
    qtbot.waitUntil(lambda: answer_of(view).height() == before)


def test_copying_gives_the_source(qtbot, view):
    view.set_messages([message("q", "user", "a *b*"), finished("**bold**\n\n- x")])
    qtbot.mouseClick(answer_of(view).copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "**bold**\n\n- x"
    qtbot.mouseClick(view.widget_of("q").copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "a *b*"


def test_versions_can_be_chosen(qtbot, view):
    view.set_messages([finished("two", sibling=1, siblings=3)])
    buttons = {b.accessibleName(): b for b in answer_of(view).findChildren(QAbstractButton)}
    with qtbot.waitSignal(view.sibling_requested) as chosen:
        qtbot.mouseClick(buttons["Next version"], Qt.MouseButton.LeftButton)
    assert chosen.args == ["answer", 2]
    with qtbot.waitSignal(view.sibling_requested) as chosen:
        qtbot.mouseClick(buttons["Previous version"], Qt.MouseButton.LeftButton)
    assert chosen.args == ["answer", 0]


def test_answer_again(qtbot, view):
    view.set_messages([finished("x")])
    with qtbot.waitSignal(view.regenerate_requested) as asked:
        qtbot.mouseClick(answer_of(view).regenerate_button, Qt.MouseButton.LeftButton)
    assert asked.args == ["answer"]


def test_thoughts_are_closed_until_asked_for(qtbot, view):
    view.set_messages([finished("Answer.", thinking="Hmm, *let me see*.")])
    thinking = answer_of(view).thinking
    assert thinking is not None
    assert thinking.findChildren(type(answer_of(view).body)) == []
    qtbot.mouseClick(thinking.button, Qt.MouseButton.LeftButton)
    (body,) = thinking.findChildren(type(answer_of(view).body))
    assert body.block_widgets()[0].toPlainText() == "Hmm, let me see."


def test_no_message_is_ever_a_window_of_its_own(view):
    shown: list[QWindow] = []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Show and isinstance(watched, QWindow):
                shown.append(watched)
            return False

    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    view.set_messages([*dialogue(3), message("e", "user", ""), message("s", "system", "Be brief")])
    view.begin_answer(streaming())
    view.append_answer("answer", "```py\nx\n```\nmore")
    view.append_answer("answer", "hm", thinking=True)
    view.show_error("answer", "No.", "details")
    view.finish_answer(finished("x", state="stopped"))
    QApplication.instance().removeEventFilter(watch)
    assert shown == []


# Editing


def test_edit_in_place(qtbot, view):
    view.set_messages([message("q", "user", "old words")])
    card = view.widget_of("q")
    QApplication.sendEvent(card, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))
    qtbot.mouseClick(card.edit_button, Qt.MouseButton.LeftButton)
    assert card.field.hasFocus()
    assert not card.text.isVisible()
    card.field.selectAll()
    qtbot.keyClicks(card.field, "new words")
    with qtbot.waitSignal(view.edit_requested) as edited:
        qtbot.keyClick(card.field, Qt.Key.Key_Return)
    assert edited.args == ["q", "new words", []]
    assert card.field.toPlainText() == "new words", "they stay until the message goes: perhaps they cannot be saved"


def test_escape_leaves_editing_without_a_change(qtbot, view):
    view.set_messages([message("q", "user", "old words")])
    card = view.widget_of("q")
    card.start_editing()
    qtbot.keyClicks(card.field, "more")
    with qtbot.assertNotEmitted(view.edit_requested):
        qtbot.keyClick(card.field, Qt.Key.Key_Escape)
    assert card.text.isVisible()
    assert card.text.toPlainText() == "old words"
    assert not card.in_use


# An answer on its way


def test_an_answer_from_first_progress_to_receipt(qtbot, view):
    view.add_message(message("q", "user", "Hi"))
    view.begin_answer(streaming())
    view.set_progress("answer", Progress("prefill", 62, 100, eta=3.0))
    progress = answer_of(view).progress
    assert progress.isVisible()
    assert progress.label.text().replace(THIN, " ") == "Reading the prompt 62 %, about 3 s left"
    for piece in ("Some **bo", "ld** words\n\n``", "`js\nlet x", " = 1\n```\nend"):
        view.append_answer("answer", piece)
    assert not progress.isVisible()
    qtbot.waitUntil(lambda: words_of(view) == "Some bold words\nlet x = 1\nend")
    assert answer_of(view).receipt is None
    view.finish_answer(finished("Some **bold** words\n\n```js\nlet x = 1\n```\nend"))
    assert words_of(view) == "Some bold words\nlet x = 1\nend"
    assert answer_of(view).receipt is not None


def test_while_streaming_only_the_last_block_is_made_anew(qtbot, view):
    view.begin_answer(streaming())
    view.append_answer("answer", "First.\n\n```py\nx = 1\n```\n\nSecond")
    body = answer_of(view).body
    body.render_now()
    before = body.block_widgets()
    code = before[1].text.document().revision()
    first = before[0].document().revision()
    view.append_answer("answer", " grows")
    body.render_now()
    assert body.block_widgets() == before
    assert before[0].document().revision() == first
    assert before[1].text.document().revision() == code
    assert before[2].toPlainText() == "Second grows"


def test_thoughts_stream_apart(qtbot, view):
    view.begin_answer(streaming())
    view.append_answer("answer", "Let me", thinking=True)
    view.append_answer("answer", " see.", thinking=True)
    thinking = answer_of(view).thinking
    assert thinking is not None
    assert thinking.button.text() == "Thinking…"
    view.append_answer("answer", "Done.")
    assert thinking.button.text() == "Thoughts"
    assert thinking.text() == "Let me see."
    qtbot.waitUntil(lambda: words_of(view) == "Done.")


def test_a_stopped_answer_says_so_and_can_be_gone_on_with(qtbot, view):
    view.begin_answer(streaming())
    view.append_answer("answer", "Half an")
    view.finish_answer(finished("Half an", state="stopped"))
    note = answer_of(view).note
    assert note is not None
    assert note.sentence.text() == "Stopped."
    assert note.button.text() == "Continue"
    with qtbot.waitSignal(view.continue_requested) as asked:
        qtbot.mouseClick(note.button, Qt.MouseButton.LeftButton)
    assert asked.args == ["answer"]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("length", "Stopped at the length limit of the settings."),
        ("context", "Stopped because the context is full."),
        ("loop", "Stopped because the answer repeats itself."),
    ],
)
def test_an_answer_that_met_a_limit_says_which_and_can_be_gone_on_with(qtbot, view, reason, words):
    view.set_messages([finished("One two three", stats={"finish_reason": reason})])
    note = answer_of(view).note
    assert note is not None
    assert note.sentence.text() == words
    with qtbot.waitSignal(view.continue_requested):
        qtbot.mouseClick(note.button, Qt.MouseButton.LeftButton)


def test_an_answer_stopped_before_its_first_word_can_be_asked_for_again(qtbot, view):
    view.set_messages([finished("", state="stopped")])
    note = answer_of(view).note
    assert note is not None
    assert note.button.text() == "Answer again"
    with qtbot.waitSignal(view.regenerate_requested):
        qtbot.mouseClick(note.button, Qt.MouseButton.LeftButton)


def test_going_on_shows_the_progress_below_what_is_there(qtbot, view):
    view.set_messages([finished("Half an", state="streaming")])
    answer = answer_of(view)
    assert not answer.progress.isVisible()
    view.set_progress("answer", Progress("prefill", 1, 2))
    assert answer.progress.isVisible()
    assert answer.progress.y() > answer.body.y()
    view.append_answer("answer", " answer")
    assert not answer.progress.isVisible()
    qtbot.waitUntil(lambda: words_of(view) == "Half an answer")


def test_an_error_stands_under_the_answer(qtbot, view):
    view.begin_answer(streaming())
    view.show_error("answer", "The prompt needs 9,120 tokens; the model reads 8,192.", "Traceback …")
    note = answer_of(view).note
    assert note is not None
    assert "9,120" in note.sentence.text()
    assert note.details is not None
    assert not note.details.isVisible()
    qtbot.mouseClick(note.details_button, Qt.MouseButton.LeftButton)
    assert note.details.toPlainText() == "Traceback …"
    with qtbot.waitSignal(view.retry_requested) as retried:
        qtbot.mouseClick(note.button, Qt.MouseButton.LeftButton)
    assert retried.args == ["answer"]


def test_a_failed_answer_of_yesterday_still_says_why(view):
    view.set_messages([finished("", state="failed", error="The picture is gone.")])
    note = answer_of(view).note
    assert note is not None
    assert note.sentence.text() == "The picture is gone."


def test_pieces_for_another_chat_are_ignored(view):
    view.set_messages(dialogue(1))
    view.append_answer("elsewhere", "x")
    view.set_progress("elsewhere", Progress("prefill", 1, 2))
    view.finish_answer(finished("x", name="elsewhere"))
    assert [m.id for m in view.messages()] == ["q0", "a0"]


# Scrolling


def test_a_chat_opens_at_its_end(view):
    view.set_messages(dialogue(20))
    assert at_end(view)
    assert not view.latest_button.isVisible()
    last = view.widget_of("a19")
    assert last.geometry().bottom() <= view.viewport().height()


def test_only_what_is_near_exists(qtbot, view):
    view.set_messages(dialogue(150))
    assert len(view.viewport().findChildren(MessageWidget)) < 20
    view.verticalScrollBar().setValue(0)
    assert view.widget_of("q0") is not None
    qtbot.waitUntil(lambda: view.widget_of("a149") is None)
    assert view.widget_of("q0").geometry().top() == 16


def test_widgets_neither_overlap_nor_leave_gaps(view):
    view.set_messages(dialogue(30))
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    shown = [view.widget_of(m.id) for m in view.messages()]
    boxes = sorted((w.geometry() for w in shown if w is not None), key=lambda box: box.top())
    assert len(boxes) > 2
    assert {below.top() - above.bottom() - 1 for above, below in pairwise(boxes)} == {24}


def test_the_view_follows_a_growing_answer_at_the_end(qtbot, view):
    view.set_messages(dialogue(5))
    view.begin_answer(streaming())
    for _ in range(5):
        view.append_answer("answer", "words and words\n\n" * 6)
        answer_of(view).body.render_now()
        qtbot.waitUntil(lambda: at_end(view) and answer_of(view).geometry().bottom() < view.viewport().height())


def test_it_does_not_drag_a_reader_along(qtbot, view):
    view.set_messages(dialogue(10))
    view.begin_answer(streaming())
    view.append_answer("answer", "words\n\n" * 30)
    answer_of(view).body.render_now()
    wheel(view, 3)
    assert not view.is_following
    top = view.widget_of("a9").mapTo(view, QPoint(0, 0))
    view.append_answer("answer", "more\n\n" * 30)
    answer_of(view).body.render_now()
    qtbot.waitUntil(lambda: view.latest_button.isVisible() and not view._later.isActive())
    assert view.widget_of("a9").mapTo(view, QPoint(0, 0)) == top
    qtbot.mouseClick(view.latest_button, Qt.MouseButton.LeftButton)
    assert at_end(view)
    assert view.is_following
    assert not view.latest_button.isVisible()


def test_scrolling_back_to_the_end_follows_again(view):
    view.set_messages(dialogue(10))
    wheel(view, 5)
    assert not view.is_following
    wheel(view, -50)
    assert view.is_following


def test_home_end_and_page_keys(qtbot, view):
    view.set_messages(dialogue(20))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.verticalScrollBar().value() > 0
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert at_end(view)


def test_what_is_read_stays_in_place_when_heights_above_prove_wrong(view):
    view.set_messages(dialogue(60))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    for _ in range(40):
        names = [m.id for m in view.messages() if view.widget_of(m.id) is not None]
        reference = next(n for n in names if view.widget_of(n).geometry().top() > 0)
        before = view.widget_of(reference).geometry().top()
        value = bar.value()
        wheel(view, 1)
        moved = view.widget_of(reference).geometry().top() - before
        assert moved == 120 or bar.value() == 0, (value, bar.value())


def test_a_search_hit_is_brought_to_the_top(view):
    view.set_messages(dialogue(60))
    view.show_message("q17")
    assert view.widget_of("q17").geometry().top() == 16


@pytest.mark.parametrize("width", [500, 620, 1200])
def test_what_is_at_the_top_stays_there_at_another_width(view, width):
    view.set_messages(dialogue(250))
    view.show_message("q125")
    view.resize(width, 600)
    assert view.widget_of("q125").geometry().top() == 16
    view.resize(800, 600)
    assert view.widget_of("q125").geometry().top() == 16


def test_the_column_is_narrow_and_centred(qtbot, view):
    view.set_messages(dialogue(2))
    view.resize(1400, 600)
    qtbot.waitUntil(lambda: view.widget_of("a1").width() == 760)
    box = view.widget_of("a1").geometry()
    assert abs(box.center().x() - view.rect().center().x()) <= 1
    view.resize(500, 600)
    qtbot.waitUntil(lambda: view.widget_of("a1").width() == view.width() - 32)


def test_choosing_a_version_keeps_the_place(view):
    messages = dialogue(20)
    view.set_messages(messages)
    wheel(view, 8)
    kept = [view.widget_of(m.id) for m in messages[:-1] if view.widget_of(m.id) is not None]
    value = view.verticalScrollBar().value()
    view.set_messages([*messages[:-1], replace(messages[-1], id="a19b", text="Another", sibling=1, siblings=2)])
    assert view.verticalScrollBar().value() == value
    assert [view.widget_of(m.id) for m in messages[:-1] if view.widget_of(m.id) is not None][: len(kept)] == kept


def test_a_new_question_is_gone_to(view):
    messages = dialogue(20)
    view.set_messages(messages)
    wheel(view, 8)
    view.set_messages([*messages, message("q", "user", "New"), streaming()])
    assert at_end(view)
    wheel(view, 8)
    view.set_messages([*messages, message("q", "user", "New"), streaming("again", sibling=1, siblings=2)])
    assert at_end(view)


def test_a_growing_answer_keeps_what_it_has_when_the_chat_is_shown_again(qtbot, view):
    question = message("q", "user", "Hi")
    view.set_messages([question, streaming()])
    view.append_answer("answer", "One ")
    widget = answer_of(view)
    view.set_messages([question, replace(streaming(), text="On")])
    view.append_answer("answer", "two")
    assert answer_of(view) is widget
    qtbot.waitUntil(lambda: words_of(view) == "One two")


def test_another_chat_is_shown_from_its_end(view):
    view.set_messages(dialogue(20))
    wheel(view, 8)
    view.set_messages([replace(m, conversation_id="other", id=f"o{m.id}") for m in dialogue(20)])
    assert at_end(view)
    view.set_messages([])
    assert view.messages() == []


def test_what_is_open_or_edited_is_not_let_go(qtbot, view):
    view.set_messages(dialogue(60))
    view.verticalScrollBar().setValue(0)
    card = view.widget_of("q0")
    card.start_editing()
    qtbot.keyClicks(card.field, " and more")
    view.go_to_end()
    assert view.widget_of("q0") is card
    assert card.field.toPlainText().endswith(" and more")


def test_what_is_near_is_made_after_what_is_seen(qtbot, view):
    view.set_messages(dialogue(60))
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    page = view.viewport().rect()
    lowest = max(place.bottom() for place in places_of_widgets(view))
    assert page.bottom() <= lowest
    qtbot.waitUntil(lambda: not view._idle.isActive())
    places = places_of_widgets(view)
    assert max(place.bottom() for place in places) > max(lowest, page.bottom() + page.height() // 2)
    assert min(place.top() for place in places) < page.top() - page.height() // 2


def test_in_a_narrow_window_there_is_no_gap_above_long_words(qtbot, view):
    view.resize(420, 600)
    long = "Donaudampfschifffahrtsgesellschaft" * 12
    view.set_messages([message("q", "user", long), message("a", "assistant", long)])
    qtbot.waitUntil(lambda: not view._later.isActive() and not view._idle.isActive())
    for name in ("q", "a"):
        (text,) = view.widget_of(name).texts()
        assert text.height() == text.heightForWidth(text.width())
        above = text.mapTo(view.widget_of(name), QPoint()).y() - view.widget_of(name).name.geometry().bottom()
        assert above <= 2 * Space.S


# Everybody


def test_every_control_has_a_name_and_tab_goes_downwards(qtbot, view, make_image):
    question = message("q", "user", "Hi", images=(make_image(),), siblings=2)
    view.set_messages([question, finished("```py\nx\n```", siblings=2, thinking="hm"), message("q2", "user", "Bye")])
    controls = [c for c in view.findChildren(QAbstractButton) if c.isVisible()]
    assert len(controls) > 8
    assert all(c.accessibleName() or (isinstance(c, QPushButton) and c.text()) for c in controls)
    assert [text.accessibleName() for text in view.widget_of("q").texts()] == ["You: Hi"]
    view.setFocus()
    tops = []
    for _ in range(30):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is view or not view.viewport().isAncestorOf(focused):
            break
        owner = next(w for w in map(view.widget_of, ("q", "answer", "q2")) if w.isAncestorOf(focused))
        tops.append(owner.geometry().top())
    assert len(tops) > 8
    assert tops == sorted(tops)


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_a_new_theme_reaches_what_is_shown(qapp, view, mode):
    view.set_messages(dialogue(3))
    apply_theme(qapp, mode)
    image = view.grab().toImage()
    surface = image.pixelColor(2, 2).lightness()
    assert (surface < 80) == (mode == "dark")
    prose = answer_of(view, "a2").body.block_widgets()[0]
    assert prose.toPlainText().startswith("Point one")


def test_a_font_change_is_taken(qapp, view):
    view.set_messages(dialogue(3))
    before = answer_of(view, "a2").height()
    small = qapp.font()
    large = qapp.font()
    large.setPointSizeF(small.pointSizeF() * 1.6)
    try:
        qapp.setFont(large)
        QApplication.sendPostedEvents(None, QEvent.Type.ApplicationFontChange)
        view._arrange()
        assert answer_of(view, "a2").height() > before
    finally:
        qapp.setFont(small)


def test_the_stats_of_the_fixture_are_those_of_the_engine():
    assert STATS["reused_tokens"] + STATS["prefilled_tokens"] == STATS["prompt_tokens"]


def test_an_answer_without_a_word_offers_neither_a_copy_nor_a_fork(view):
    view.set_messages([message("q", "user", "Hello"), message("a", "assistant", "", state="failed", error="No.")])
    answer = view.widget_of("a")
    assert not answer.copy_button.isVisible()
    assert not answer.fork_button.isVisible()
    assert answer.regenerate_button.isVisible()
    view.set_messages([message("q", "user", "Hello"), message("b", "assistant", "Hi")])
    assert view.widget_of("b").copy_button.isVisible()
    assert view.widget_of("b").fork_button.isVisible()
