"""Everything the user can do, once: text, icon, shortcut. Menus, toolbar and palette show the same actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from app.ui.theme import set_icon

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@dataclass(slots=True)
class Actions:
    """The actions of the window, by what they do."""

    new_chat: QAction
    new_incognito: QAction
    add_images: QAction
    capture: QAction
    earlier_pictures: QAction
    export_chat: QAction
    import_chat: QAction
    print_chat: QAction
    find: QAction
    search: QAction
    rename: QAction
    pin: QAction
    system_prompt: QAction
    delete: QAction
    restore: QAction
    stop: QAction
    go_on: QAction
    sidebar: QAction
    panel: QAction
    settings: QAction
    palette: QAction
    zoom_in: QAction
    zoom_out: QAction
    zoom_reset: QAction
    clear_caches: QAction
    models: QAction
    model_folder: QAction
    model_demo: QAction
    unload: QAction
    log_folder: QAction
    about: QAction
    quit: QAction

    def __iter__(self) -> Iterator[QAction]:
        return (getattr(self, field.name) for field in fields(self))


def make_actions(window: QWidget) -> Actions:
    """Return the actions, each added to ``window`` so that its shortcut works everywhere in it."""

    def action(text: str, icon: str = "", *keys: str | QKeySequence.StandardKey, check: bool = False) -> QAction:
        made = QAction(text, window)
        made.setShortcuts([QKeySequence(key) for key in keys])
        made.setCheckable(check)
        if icon:
            set_icon(made, icon)
        shortcut = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        made.setToolTip(f"{text.removesuffix('…')} ({shortcut})" if shortcut else text.removesuffix("…"))
        window.addAction(made)
        return made

    return Actions(
        new_chat=action("New chat", "new-chat", QKeySequence.StandardKey.New),
        new_incognito=action("New incognito chat", "incognito", "Ctrl+Shift+N"),
        add_images=action("Add images…", "image", QKeySequence.StandardKey.Open),
        capture=action("Capture screen…", "camera", "Ctrl+Shift+P"),
        earlier_pictures=action("Pictures of this chat…", "gallery", "Ctrl+Shift+O"),
        export_chat=action("Export chat…", "export", "Ctrl+Shift+E"),
        import_chat=action("Import chat…", "download"),
        print_chat=action("Print…", "print", QKeySequence.StandardKey.Print),
        find=action("Find in chat", "search", QKeySequence.StandardKey.Find),
        search=action("Search chats", "search", "Ctrl+Shift+F"),
        rename=action("Rename chat", "edit", "F2"),
        pin=action("Pin or unpin chat", "pin", "Ctrl+D"),
        system_prompt=action("System prompt of this chat…", "thinking"),
        delete=action("Delete chat", "delete", "Ctrl+Shift+Backspace"),
        restore=action("Deleted chats…", "undo"),
        stop=action("Stop", "stop", "Esc"),
        go_on=action("Continue the answer", "play", "Ctrl+Shift+G"),
        sidebar=action("Sidebar", "sidebar", "Ctrl+Shift+S", check=True),
        panel=action("Cache panel", "panel", "Ctrl+Shift+C", check=True),
        settings=action("Settings…", "settings", "Ctrl+,"),
        palette=action("Command palette…", "keyboard", "Ctrl+K"),
        zoom_in=action("Larger text", "zoom-in", QKeySequence.StandardKey.ZoomIn, "Ctrl+="),
        zoom_out=action("Smaller text", "zoom-out", QKeySequence.StandardKey.ZoomOut),
        zoom_reset=action("Usual text size", "fit", "Ctrl+0"),
        clear_caches=action("Clear all caches", "delete"),
        models=action("Models…", "model", "Ctrl+Shift+M"),
        model_folder=action("Choose model folder…", "folder"),
        model_demo=action("Demo model", "model"),
        unload=action("Unload model", "close"),
        log_folder=action("Open log folder", "folder"),
        about=action("About Second Glance…", "info"),
        quit=action("Quit", "", QKeySequence.StandardKey.Quit),
    )
