"""Starting: no MLX before the window stands, one instance per data folder, what was kept is there again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from app import paths
from app.store.store import Store
from tests.ui.window.conftest import Desk

NO_MLX = """
import sys
from app import paths
from app.store.store import Store
from app.ui.application import make_application, open_window
from app.ui.tuning import Tuning
from app.worker.backend import Backend
app = make_application(["test"])
never = Backend(lambda options: sys.exit("an engine was made"), lambda options: options)
opened = open_window(Store(paths.data_dir()), Tuning(paths.settings_file(), app), never)
app.processEvents()
heavy = {"mlx", "mlx.core", "mlx_lm", "mlx_vlm", "transformers", "torch"} & set(sys.modules)
opened.window.close()
print(sorted(heavy))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120, check=False)


def test_the_window_stands_before_anything_of_mlx_is_imported(fresh_folders: Path) -> None:
    (fresh_folders / "config").mkdir()
    (fresh_folders / "config" / "settings.toml").write_text("[model]\nload_at_start = false\n")
    done = run("-c", NO_MLX)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_a_second_instance_says_so_and_leaves(fresh_folders: Path) -> None:
    store = Store(paths.data_dir())
    try:
        done = run("-m", "app")
    finally:
        store.close()
    assert done.returncode == 2
    assert "Second Glance is already open on" in done.stderr
    assert str(os.getpid()) in done.stderr


def test_a_chat_its_draft_and_its_answers_are_there_after_a_restart(
    open_desk: Callable[..., Desk], pictures: Path
) -> None:
    desk = open_desk()
    desk.wait_ready()
    desk.drop(pictures / "first.png")
    answer = desk.ask("What is in the picture?")
    desk.drop(pictures / "other.png")
    desk.type("And then")
    desk.window.close()
    again = open_desk()
    again.wait(lambda: again.controller.chats.current is not None)
    assert [m.text for m in again.messages()] == ["What is in the picture?", answer.text]
    assert again.messages()[1].stats == answer.stats
    assert again.window.composer.draft().text == "And then"
    assert [image.name for image in again.window.composer.draft().images] == ["other.png"]


def test_size_and_columns_are_kept(open_desk: Callable[..., Desk], qapp) -> None:
    from app.ui.application import kept_geometry

    desk = open_desk()
    desk.window.resize(780, 560)  # the off-screen platform's screen is 800 by 800
    desk.keys("Ctrl+Shift+S")
    desk.window.save_geometry(kept_geometry())
    desk.window.close()
    again = open_desk()
    assert (again.window.width(), again.window.height()) == (780, 560)
    assert not again.window.sidebar.isVisible()
    assert not again.window.actions_.sidebar.isChecked()


def test_what_changes_after_closing_is_not_saved_any_more(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.wait_ready()
    desk.window.close()
    desk.window.composer.changed.emit()
    assert not desk.controller.chats._timer.isActive()
