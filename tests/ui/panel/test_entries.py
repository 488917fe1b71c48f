"""The list of entries: order, choice of tier, words, keyboard, and that it asks only while it is seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from app.cache.inventory import Holding
from app.cache.protocols import CacheOverview, TierRow
from app.inference.holdings import CacheEntry
from app.ui.panel import CachePanel
from app.ui.panel.entries import Order, details, meta, title
from app.ui.panel.entry_list import EntryList
from tests.ui.panel.test_panel import plain

MB = 1024 * 1024
NOW = 1_000_000.0
CHAT = CacheEntry(
    Holding("prefix", "state", "m", 12 * MB, 1640, 414, (1,), added_at=NOW - 7200, used_at=NOW - 120), "A red circle."
)
PICTURE = CacheEntry(
    Holding("vision", "features", "m", MB, 414, 414, digest="d", added_at=NOW - 60, used_at=NOW - 10), picture="p"
)
OLD = CacheEntry(Holding("ssd", "state", "x", 40 * MB, 9000, used_at=NOW - 3 * 86400), others=True)
ENTRIES = (CHAT, PICTURE, OLD)


@pytest.fixture
def entries(qtbot) -> EntryList:
    made = EntryList()
    qtbot.addWidget(made)
    made.resize(280, 300)
    made.model._clock = lambda: NOW
    QAbstractItemModelTester(made.model, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    QAbstractItemModelTester(made.order, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.show_entries(ENTRIES)
    return made


def shown(entries: EntryList) -> list[str]:
    return [entries.order.index(row, 0).data() for row in range(entries.order.rowCount())]


def test_what_an_entry_is_in_two_lines() -> None:
    assert title(CHAT) == "… A red circle."
    assert plain(meta(CHAT, NOW)) == "1,640 tokens · 12 MB · 2 min ago"
    assert title(PICTURE) == "Picture"
    shared = CacheEntry(Holding("prefix", "state", "m", 0, 5, used_at=NOW, pinned=True))
    assert meta(shared, NOW) == "5 tokens · shared blocks · in use"


def test_the_tooltip_has_everything() -> None:
    assert plain(details(CHAT, NOW)).split("\n") == [
        "Prefix: Prompt",
        "… A red circle.",
        "1,640 tokens, 414 of them for pictures",
        "12 MB",
        "Kept 2 h ago",
        "Used 2 min ago",
    ]
    assert details(OLD, NOW).split("\n")[-1] == "Of another model"


def test_the_order_is_chosen_by_keyboard(qtbot, entries: EntryList) -> None:
    assert shown(entries) == ["Picture", "… A red circle.", "Prompt"]
    entries.order_box.setFocus()
    for expected in (Order.ADDED, Order.SIZE, Order.TOKENS):
        qtbot.keyClick(entries.order_box, Qt.Key.Key_Down)
        assert entries.order_box.currentData() == expected
    assert shown(entries) == ["Prompt", "… A red circle.", "Picture"]


def test_one_tier_at_a_time(entries: EntryList) -> None:
    entries.show_tier("ssd")
    assert shown(entries) == ["Prompt"]
    assert entries.count_label.text() == "1 entry"
    entries.show_tier("")
    assert entries.count_label.text() == "3 entries"
    entries.show_entries(())
    assert entries.count_label.text() == "Nothing is kept here."


def test_arrows_walk_and_fresh_entries_keep_the_place(qtbot, entries: EntryList) -> None:
    entries.view.setFocus()
    qtbot.keyClick(entries.view, Qt.Key.Key_Down)
    qtbot.keyClick(entries.view, Qt.Key.Key_Down)
    assert entries.view.currentIndex().row() == 1
    assert "1,640 tokens" in entries.view.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    entries.show_entries(ENTRIES)
    assert entries.view.currentIndex().row() == 1


def test_it_asks_when_it_is_seen_and_once_at_a_time(qtbot) -> None:
    made = EntryList()
    qtbot.addWidget(made)
    asked: list[None] = []
    made.wanted.connect(lambda: asked.append(None))
    made.refresh_soon()
    assert not made._pause.isActive(), "nobody looks"
    made.show()
    assert len(asked) == 1
    made.refresh_soon()
    assert made._pause.isActive()
    made._pause.timeout.emit()
    assert len(asked) == 1, "the answer to the first question is still to come"
    made.show_entries(())
    made._pause.timeout.emit()
    assert len(asked) == 2


def test_the_number_of_entries_of_a_tier_opens_the_list_there(qtbot) -> None:
    panel = CachePanel()
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    with qtbot.waitActive(panel):
        panel.show()
        panel.activateWindow()
    panel.show_overview(CacheOverview((TierRow("prefix", 1, MB, 2 * MB, 1, 0), TierRow("vision", 1, MB, 2 * MB, 1, 0))))
    panel.entries.show_entries(ENTRIES)
    with qtbot.waitSignal(panel.entries.wanted):
        qtbot.mouseClick(panel.tiers["vision"].entries_button, Qt.MouseButton.LeftButton)
    assert panel.entries.isVisible()
    assert shown(panel.entries) == ["Picture"]
    assert QApplication.focusWidget() is panel.entries.view
