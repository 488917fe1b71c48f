"""Text while it arrives: whole characters, reasoning apart, stop strings never shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from app.inference.answer import AnswerText
from app.inference.streaming import Piece, StopStrings, StreamingText, ThinkingSplitter


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer with one token per byte: every character beyond ASCII is several tokens."""
    vocabulary = {symbol: i for i, symbol in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=None)


BYTES = byte_tokenizer()


def streamed(text: str) -> list[str]:
    stream = StreamingText(BYTES)
    pieces = [stream.push(token) for token in BYTES.encode(text)]
    return [*pieces, stream.finish()]


@given(st.text(max_size=40))
def test_pieces_add_up_to_the_text_and_hold_whole_characters_only(text: str):
    pieces = streamed(text)

    assert "".join(pieces) == text
    assert not any("�" in piece for piece in pieces if "�" not in text)


@pytest.mark.parametrize("emoji", ["🙂", "👩‍🚀", "é", "日本語", "🏳️‍🌈"])
def test_an_emoji_is_never_split(emoji: str):
    pieces = [piece for piece in streamed(f"a {emoji} b") if piece]

    assert "".join(pieces) == f"a {emoji} b"
    assert not any(piece.endswith("‍") for piece in pieces)


def test_bytes_cut_off_at_the_end_become_one_replacement_character():
    stream = StreamingText(BYTES)
    shown = [stream.push(token) for token in BYTES.encode("ok 🙂")[:-1]]

    assert "".join(shown) == "ok "
    assert stream.finish() == "�"


@given(st.text("abX", max_size=30), st.lists(st.integers(1, 4), max_size=30))
def test_stop_strings_cut_at_the_first_match_however_the_text_arrives(text: str, cuts: list[int]):
    stops = StopStrings(["aXb", "XX"])
    rest, shown = text, ""
    for cut in [*cuts, len(text) + 1]:
        shown += stops.push(rest[:cut])
        rest = rest[cut:]
    shown += stops.finish()

    found = [at for at in (text.find("aXb"), text.find("XX")) if at >= 0]
    assert shown == (text[: min(found)] if found else text)
    assert stops.hit == bool(found)


def split(parts: list[str], *, opened: bool = False) -> tuple[str, str]:
    splitter = ThinkingSplitter(opened)
    pieces = [piece for part in parts for piece in splitter.push(part)] + splitter.finish()
    return "".join(p.text for p in pieces if p.thinking), "".join(p.text for p in pieces if not p.thinking)


@given(st.lists(st.integers(1, 6), max_size=30), st.booleans())
def test_reasoning_is_told_apart_however_the_tags_arrive(cuts: list[int], opened: bool):
    text = ("" if opened else "<think>\n") + "hm <b>\n\n</think>\n\nyes </i> <"
    parts, rest = [], text
    for cut in cuts:
        parts.append(rest[:cut])
        rest = rest[cut:]

    assert split([*parts, rest], opened=opened) == ("hm <b>\n\n", "yes </i> <")


def test_unfinished_reasoning_is_reasoning():
    assert split(["<think>still", " going"]) == ("still going", "")


def test_an_answer_keeps_its_ids_with_the_text_they_became():
    answer = AnswerText(BYTES, ["STOP"], thinks=True, opened=False)
    ids = BYTES.encode("<think>a🙂</think>b🙂 STOP c")
    deltas = [delta for token in ids for delta in answer.push(token)] + list(answer.finish())

    assert (answer.thinking, answer.text, answer.stopped) == ("a🙂", "b🙂 ", True)
    assert "".join(d.text for d in deltas if d.thinking) == "a🙂"
    assert tuple(i for d in deltas for i in d.token_ids) == tuple(ids)


def test_an_answer_that_goes_on_gives_out_only_what_is_new_and_no_half_character():
    ids = BYTES.encode("so 🙂!")
    answer = AnswerText(BYTES, [], thinks=False, opened=False)
    answer.resume(ids[:5])
    deltas = [delta for token in ids[5:] for delta in answer.push(token)]

    assert answer.text == "so 🙂!"
    assert "".join(delta.text for delta in deltas) == "🙂!"
    assert tuple(i for delta in deltas for i in delta.token_ids) == tuple(ids[5:])


def test_pieces_are_values():
    assert Piece("a", True) == Piece("a", True)
