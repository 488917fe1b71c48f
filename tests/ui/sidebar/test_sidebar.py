"""The list of chats: groups, search, rename, pin, delete, by mouse and keyboard."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.store.records import Conversation, StoredMessage
from app.store.search import SearchHit
from app.ui.sidebar import Sidebar
from app.ui.sidebar.rows import ChatRow, Heading, found, grouped

NOW = time.mktime((2026, 11, 29, 12, 0, 0, 0, 0, -1))
DAY = 86400


def chat(name: str, at: float = NOW, **changes) -> Conversation:
    return Conversation(name, name.title(), at, at, **changes)


def names(rows) -> list[str]:
    return [row.text if isinstance(row, Heading) else row.conversation.id for row in rows]


def test_chats_are_grouped_pinned_first_then_folders_then_by_day() -> None:
    rows = grouped(
        [
            chat("p", NOW - 9 * DAY, pinned=True),
            chat("a"),
            chat("w", folder="Work"),
            chat("h", folder="Home"),
            chat("o", NOW - DAY),
        ],
        NOW,
    )
    assert names(rows) == ["Pinned", "p", "Home", "h", "Work", "w", "Today", "a", "Earlier", "o"]


def test_midnight_divides_today_from_earlier() -> None:
    midnight = NOW - 12 * 3600
    rows = grouped([chat("a", midnight), chat("b", midnight - 1)], NOW)
    assert names(rows) == ["Today", "a", "Earlier", "b"]


def test_found_chats_carry_their_newest_hit() -> None:
    message = StoredMessage("m2", "a", None, "user", "x", NOW)
    hits = [SearchHit(chat("a"), message, "… blue …"), SearchHit(chat("a"), replace(message, id="m1"), "older")]
    assert found([chat("a"), chat("b")], hits) == [ChatRow(chat("a"), "… blue …", "m2"), ChatRow(chat("b"))]


@pytest.fixture
def sidebar(qtbot) -> Sidebar:
    made = Sidebar()
    qtbot.addWidget(made)
    made.resize(240, 400)
    made.show_chats([chat("a", time.time()), chat("b", time.time()), chat("c", pinned=True)], "b")
    made.show()
    return made


def click(sidebar: Sidebar, qtbot, name: str, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    at = sidebar.list.visualRect(sidebar.model.index_of(name)).center()
    qtbot.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, modifier, at)


def test_a_click_opens_a_chat_and_showing_it_does_not(sidebar: Sidebar, qtbot) -> None:
    chosen = []
    sidebar.chosen.connect(lambda *args: chosen.append(args))
    sidebar.select("a")
    assert (sidebar.selected_ids(), chosen) == (["a"], [])
    click(sidebar, qtbot, "c")
    assert chosen == [("c", "")]


def test_headings_cannot_be_chosen(sidebar: Sidebar) -> None:
    heading = sidebar.model.index(0)
    assert heading.data() == "Pinned"
    assert heading.flags() == Qt.ItemFlag.NoItemFlags


def test_f2_renames_in_place(sidebar: Sidebar, qtbot) -> None:
    sidebar.list.setFocus()
    qtbot.keyClick(sidebar.list, Qt.Key.Key_F2)
    editor = sidebar.list.findChild(QLineEdit)
    assert editor.text() == "B"
    editor.selectAll()
    with qtbot.waitSignal(sidebar.renamed) as renamed:
        qtbot.keyClicks(editor, "  Two   words ")
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert renamed.args == ["b", "Two words"]


def test_an_empty_title_changes_nothing(sidebar: Sidebar) -> None:
    assert not sidebar.model.setData(sidebar.model.index_of("b"), "  ")
    assert not sidebar.model.setData(sidebar.model.index_of("b"), "B")


def test_several_chats_are_deleted_together(sidebar: Sidebar, qtbot) -> None:
    click(sidebar, qtbot, "a")
    click(sidebar, qtbot, "b", Qt.KeyboardModifier.ControlModifier)
    sidebar.list.setFocus()
    with qtbot.waitSignal(sidebar.delete_requested) as deleted:
        qtbot.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert sorted(deleted.args[0]) == ["a", "b"]


def test_the_menu_of_a_chat(sidebar: Sidebar, qtbot) -> None:
    pinned = []
    sidebar.pin_requested.connect(lambda *args: pinned.append(args))
    actions = {action.text(): action for action in sidebar.menu_for(chat("c", pinned=True)).actions()}
    actions["Unpin"].trigger()
    assert pinned == [("c", False)]
    with qtbot.waitSignal(sidebar.delete_requested):
        actions["Delete"].trigger()


def test_typing_searches_once_after_a_pause(sidebar: Sidebar, qtbot) -> None:
    queries = []
    sidebar.search_changed.connect(queries.append)
    qtbot.keyClicks(sidebar.search, "blue")
    qtbot.waitUntil(lambda: bool(queries))
    assert queries == ["blue"]


def test_empty_lists_say_so(sidebar: Sidebar) -> None:
    sidebar.show_chats([], "")
    assert sidebar.nothing.text() == "No chats yet"
    sidebar.show_found([], [], "")
    assert sidebar.nothing.text() == "Nothing found"
    sidebar.show_chats([chat("a")], "a")
    assert not sidebar.nothing.isVisible()


def test_choosing_a_hit_names_its_message(sidebar: Sidebar, qtbot) -> None:
    message = StoredMessage("m2", "a", None, "user", "x", NOW)
    sidebar.show_found([chat("a")], [SearchHit(chat("a"), message, "blue")], "")
    with qtbot.waitSignal(sidebar.chosen) as chosen:
        click(sidebar, qtbot, "a")
    assert chosen.args == ["a", "m2"]
    assert "blue" in sidebar.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)


@pytest.fixture
def finding(sidebar: Sidebar) -> Sidebar:
    """A sidebar that finds one chat, by its third message, whatever is looked for."""
    message = StoredMessage("m3", "c", None, "user", "x", NOW)
    hits = [SearchHit(chat("c"), message, "blue")]
    sidebar.search_changed.connect(lambda _: sidebar.show_found([chat("c")], hits, ""))
    return sidebar


def test_enter_in_the_search_field_opens_the_first_chat_that_is_found(finding: Sidebar, qtbot) -> None:
    qtbot.keyClicks(finding.search, "blue")
    with qtbot.waitSignal(finding.chosen) as chosen:
        qtbot.keyClick(finding.search, Qt.Key.Key_Return)
    assert chosen.args == ["c", "m3"], "found by the words as they stand, without the pause"
    assert not finding._pause.isActive()


def test_enter_in_an_empty_search_field_opens_nothing(sidebar: Sidebar, qtbot) -> None:
    with qtbot.assertNotEmitted(sidebar.chosen):
        qtbot.keyClick(sidebar.search, Qt.Key.Key_Return)


def test_down_leads_from_the_search_field_into_the_list(finding: Sidebar, qtbot) -> None:
    finding.activateWindow()
    finding.focus_search()
    qtbot.keyClicks(finding.search, "blue")
    qtbot.keyClick(finding.search, Qt.Key.Key_Down)
    assert finding.list.hasFocus()
    assert finding.selected_ids() == ["c"]
    with qtbot.waitSignal(finding.chosen):
        qtbot.keyClick(finding.list, Qt.Key.Key_Return)
