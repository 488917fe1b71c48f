"""The cache panel: its numbers are the overview's, its words are exact, its controls are named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.cache.events import CacheEvent
from app.cache.protocols import CacheOverview, TierRow
from app.ui.messages.words import THIN
from app.ui.panel import CachePanel, text
from app.ui.panel.gauge import LEAST, Gauge, Part
from app.ui.panel.history import WINDOW_SECONDS, History
from app.ui.panel.timeline import KEPT, EventModel
from app.ui.theme import apply_theme
from app.ui.units import size, size_pair
from app.worker.reports import MemoryUse

MB = 1024 * 1024
PREFIX = TierRow(
    "prefix", 12, 212 * MB, 2048 * MB, 10, 1, 0, {"memory": 2, "superseded": 5, "count": 0}, {"tokens_saved": 16123}
)
VISION = TierRow("vision", 5, 100 * MB, 512 * MB, 8, 2, 1, {}, {"encoder_skips": 8, "seconds_saved": 3.4})
SSD = TierRow("ssd", 3, 1200 * MB, 10240 * MB, 0, 0, extra={"last_error": "the folder is full"})
STATS = {
    "reused_tokens": 1612,
    "prompt_tokens": 1640,
    "images": [{}, {}],
    "encoder_skips": 2,
    "evictions": 0,
    "ttft_ms": 210.0,
}


def plain(words: str) -> str:
    return words.replace(THIN, " ")


@pytest.fixture
def panel(qtbot) -> CachePanel:
    made = CachePanel()
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show()
    return made


def test_the_total_is_the_sum_of_the_rows(panel: CachePanel) -> None:
    overview = CacheOverview((PREFIX, VISION, SSD))
    panel.show_overview(overview)
    assert panel.total_label.text() == size(overview.total_bytes) == size((212 + 100 + 1200) * MB)
    assert plain(panel.where_label.text()) == "312 MB in memory, 1.2 GB on disk"
    assert plain(panel.total_gauge.accessibleDescription()) == "312 MB of 2.5 GB in memory"


def test_what_mlx_reports_stands_beside_the_total(panel: CachePanel) -> None:
    assert not panel.memory_label.isVisible()
    panel.show_memory(MemoryUse(312 * MB, 1229 * MB))
    assert plain(panel.memory_label.text()) == "With the model 312 MB, at most 1.2 GB"


def test_each_row_shows_size_hits_worth_and_evictions(panel: CachePanel) -> None:
    panel.show_overview(CacheOverview((PREFIX, VISION, SSD)))
    prefix, vision, disk = (panel.tiers[tier] for tier in ("prefix", "vision", "ssd"))
    assert plain(prefix.size_label.text()) == "212 MB of 2 GB"
    assert plain(prefix.hits_label.text()) == "91 % hits: 10 of 11"
    assert prefix.entries_button.text() == "12 entries"
    assert prefix.worth_label.text() == "16,123 tokens reused"
    assert prefix.evictions_label.text() == "7 evicted: 2 to make room, 5 covered by a longer one"
    assert plain(vision.hits_label.text()) == "80 % hits: 8 of 10, 1 bypassed"
    assert plain(vision.worth_label.text()) == "Encoder skipped 8 times, 3.40 s saved"
    assert not vision.evictions_label.isVisible()
    assert disk.hits_label.text() == "Not asked yet"
    assert disk.error_label.text() == "The folder is full."


def test_a_tier_that_is_not_there_has_no_row(panel: CachePanel) -> None:
    panel.show_overview(CacheOverview((PREFIX, VISION)))
    assert panel.tiers["prefix"].isVisible()
    assert not panel.tiers["ssd"].isVisible()


def test_an_unused_cache_teaches(panel: CachePanel) -> None:
    panel.show_overview(CacheOverview((TierRow("prefix", 0, 0, MB, 0, 0),)))
    assert panel.empty.isVisible()
    panel.show_overview(CacheOverview((PREFIX,)))
    assert not panel.empty.isVisible()


def test_clear_buttons_name_their_tier(panel: CachePanel, qtbot) -> None:
    panel.show_overview(CacheOverview((PREFIX, VISION, SSD)))
    asked: list[str] = []
    panel.clear_requested.connect(asked.append)
    qtbot.mouseClick(panel.tiers["vision"].clear_button, Qt.MouseButton.LeftButton)
    for action in panel.clear_button.menu().actions():
        action.trigger()
    assert asked == ["vision", "", "prefix", "vision", "ssd"]
    with qtbot.waitSignal(panel.budgets_requested):
        qtbot.mouseClick(panel.budgets_button, Qt.MouseButton.LeftButton)


def test_the_last_answer_in_lines(panel: CachePanel) -> None:
    assert not panel.answer_label.isVisible()
    panel.show_answer(STATS)
    assert plain(panel.answer_label.text()).split("\n") == [
        "1,612 of 1,640 tokens reused",
        "Encoder skipped for 2 of 2 images",
        "Nothing evicted",
        "First token after 0.21 s",
    ]


def test_the_last_answer_says_how_full_the_context_is(panel: CachePanel) -> None:
    panel.context_length = 8192
    panel.show_answer({**STATS, "generated_tokens": 408})
    assert plain(panel.answer_label.text()).split("\n")[-1] == "Context 25 % full: 2,048 of 8,192 tokens"


def test_every_control_has_a_name(panel: CachePanel) -> None:
    controls = [w for w in panel.findChildren(QWidget) if isinstance(w, QAbstractButton | Gauge)]
    assert controls
    assert [w for w in controls if not w.accessibleName()] == []


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (CacheEvent("hit", "prefix", tokens=1612), "Prefix hit: 1,612 tokens"),
        (CacheEvent("missed", "prefix", "image 2 is new"), "Prefix missed: image 2 is new"),
        (CacheEvent("evicted", "vision", "memory", nbytes=12 * MB), "Vision evicted 12 MB: to make room"),
        (CacheEvent("encoder_skipped", "vision", seconds=0.45), "Encoder skipped, 0.45 s saved"),
        (CacheEvent("encoded", "vision", seconds=0.45), "Image encoded in 0.45 s"),
        (CacheEvent("stored", "prefix"), "Prefix stored"),
        (CacheEvent("spilled", "ssd", nbytes=MB), "Moved to disk: 1 MB"),
        (CacheEvent("resized", "prefix", nbytes=2048 * MB), "Prefix limit is now 2 GB"),
        (CacheEvent("cleared", "ssd"), "Disk cleared"),
        (CacheEvent("bypassed", "prefix"), "Prefix bypassed"),
    ],
)
def test_events_in_words(event: CacheEvent, line: str) -> None:
    assert plain(text.event_line(event)) == line


def test_the_time_line_is_newest_first_and_bounded() -> None:
    model = EventModel()
    model.add([CacheEvent("hit", "prefix", tokens=1), CacheEvent("hit", "prefix", tokens=2)])
    assert model.index(0).data().endswith("2 tokens")
    model.add([CacheEvent("hit", "prefix", tokens=n) for n in range(3, KEPT + 10)])
    assert model.rowCount() == KEPT
    assert model.index(0).data().endswith(f"{KEPT + 9} tokens")


@given(st.lists(st.floats(0, 1e12), max_size=4), st.floats(0, 1e12))
def test_parts_fill_the_bar_and_no_more(amounts: list[float], limit: float) -> None:
    gauge = Gauge.__new__(Gauge)
    gauge._parts, gauge._limit = tuple(Part(a, "#000000") for a in amounts), limit
    widths = gauge.widths(200.0)
    assert sum(widths) <= 200.0 + LEAST * len(amounts) + 1e-6
    assert all((w > 0) == (a > 0) for w, a in zip(widths, amounts, strict=True))


def test_history_forgets_what_left_the_window_but_keeps_the_size_that_held_then() -> None:
    history = History()
    for at in (0.0, 10.0, 400.0):
        history.add_size(at, int(at))
        history.add_event(CacheEvent("hit", "prefix", at=at))
    assert [at for at, _ in history.sizes] == [10.0, 400.0]
    assert [at for at, _ in history.marks] == [400.0]
    assert WINDOW_SECONDS == 300.0


@pytest.mark.parametrize(
    ("nbytes", "words"),
    [
        (0, "0 MB"),
        (512 * 1024, "512 kB"),
        (212 * MB, "212 MB"),
        (1536 * MB, "1.5 GB"),
        (1023 * MB, "1 GB"),
        (10, "0 kB"),
    ],
)
def test_sizes(nbytes: int, words: str) -> None:
    assert plain(size(nbytes)) == words


def test_a_limit_of_zero_is_off() -> None:
    assert size_pair(0, 0) == "off"


def test_the_labels_of_both_buttons_stand_equally_far_from_their_border(qtbot, qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    panel = CachePanel()
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    first = [_ink(button)[0] for button in (panel.clear_button, panel.budgets_button)]
    assert abs(first[0] - first[1]) <= 3
    assert min(first) >= 12, "not glued to the border"


def _ink(button: QWidget) -> list[int]:
    """Return the columns with dark pixels, the border left out."""
    image = button.grab().toImage()
    rows = range(5, image.height() - 5)
    columns = range(4, image.width() - 4)
    return [x for x in columns if any(image.pixelColor(x, y).lightness() < 150 for y in rows)]


def test_a_gauge_moves_to_its_new_size(panel: CachePanel) -> None:
    gauge = panel.total_gauge
    gauge.show_parts([Part(20, "#000000")], 100, "a fifth")
    before = gauge.widths(gauge.width())[0]
    gauge.motion.stop()
    gauge.show_parts([Part(80, "#000000")], 100, "more")
    after = gauge.widths(gauge.width())[0]
    gauge.motion.pause()
    gauge.motion.setCurrentTime(0)
    assert gauge.drawn_widths() == [before]
    gauge.motion.setCurrentTime(gauge.motion.duration() // 2)
    assert before < gauge.drawn_widths()[0] < after
    gauge.motion.stop()
    assert gauge.drawn_widths() == [after]


def test_reduced_motion_is_none(panel: CachePanel) -> None:
    panel.set_reduce_motion(True)
    gauge = panel.tiers["prefix"].gauge
    for amount in (20, 80):
        gauge.show_parts([Part(amount, "#000000")], 100, "some")
        assert gauge.drawn_widths() == gauge.widths(gauge.width())
