from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from app.store.records import Draft, StoredImage
from app.store.store import Store

PICTURE = StoredImage("ab" * 32, 640, 480, "Bildschirmfoto 1.png", ("transparency put on white",))


def test_a_chat_comes_back_after_a_restart(tmp_path: Path) -> None:
    first = Store(tmp_path)
    chat = first.create_conversation("Holiday", model_ref="demo", system_prompt="Be brief.")
    first.add_message(chat.id, "user", "What is this?", images=[PICTURE])
    answer = first.add_message(chat.id, "assistant", "", state="streaming")
    first.finish(answer.id, text="A cat.", token_ids=[7, 8, 9], stats={"reused_tokens": 12}, thinking="whiskers")
    first.close()

    second = Store(tmp_path)
    (found,) = second.conversations()
    question, reply = second.messages(found.id)
    second.close()
    assert (found.title, found.model_ref, found.system_prompt) == ("Holiday", "demo", "Be brief.")
    assert question.images == (PICTURE,)
    assert (reply.text, reply.token_ids, reply.state, reply.thinking) == ("A cat.", (7, 8, 9), "complete", "whiskers")
    assert reply.stats == {"reused_tokens": 12}


def test_an_answer_that_could_not_be_gone_on_with_comes_back_as_it_was(tmp_path: Path) -> None:
    first = Store(tmp_path)
    chat = first.create_conversation("Holiday")
    asked = first.add_message(chat.id, "assistant", "", state="streaming")
    stats = {"finish_reason": "length"}
    whole = first.finish(asked.id, text="A cat", token_ids=[7, 8], stats=stats, thinking="whiskers")
    first.resume(whole.id)
    left = first.stop(whole.id, whole.state, "There is no model.")
    first.close()

    second = Store(tmp_path)
    assert second.message(whole.id) == left == replace(whole, error="There is no model.")
    assert second.message(whole.id).stats == stats
    assert second.resume(whole.id).error == ""
    assert second.stop(whole.id).state == "stopped"
    second.close()


def test_pinned_chats_come_first_then_the_last_changed(store: Store) -> None:
    old, middle, new = (store.create_conversation(title) for title in ("old", "middle", "new"))
    store.set_pinned(middle.id, True)
    store.add_message(old.id, "user", "again")
    assert [chat.title for chat in store.conversations()] == ["middle", "old", "new"]
    store.set_pinned(middle.id, False)
    assert [chat.title for chat in store.conversations()] == ["old", "new", "middle"]
    assert store.conversation(new.id).pinned is False


def test_what_can_be_changed_of_a_chat(store: Store) -> None:
    chat = store.create_conversation()
    store.rename(chat.id, "Receipts")
    store.set_folder(chat.id, "Work")
    store.set_system_prompt(chat.id, "Read exactly.")
    store.set_model(chat.id, "some/model")
    changed = store.conversation(chat.id)
    assert (changed.title, changed.folder) == ("Receipts", "Work")
    assert (changed.system_prompt, changed.model_ref) == ("Read exactly.", "some/model")


def test_an_unknown_chat_is_a_key_error(store: Store) -> None:
    with pytest.raises(KeyError):
        store.conversation("nobody")
    with pytest.raises(KeyError):
        store.rename("nobody", "x")
    with pytest.raises(KeyError):
        store.add_message("nobody", "user", "x")
    with pytest.raises(KeyError):
        store.message("nobody")


def test_a_deleted_chat_can_be_brought_back_until_it_is_purged(store: Store) -> None:
    chat = store.create_conversation("Gone")
    store.add_message(chat.id, "user", "remember")
    store.delete(chat.id)
    assert store.conversations() == []
    assert store.search("remember") == []
    assert [c.id for c in store.trash()] == [chat.id]
    assert store.purge(older_than=60) == 0

    store.undelete(chat.id)
    assert [c.id for c in store.conversations()] == [chat.id]
    assert [m.text for m in store.messages(chat.id)] == ["remember"]

    store.delete(chat.id)
    assert store.purge() == 1
    assert store.trash() == []
    assert store.messages(chat.id) == []


def test_purging_removes_pictures_and_search_entries_too(store: Store) -> None:
    chat = store.create_conversation("Zebra")
    store.add_message(chat.id, "user", "striped horse", images=[PICTURE])
    store.save_draft(chat.id, "and?", [PICTURE])
    store.delete(chat.id)
    assert store.image_digests() == {PICTURE.digest}
    store.purge()
    assert store.image_digests() == set()
    assert store.search("striped") == []
    assert store.conversations("Zebra") == []


def test_drafts_survive_with_their_pictures(tmp_path: Path) -> None:
    store = Store(tmp_path)
    chat = store.create_conversation()
    assert store.draft(chat.id) == Draft("")
    store.save_draft(chat.id, "half a", [PICTURE])
    store.save_draft(chat.id, "half a question", [PICTURE])
    store.close()
    store = Store(tmp_path)
    assert store.draft(chat.id) == Draft("half a question", (PICTURE,))
    store.save_draft(chat.id, "")
    assert store.draft(chat.id) == Draft("")
    store.close()


def test_incognito_chats_work_and_leave_nothing_on_disk(tmp_path: Path) -> None:
    store = Store(tmp_path)
    chat = store.create_conversation("Secret", incognito=True)
    store.add_message(chat.id, "user", "xylophone question", images=[PICTURE])
    answer = store.add_message(chat.id, "assistant", "", state="streaming")
    store.append(answer.id, "xylophone answer", [1])
    store.save_draft(chat.id, "xylophone draft")
    assert [c.title for c in store.conversations()] == ["Secret"]
    assert [m.text for m in store.messages(chat.id)] == ["xylophone question", "xylophone answer"]
    assert len(store.search("xylophone")) == 1, "a streaming answer is not searched yet"
    assert store.image_digests() == {PICTURE.digest}
    fork = store.fork(chat.id, answer.id)
    assert fork.incognito
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    store.close()
    written += b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"xylophone" not in written
    assert b"Secret" not in written
    store = Store(tmp_path)
    assert store.conversations() == []
    store.close()


def test_the_gallery_has_each_picture_once_in_order(store: Store) -> None:
    other = StoredImage("cd" * 32, 10, 10, "b.png")
    chat = store.create_conversation()
    store.add_message(chat.id, "user", "1", images=[PICTURE, other])
    store.add_message(chat.id, "user", "2", images=[PICTURE])
    assert store.gallery(chat.id) == [PICTURE, other]


def test_the_folder_and_the_database_are_for_the_user_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    store.create_conversation()
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "data").iterdir()} == {0o600}
    store.close()


def test_a_forgotten_incognito_chat_leaves_no_word_in_memory(store: Store) -> None:
    gone, kept = (store.create_conversation(title, incognito=True) for title in ("zebratitle", "kept"))
    store.add_message(gone.id, "user", "the zebrasecret")
    store.add_message(kept.id, "user", "other words")
    store.save_draft(gone.id, "zebradraft")
    store.forget(gone.id)
    held = store._memory._connection.serialize()
    assert b"zebra" not in held
    assert b"other words" in held
    assert [hit.message.text for hit in store.search("other")] == ["other words"]
    assert store.search("zebra") == []
