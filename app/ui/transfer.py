"""Chats out to files and back in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.errors import UserError
from app.store.markdown import export_markdown
from app.store.transfer import export_json, import_json
from app.ui.paper.output import choose_printer, print_chat, write_pdf
from app.ui.paper.progress import ProgressDialog
from app.ui.paper.slices import Slices, Steps
from app.ui.sentences import translated
from app.ui.translation import QT_TRANSLATE_NOOP, translate

if TYPE_CHECKING:
    from app.store.images import ImageStore
    from app.store.store import Store
    from app.ui.answers import Answers
    from app.ui.chats import Chats
    from app.ui.main_window import MainWindow

MARKDOWN: Final = QT_TRANSLATE_NOOP("Transfer", "Markdown with a folder of images (*.md)")
JSON: Final = QT_TRANSLATE_NOOP("Transfer", "Chat file that can be imported again (*.json)")
PDF: Final = QT_TRANSLATE_NOOP("Transfer", "PDF document (*.pdf)")
_LONGEST_NAME: Final = (80, 200)
"""Characters of a suggested name, and bytes: file systems take 255, with its ending and what is written beside it."""
ENDINGS: Final = {MARKDOWN: ".md", PDF: ".pdf", JSON: ".json"}


class Transfer(QObject):
    """Exports the open chat as Markdown, PDF or a chat file, prints it, and imports chat files."""

    def __init__(self, window: MainWindow, store: Store, images: ImageStore, chats: Chats, answers: Answers) -> None:
        super().__init__()
        self._window, self._store, self._images, self._chats = window, store, images, chats
        self._answers = answers
        window.actions_.export_chat.triggered.connect(self._ask_where_to)
        window.actions_.print_chat.triggered.connect(self.print_chat)
        window.actions_.import_chat.triggered.connect(self._ask_what)

    def export(self, target: Path) -> None:
        """Write the open chat to ``target``; its ending says in which form.

        An answer that runs goes along as far as it has come.
        """
        self._answers.save()
        exported = self.tr("Exported to {name}").format(name=target.name)
        if target.suffix.lower() == ".pdf":
            chat = self._store.conversation(self._chats.current_id)
            steps = write_pdf(target, chat.title, self._store.messages(chat.id), self._images)
            self._go_through(steps, self.tr("Writing {name}…").format(name=target.name), exported)
            return
        try:
            self._write(target)
        except UserError as error:
            self._window.toast.say(translated(str(error)))
        else:
            self._window.toast.say(exported)

    def print_chat(self) -> None:
        """Print the open chat on a printer that the user chooses."""
        chat = self._chats.current
        if chat is None:
            self._window.toast.say(self.tr("There is nothing to print in a new chat."))
            return
        if printer := choose_printer(chat.title, self._window):
            self._answers.save()
            steps = print_chat(printer, chat.title, self._store.messages(chat.id), self._images)
            self._go_through(steps, self.tr("Printing…"), self.tr("Sent to the printer"))

    def _go_through(self, steps: Steps, words: str, when_done: str) -> None:
        """Take ``steps`` between turns of the event loop, with a dialog that can be cancelled."""
        work = Slices(steps, self)
        ProgressDialog(words, work, self._window)
        work.finished.connect(lambda: self._window.toast.say(when_done))
        work.failed.connect(lambda sentence: self._window.toast.say(translated(sentence)))
        work.ended.connect(work.deleteLater)
        self._window.closing.connect(work.cancel)
        work.start()

    def import_from(self, source: Path) -> None:
        """Read a chat file into a new chat and open it."""
        try:
            chat = import_json(self._store, self._images, source)
        except UserError as error:
            self._window.toast.say(translated(str(error)))
        else:
            self._chats.open(chat.id)

    def _write(self, target: Path) -> None:
        chat = self._store.conversation(self._chats.current_id)
        if target.suffix.lower() == ".json":
            export_json(self._store, self._images, chat.id, target)
        else:
            export_markdown(self._store, self._images, chat.id, target)

    def _ask_where_to(self) -> None:
        if self._chats.current is None:
            self._window.toast.say(self.tr("There is nothing to export in a new chat."))
            return
        suggestion = str(Path.home() / f"{file_name(self._chats.current.title)}.md")
        forms = {translate("Transfer", form): ending for form, ending in ENDINGS.items()}
        name, kind = QFileDialog.getSaveFileName(self._window, self.tr("Export chat"), suggestion, ";;".join(forms))
        if name and self._may_write(target := with_ending(Path(name), forms[kind]), Path(name)):
            self.export(target)

    def _may_write(self, target: Path, chosen: Path) -> bool:
        """Ask before a file is replaced that the dialog has not asked about, as it knew another name."""
        if target == chosen or not target.exists():
            return True
        words = self.tr("{name} is there already. Replace it?").format(name=target.name)
        return QMessageBox.question(self._window, self.tr("Export chat"), words) == QMessageBox.StandardButton.Yes

    def _ask_what(self) -> None:
        form = translate("Transfer", JSON)
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Import chat"), str(Path.home()), form)
        if name:
            self.import_from(Path(name))


def with_ending(target: Path, ending: str) -> Path:
    """Return ``target`` with ``ending`` in the place of another form's, or behind its name."""
    return target.with_suffix(ending) if target.suffix.lower() in ENDINGS.values() else Path(f"{target}{ending}")


def file_name(title: str) -> str:
    """Return a title as a name that every file system takes."""
    characters, size = _LONGEST_NAME
    name = re.sub(r'[\s\x00-\x1f<>:"/\\|?*]+', " ", title).strip(" .")[:characters]
    return name.encode()[:size].decode(errors="ignore") or translate("Transfer", "chat", "as the name of a file")
