from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from app.cli.chats import Chats
from app.cli.script import Turn, read_script
from app.errors import UserError
from app.inference.events import Finished, TurnStats
from app.inference.types import ImageRef, SamplingParams


def written(folder: Path, content: object) -> Path:
    path = folder / "script.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('[{"text": "x"},\n {"text" "y"}]', "is not valid JSON: line 2, column 10: "),
        ({"chat": "a"}, "a script is a list of turns"),
        ([], "has no turns"),
        (["hello"], 'turn 0: it must be an object in curly brackets, not "hello".'),
        ([{"text": "x"}, {"text": "y", "image": "a.png"}], "turn 1: “image” is unknown; a turn may have chat, images,"),
        ([{"text": 3}], "turn 0: “text” must be a text, not 3."),
        ([{"text": "x", "images": "a.png"}], 'turn 0: “images” must be a list, not "a.png".'),
        ([{"text": "x", "images": [""]}], 'turn 0: entry 0 of “images” must be a name, not "".'),
        ([{"text": "x", "images": ["a.png", None]}], "turn 0: entry 1 of “images” must be a text, not null."),
        ([{"text": "x", "max_tokens": 0}], "turn 0: “max_tokens” must be at least 1, not 0."),
        ([{"text": "x", "max_tokens": 1.5}], "turn 0: “max_tokens” must be a whole number, not 1.5."),
        ([{"text": "x", "max_tokens": True}], "turn 0: “max_tokens” must be a whole number, not true."),
        ([{"text": "x", "edit": "0"}], 'turn 0: “edit” must be a whole number, not "0".'),
        ([{"text": "x", "regenerate": 1}], "turn 0: “regenerate” must be true or false, not 1."),
        ([{"text": "x", "chat": None}], "turn 0: “chat” must be a text, not null."),
        ([{"chat": "a"}], "turn 0 has no text"),
        ([{"regenerate": True}], "turn 0 regenerates, but chat 'a' has no question yet"),
        ([{"text": "x"}, {"chat": "b", "regenerate": True}], "turn 1 regenerates, but chat 'b'"),
        ([{"text": "x"}, {"regenerate": True, "images": ["a.png"]}], "turn 1 regenerates, so it takes no new"),
        ([{"text": "x"}, {"regenerate": True, "edit": 0}], "turn 1 cannot both"),
        ([{"text": "x", "edit": 0}], "turn 0 edits question 0, but chat 'a' has 0"),
        ([{"text": "x"}, {"text": "y"}, {"text": "z", "edit": 0}, {"text": "w", "edit": 1}], "turn 3 edits question 1"),
        ([{"text": "x"}, {"text": "y", "system": "z"}], "turn 1 sets the system prompt"),
    ],
)
def test_a_script_that_cannot_be_played_is_refused_whole(tmp_path: Path, content: object, reason: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(UserError) as caught:
        read_script(path)
    assert reason in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.json cannot be read: No such file"):
        read_script(tmp_path / "nowhere.json")


def answer(text: str) -> Finished:
    stats = TurnStats(1, 0, 1, 1, (), 0, 0, 0, 0, 0, "miss", "", "none")
    return Finished(text, (1, 2), "stop", stats)


PICTURE = ImageRef("ab" * 32, 4, 4, lambda: Image.new("RGB", (4, 4)))


def play(turns: list[Turn], system: str | None = None) -> list[list[str]]:
    """What the engine is shown, turn by turn, as ``role: text``."""
    chats = Chats({"x.png": PICTURE}, SamplingParams(max_tokens=7), system)
    shown = []
    for number, turn in enumerate(turns):
        request = chats.request(turn)
        shown.append([f"{m.role}: {m.text}{' +image' if m.images else ''}" for m in request.messages])
        chats.answered(turn, answer(f"answer {number}"))
    return shown


def test_chats_interleave_and_keep_their_own_history() -> None:
    shown = play(
        [
            Turn(chat="a", text="one", system="be brief", images=["x.png"]),
            Turn(chat="b", text="two"),
            Turn(chat="a", text="three"),
        ]
    )
    assert shown[1] == ["user: two"]
    assert shown[2] == ["system: be brief", "user: one +image", "assistant: answer 0", "user: three"]


def test_an_edit_replaces_a_question_and_drops_what_followed() -> None:
    shown = play([Turn(text="one"), Turn(text="two"), Turn(text="zwei", edit=1), Turn(text="eins", edit=0)])
    assert shown[2] == ["user: one", "assistant: answer 0", "user: zwei"]
    assert shown[3] == ["user: eins"]


def test_regenerating_asks_the_last_question_again() -> None:
    shown = play([Turn(text="one", images=["x.png"]), Turn(regenerate=True), Turn(text="two")], system="all chats")
    assert shown[1] == shown[0] == ["system: all chats", "user: one +image"]
    assert shown[2] == ["system: all chats", "user: one +image", "assistant: answer 1", "user: two"]


def test_answers_go_back_with_their_tokens_and_limits_are_per_turn() -> None:
    chats = Chats({}, SamplingParams(max_tokens=7))
    first = Turn(text="one", max_tokens=3)
    assert chats.request(first).sampling.max_tokens == 3
    chats.answered(first, answer("yes"))
    request = chats.request(Turn(text="two"))
    assert request.sampling.max_tokens == 7
    assert request.messages[1].token_ids == (1, 2)
