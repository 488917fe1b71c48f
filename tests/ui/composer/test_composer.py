"""The composer as a user works with it: typing, dropping, pasting, keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QInputMethodEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QWidget

from app.ui.composer.badge import Known
from app.ui.composer.lightbox import Lightbox
from tests.ui.composer.conftest import drop, file_mime, png


@pytest.fixture
def sent(composer):
    messages = []
    composer.submitted.connect(lambda text, images: messages.append((text, images)))
    return messages


def names(composer):
    return [item.name for item in composer.strip.items()]


# Text


def test_enter_sends_and_empties(qtbot, composer, sent):
    qtbot.keyClicks(composer.edit, "Hello there")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == [("Hello there", [])]
    assert composer.draft().text == ""


def test_the_enter_of_the_number_pad_sends_too(qtbot, composer, sent):
    qtbot.keyClicks(composer.edit, "x")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert len(sent) == 1


def test_shift_enter_is_a_new_line(qtbot, composer, sent):
    qtbot.keyClicks(composer.edit, "a")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.edit, "b")
    assert sent == []
    assert composer.edit.toPlainText() == "a\nb"


def test_enter_while_an_input_method_composes_does_not_send(qtbot, composer, sent):
    QApplication.sendEvent(composer.edit, QInputMethodEvent("にほん", []))
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    commit = QInputMethodEvent()
    commit.setCommitString("日本")
    QApplication.sendEvent(composer.edit, commit)
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == [("日本", [])]


def test_nothing_to_send(qtbot, composer, sent):
    qtbot.keyClicks(composer.edit, "  ")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.send_button.isEnabled()


def test_the_field_grows_to_eight_lines_and_no_further(qtbot, composer):
    heights = []
    for _ in range(12):
        qtbot.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        heights.append(composer.edit.height())
    assert heights[0] < heights[3] < heights[6]
    assert heights[7] == heights[-1]


def test_what_invites_to_type_stays_in_one_line_and_says_that_there_is_more(composer):
    composer.resize(900, composer.height())
    whole = composer.edit.placeholderText()
    assert "…" not in whole
    composer.resize(200, composer.height())
    short = composer.edit.placeholderText()
    assert short.endswith("…")
    assert whole.startswith(short.removesuffix("…"))
    assert composer.edit.fontMetrics().horizontalAdvance(short) <= composer.edit.viewport().width()
    composer.resize(900, composer.height())
    assert composer.edit.placeholderText() == whole


def test_right_to_left_text_is_laid_out_that_way(qtbot, composer):
    composer.edit.setPlainText("שלום")
    assert composer.edit.document().firstBlock().textDirection() == Qt.LayoutDirection.RightToLeft


def test_busy_turns_send_into_stop(qtbot, composer, sent):
    composer.set_busy(True)
    qtbot.keyClicks(composer.edit, "next question")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert composer.send_button.accessibleName() == "Stop"
    with qtbot.waitSignal(composer.stop_requested):
        qtbot.mouseClick(composer.send_button, Qt.MouseButton.LeftButton)
    composer.set_busy(False)
    qtbot.mouseClick(composer.send_button, Qt.MouseButton.LeftButton)
    assert sent == [("next question", [])]


# Pictures come in


def test_dropped_files_are_kept_although_the_originals_vanish(composer, sent, loaded, make_picture, image_store):
    paths = [make_picture("a.png", "red"), make_picture("b.png", "blue", (30, 60))]
    assert drop(composer.edit.viewport(), file_mime(*paths))
    for path in paths:
        path.unlink()
    loaded(composer, 2)
    composer.submit()
    ((text, images),) = sent
    assert text == ""
    assert [(image.name, image.width, image.height) for image in images] == [("a.png", 48, 32), ("b.png", 30, 60)]
    assert all(image.digest in image_store for image in images)
    assert composer.strip.items() == []


def test_a_drop_beside_the_text_is_taken_too(composer, loaded, make_picture):
    assert drop(composer, file_mime(make_picture()))
    loaded(composer, 1)


def test_a_dropped_path_never_becomes_text(composer, loaded, tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    drop(composer.edit.viewport(), file_mime(tmp_path / "notes.txt"))
    loaded(composer, 1)
    assert composer.edit.toPlainText() == ""
    assert "notes.txt" in composer.reasons.text()
    assert composer.reasons.isVisible()


def test_dropped_text_is_text(composer):
    mime = QMimeData()
    mime.setText("just words")
    drop(composer.edit.viewport(), mime)
    assert composer.edit.toPlainText() == "just words"


def test_pasted_pixels_and_text(qtbot, composer, loaded):
    image = QImage(20, 10, QImage.Format.Format_ARGB32)
    image.fill(QColor("green"))
    QGuiApplication.clipboard().setImage(image)
    qtbot.keyClick(composer.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    loaded(composer, 1)
    QGuiApplication.clipboard().setText("words")
    qtbot.keyClick(composer.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert composer.draft().text == "words"
    assert [(i.width, i.height, i.name) for i in composer.draft().images] == [(20, 10, "pasted image")]


def test_the_same_picture_twice_is_shown_as_one_content(qtbot, composer, loaded, sent):
    composer.add_image_bytes(png(), "first")
    composer.add_image_bytes(png(), "second")
    loaded(composer, 2)
    first, second = composer.strip.items()
    assert "same picture as number 1" in second.toolTip()
    assert "same picture" not in first.toolTip()
    composer.submit()
    assert len({image.digest for image in sent[0][1]}) == 1
    assert len(sent[0][1]) == 2


def test_pictures_from_the_dialog(qtbot, composer, loaded, make_picture, monkeypatch):
    path = make_picture("chosen.png")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *args, **kwargs: ([str(path)], ""))
    qtbot.mouseClick(composer.add_button, Qt.MouseButton.LeftButton)
    loaded(composer, 1)
    assert names(composer) == ["chosen.png"]


def test_incognito_pictures_stay_in_memory(composer, loaded, image_store):
    composer.set_incognito(True)
    composer.add_image_bytes(png("purple"), "secret")
    loaded(composer, 1)
    digest = composer.draft().images[0].digest
    assert digest in image_store
    assert not image_store.path(digest).exists()


def test_sending_waits_for_pictures_that_are_still_being_opened(qtbot, composer, sent, make_picture):
    composer.add_files([make_picture()])
    qtbot.keyClicks(composer.edit, "what is this")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(sent) == 1)
    assert sent[0][0] == "what is this"
    assert len(sent[0][1]) == 1


def test_a_picture_refused_meanwhile_holds_the_message_back(qtbot, composer, sent, loaded):
    composer.add_image_bytes(b"not a picture", "broken.png")
    qtbot.keyClicks(composer.edit, "what is this")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    loaded(composer, 1)
    assert sent == []
    assert "broken.png" in composer.reasons.text()
    assert composer.draft().text == "what is this"


# Pictures in the strip


@pytest.fixture
def three(composer, loaded):
    for colour in ("red", "green", "blue"):
        composer.add_image_bytes(png(colour), colour)
    loaded(composer, 3)
    return composer.strip.items()


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_remove_by_key_goes_on_with_the_neighbour(qtbot, composer, three, key):
    three[1].setFocus()
    qtbot.keyClick(three[1], key)
    assert names(composer) == ["red", "blue"]
    assert three[2].hasFocus()
    qtbot.keyClick(three[2], key)
    qtbot.keyClick(three[0], key)
    assert names(composer) == []
    assert composer.edit.hasFocus()


def test_remove_by_button(qtbot, composer, three):
    QTest.mouseMove(three[0])
    three[0].remove_button.show()
    qtbot.mouseClick(three[0].remove_button, Qt.MouseButton.LeftButton)
    assert names(composer) == ["green", "blue"]


def test_reorder_by_key(qtbot, composer, three):
    three[2].setFocus()
    qtbot.keyClick(three[2], Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert names(composer) == ["red", "blue", "green"]
    qtbot.keyClick(three[2], Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(three[2], Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert names(composer) == ["blue", "red", "green"]
    assert three[2].hasFocus()
    qtbot.keyClick(three[2], Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert [image.name for image in composer.draft().images] == ["red", "blue", "green"]


def test_arrows_walk_along_the_strip(qtbot, composer, three):
    three[0].setFocus()
    qtbot.keyClick(three[0], Qt.Key.Key_Right)
    assert three[1].hasFocus()
    qtbot.keyClick(three[1], Qt.Key.Key_Left)
    assert three[0].hasFocus()


def test_reorder_by_dragging(qtbot, composer, three):
    item, strip = three[0], composer.strip
    start = QPointF(item.rect().center())
    qtbot.mousePress(item, Qt.MouseButton.LeftButton, pos=start.toPoint())
    goal = item.parentWidget().mapToGlobal(three[2].geometry().center()) + QPoint(5, 0)
    for step in range(1, 6):
        here = item.mapToGlobal(start) + (QPointF(goal) - item.mapToGlobal(start)) * step / 5
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            item.mapFromGlobal(here),
            here,
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(item, move)
        strip.widget().layout().activate()
    qtbot.mouseRelease(item, Qt.MouseButton.LeftButton)
    assert names(composer) == ["green", "blue", "red"]
    assert not composer.findChildren(Lightbox)


def test_badges_follow_the_content(composer, three, loaded):
    composer.add_image_bytes(png("red"), "red again")
    loaded(composer, 4)
    digest = composer.draft().images[0].digest
    composer.set_known(digest, Known("partly", "11 of 12 tiles known", "11/12"))
    assert [item.state for item in composer.strip.items()] == ["partly", "new", "new", "partly"]
    assert "11 of 12 tiles known" in three[0].toolTip()
    assert "Partly seen before" in three[0].accessibleName()


def test_a_known_state_holds_for_the_same_picture_added_later(composer, three, loaded):
    composer.set_known(composer.draft().images[0].digest, Known("ready"))
    composer.add_image_bytes(png("red"), "again")
    loaded(composer, 4)
    assert composer.strip.items()[3].state == "ready"


def test_a_picture_refused_by_the_model_is_not_sent(composer, three, sent):
    refused = Known("refused", "This picture needs 6.1 GB; 4.0 GB are free.")
    composer.set_known(composer.draft().images[1].digest, refused)
    assert composer.reasons.text() == "This picture needs 6.1 GB; 4.0 GB are free."
    composer.submit()
    assert [image.name for image in sent[0][1]] == ["red", "blue"]


def test_a_thumbnail_opens_large_and_escape_returns(qtbot, composer, three):
    three[1].setFocus()
    qtbot.keyClick(three[1], Qt.Key.Key_Return)
    (box,) = composer.window().findChildren(Lightbox)
    assert box.index == 1
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert not box.isVisible()
    assert three[1].hasFocus()


# Drafts


def test_a_draft_comes_back_whole(qtbot, composer, three):
    composer.edit.setPlainText("unfinished")
    draft = composer.draft()
    composer.set_draft("", [])
    assert composer.draft().images == ()
    composer.set_draft(draft.text, draft.images)
    assert composer.draft() == draft


def test_every_change_is_told(qtbot, composer, loaded):
    with qtbot.waitSignal(composer.changed):
        qtbot.keyClicks(composer.edit, "a")
    with qtbot.waitSignal(composer.changed):
        composer.add_image_bytes(png(), "x")
    loaded(composer, 1)
    with qtbot.waitSignal(composer.changed):
        composer.strip.remove(composer.strip.items()[0])


def test_every_control_has_a_name_and_tab_reaches_it(qtbot, composer, three):
    controls = [composer.edit, *composer.findChildren(QAbstractButton)]
    assert all(control.accessibleName() for control in controls)
    seen: set[QWidget] = set()
    composer.focus_input()
    for _ in range(12):
        focused = QApplication.focusWidget()
        assert focused is not None
        seen.add(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert {composer.edit, composer.add_button, composer.send_button, *three} <= seen
