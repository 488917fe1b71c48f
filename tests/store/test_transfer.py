from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from app.errors import UserError
from app.store.images import ImageStore
from app.store.markdown import export_markdown
from app.store.store import Store
from app.store.transfer import export_json, import_json

RED = Image.new("RGB", (12, 8), "red")


@pytest.fixture
def images(tmp_path: Path) -> ImageStore:
    return ImageStore(tmp_path / "images")


@pytest.fixture
def chat(store: Store, images: ImageStore) -> str:
    """A chat with a picture, an edited question and a regenerated answer; the first question is shown."""
    chat = store.create_conversation("Colours [of] things", model_ref="demo", system_prompt="Be brief.").id
    picture = images.add(RED, "red ](x) square.png")
    question = store.add_message(chat, "user", "What colour?", images=[picture])
    answer = store.add_message(chat, "assistant", "", state="streaming")
    store.finish(answer.id, text="Red.", token_ids=[5, 6], stats={"reused_tokens": 3}, thinking="hm")
    again = store.regenerate(answer.id)
    store.finish(again.id, text="Red again.", token_ids=None, state="stopped")
    store.edit(question.id, "Which colour?")
    store.reveal(answer.id)
    return chat


def shape(store: Store, chat: str) -> list[tuple[object, ...]]:
    """Everything of a chat but ids and times."""
    whole = store.tree(chat)
    places = {message.id: place for place, message in enumerate(whole)}
    return [
        (places.get(m.parent_id or ""), m.role, m.text, m.thinking, m.images, m.token_ids, m.state, m.error, m.stats)
        for m in whole
    ]


def test_an_exported_chat_comes_back_with_all_branches_in_another_folder(
    store: Store, images: ImageStore, chat: str, tmp_path: Path
) -> None:
    export_json(store, images, chat, tmp_path / "out.json")
    other_store, other_images = Store(tmp_path / "other"), ImageStore(tmp_path / "other" / "images")
    imported = import_json(other_store, other_images, tmp_path / "out.json")
    assert shape(other_store, imported.id) == shape(store, chat)
    assert (imported.title, imported.model_ref) == ("Colours [of] things", "demo")
    assert imported.system_prompt == "Be brief."
    assert [m.text for m in other_store.messages(imported.id)] == ["What colour?", "Red."]
    (picture,) = other_store.gallery(imported.id)
    assert other_images.open(picture.digest).tobytes() == RED.tobytes()
    other_store.close()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda c: c.update(format="other"), "is not a chat that Second Glance exported"),
        (lambda c: c.update(version=99), "newer version"),
        (lambda c: c.pop("title"), "is not a chat that Second Glance exported"),
        (lambda c: c["messages"][0].update(role="wizard"), "is not a chat that Second Glance exported"),
        (lambda c: c["messages"][0].update(parent="nobody"), "is incomplete"),
        (lambda c: c["pictures"].clear(), "is incomplete"),
        (lambda c: c["pictures"].update(dict.fromkeys(c["pictures"], "!!")), ""),
    ],
)
def test_a_spoiled_file_is_refused_and_nothing_is_imported(
    store: Store, images: ImageStore, chat: str, tmp_path: Path, spoil, sentence: str
) -> None:
    export_json(store, images, chat, tmp_path / "out.json")
    content = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    spoil(content)
    (tmp_path / "bad.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        import_json(store, images, tmp_path / "bad.json")
    assert sentence in str(caught.value)
    assert [c.id for c in store.conversations()] == [chat]


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"no json"])
def test_any_other_file_is_refused(store: Store, images: ImageStore, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(UserError, match=r"x\.json is not a chat"):
        import_json(store, images, tmp_path / "x.json")
    with pytest.raises(UserError, match=r"y\.json cannot be read"):
        import_json(store, images, tmp_path / "y.json")


def test_markdown_shows_the_branch_and_its_pictures(
    store: Store, images: ImageStore, chat: str, tmp_path: Path
) -> None:
    export_markdown(store, images, chat, tmp_path / "chat.md")
    content = (tmp_path / "chat.md").read_text(encoding="utf-8")
    (picture,) = (tmp_path / "chat-images").iterdir()
    assert content.startswith("# Colours [of] things\n")
    assert f"![red )(x) square.png](<chat-images/{picture.name}>)" in content
    assert content.index("What colour?") < content.index("Red.")
    assert "Which colour?" not in content
    assert Image.open(picture).tobytes() == RED.tobytes()


def test_a_folder_that_cannot_be_written_is_a_sentence(
    store: Store, images: ImageStore, chat: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="cannot be written"):
        export_json(store, images, chat, tmp_path / "file" / "out.json")


def test_a_lost_picture_stops_the_export_with_a_sentence(
    store: Store, images: ImageStore, chat: str, tmp_path: Path
) -> None:
    images.collect(set(), grace_seconds=0)
    with pytest.raises(UserError, match="gone from the data folder"):
        export_json(store, images, chat, tmp_path / "out.json")


@pytest.mark.parametrize("export", [export_json, export_markdown])
@pytest.mark.parametrize("damage", [lambda png: png[:-20], lambda png: png.replace(b"IDAT", b"IDAx"), lambda png: b""])
def test_a_damaged_picture_stops_every_export_and_leaves_nothing(
    store: Store, images: ImageStore, chat: str, tmp_path: Path, export, damage
) -> None:
    sound = images.add(RED.rotate(90, expand=True))
    store.add_message(chat, "user", "And this?", images=[sound])
    (picture,) = store.messages(chat)[0].images
    file = images.path(picture.digest)
    file.write_bytes(damage(file.read_bytes()))
    (tmp_path / "out").mkdir()
    with pytest.raises(UserError, match="is damaged"):
        export(store, images, chat, tmp_path / "out" / "chat")
    assert list((tmp_path / "out").iterdir()) == []
