"""Everything the user can do, once: text, icon, shortcut. Menus, toolbar and palette show the same actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from app.ui.theme import set_icon
from app.ui.translation import translate

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
        name = text.removesuffix("…")
        made.setToolTip(f"{name} ({shortcut})" if shortcut else name)
        window.addAction(made)
        return made

    return Actions(
        new_chat=action(translate("Actions", "New chat"), "new-chat", QKeySequence.StandardKey.New),
        new_incognito=action(translate("Actions", "New incognito chat"), "incognito", "Ctrl+Shift+N"),
        add_images=action(translate("Actions", "Add images…"), "image", QKeySequence.StandardKey.Open),
        capture=action(translate("Actions", "Capture screen…"), "camera", "Ctrl+Shift+P"),
        earlier_pictures=action(translate("Actions", "Pictures of this chat…"), "gallery", "Ctrl+Shift+O"),
        export_chat=action(translate("Actions", "Export chat…"), "export", "Ctrl+Shift+E"),
        import_chat=action(translate("Actions", "Import chat…"), "download"),
        print_chat=action(translate("Actions", "Print…"), "print", QKeySequence.StandardKey.Print),
        find=action(translate("Actions", "Find in chat"), "search", QKeySequence.StandardKey.Find),
        search=action(translate("Actions", "Search chats"), "search", "Ctrl+Shift+F"),
        rename=action(translate("Actions", "Rename chat"), "edit", "F2"),
        pin=action(translate("Actions", "Pin or unpin chat"), "pin", "Ctrl+D"),
        system_prompt=action(translate("Actions", "System prompt of this chat…"), "thinking"),
        delete=action(translate("Actions", "Delete chat"), "delete", "Ctrl+Shift+Backspace"),
        restore=action(translate("Actions", "Deleted chats…"), "undo"),
        stop=action(translate("Actions", "Stop"), "stop", "Esc"),
        go_on=action(translate("Actions", "Continue the answer"), "play", "Ctrl+Shift+G"),
        sidebar=action(translate("Actions", "Sidebar"), "sidebar", "Ctrl+Shift+S", check=True),
        panel=action(translate("Actions", "Cache panel"), "panel", "Ctrl+Shift+C", check=True),
        settings=action(translate("Actions", "Settings…"), "settings", "Ctrl+,"),
        palette=action(translate("Actions", "Command palette…"), "keyboard", "Ctrl+K"),
        zoom_in=action(translate("Actions", "Larger text"), "zoom-in", QKeySequence.StandardKey.ZoomIn, "Ctrl+="),
        zoom_out=action(translate("Actions", "Smaller text"), "zoom-out", QKeySequence.StandardKey.ZoomOut),
        zoom_reset=action(translate("Actions", "Usual text size"), "fit", "Ctrl+0"),
        clear_caches=action(translate("Actions", "Clear all caches"), "delete"),
        models=action(translate("Actions", "Models…"), "model", "Ctrl+Shift+M"),
        model_folder=action(translate("Actions", "Choose model folder…"), "folder"),
        model_demo=action(translate("Actions", "Demo model"), "model"),
        unload=action(translate("Actions", "Unload model"), "close"),
        log_folder=action(translate("Actions", "Open log folder"), "folder"),
        about=action(translate("Actions", "About Second Glance…"), "info"),
        quit=action(translate("Actions", "Quit"), "", QKeySequence.StandardKey.Quit),
    )
