"""Model folders: what is missing is named, what could run code is refused, nothing is downloaded."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path

import mlx.core as mx
import pytest
from mlx.utils import tree_flatten
from transformers import AutoTokenizer

from app.errors import ModelRefused
from app.inference.checkpoint import declares_vision, read_config, resolve, stable_ref
from app.inference.families.base import FamilyAdapter
from app.inference.families.registry import adapter_class
from app.inference.identity import cache_identity
from app.inference.library.facts import facts
from app.inference.loading import load_adapter, no_foreign_code
from app.inference.opening import describe
from app.inference.types import Cancelled, CancelToken
from app.paths import demo_model_dir


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the demo model that may be damaged."""
    return Path(shutil.copytree(demo_model_dir(), tmp_path / "model"))


def change(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def refusal(folder: Path) -> str:
    with pytest.raises(ModelRefused) as refused:
        read_config(folder, "my-model")
    assert refused.value.subject == "my-model"
    return str(refused.value)


def test_demo_and_folders_are_found(folder: Path):
    assert resolve("demo") == demo_model_dir()
    assert resolve(str(folder)) == folder
    assert declares_vision(read_config(folder, "my-model"))


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        ("no/such/folder/here", "There is no folder no/such/folder/here."),
        ("../models", "There is no folder ../models."),
        ("-a/b", "There is no folder -a/b."),
        ("somebody/some-model", "no model of that name in the local Hugging Face cache"),
    ],
)
def test_an_unknown_reference_is_refused_without_touching_the_network(
    ref: str, words: str, monkeypatch: pytest.MonkeyPatch
):
    def no_network(*arguments: object) -> None:
        raise AssertionError("a network connection was tried")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    with pytest.raises(ModelRefused, match=words):
        resolve(ref)


def test_a_file_is_not_a_model(folder: Path):
    with pytest.raises(ModelRefused, match="is a file"):
        resolve(str(folder / "config.json"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("config.json", "config.json is missing"),
        ("model.safetensors", "no weights"),
        ("tokenizer.json", "no tokenizer"),
    ],
)
def test_what_is_missing_is_named(folder: Path, name: str, words: str):
    (folder / name).unlink()
    assert words in refusal(folder)


def test_a_missing_shard_is_named(folder: Path):
    index = {"weight_map": {"a": "model.safetensors", "b": "model-2.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert "model-2.safetensors is missing" in refusal(folder)


def test_damage_is_named(folder: Path):
    (folder / "config.json").write_text("{")
    assert "config.json cannot be read" in refusal(folder)


@pytest.mark.parametrize("part", ["text_config", "vision_config", "quantization"])
def test_a_part_of_the_configuration_that_is_none_is_named(folder: Path, part: str):
    change(folder / "config.json", **{part: "x"})
    assert f"config.json: {part} is not a JSON object" in refusal(folder)


@pytest.mark.parametrize(("shards", "words"), [([1], "weight_map is not a JSON object"), ({"a": 1}, "1 is missing")])
def test_an_index_of_another_kind_is_named(folder: Path, shards: object, words: str):
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": shards}))
    assert words in refusal(folder)


def test_numbers_that_are_none_are_named(folder: Path):
    change(folder / "config.json", text_config={"num_hidden_layers": 2, "num_attention_heads": 3, "hidden_size": "big"})
    with pytest.raises(ModelRefused, match=r"config\.json cannot be read .*'big'"):
        facts(str(folder))


def test_a_chat_template_that_is_none_is_refused_when_the_model_is_opened(folder: Path):
    (folder / "chat_template.jinja").write_text("{{ messages[0")
    adapter = load_adapter(str(folder), lambda progress: None, CancelToken())
    with pytest.raises(ModelRefused, match="cannot be opened: chat template, line 1"):
        describe("my-model", adapter)


def test_an_interrupted_download_is_named(folder: Path):
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])
    assert "model.safetensors is cut off" in refusal(folder)


def test_weights_that_are_none_are_named(folder: Path):
    (folder / "model.safetensors").write_bytes(b"version https://git-lfs")
    assert "model.safetensors is damaged" in refusal(folder)


def test_pickled_weights_are_never_opened(folder: Path):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    assert "pickled" in refusal(folder)


def test_a_model_file_is_never_run(folder: Path, tmp_path: Path):
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    change(folder / "config.json", model_file="evil.py")

    assert "its own Python code (evil.py)" in refusal(folder)
    assert not (tmp_path / "ran").exists()


def test_code_named_by_auto_map_is_never_run(folder: Path, tmp_path: Path):
    """mlx-vlm's processors trust remote code in places, so even a caller that trusts it must not get through."""
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Evil: pass")
    change(folder / "tokenizer_config.json", tokenizer_class="Evil", auto_map={"AutoTokenizer": ["evil.Evil", None]})

    load_adapter(str(folder), lambda progress: None, CancelToken())
    with pytest.raises(ModelRefused, match="its own Python code"), no_foreign_code("my-model"):
        AutoTokenizer.from_pretrained(folder, trust_remote_code=True)

    assert not (tmp_path / "ran").exists()


@pytest.mark.allows_log("Loading my-model failed")
def test_a_library_s_failure_is_a_sentence():
    with pytest.raises(ModelRefused, match=r"my-model cannot be opened: first$"), no_foreign_code("my-model"):
        raise RuntimeError("first\nsecond")


@pytest.mark.parametrize("vision", [True, False])
def test_an_unsupported_architecture_is_a_sentence(folder: Path, vision: bool):
    config = {"model_type": "from_the_future", **({"vision_config": {"depth": 1}} if vision else {})}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelRefused, match="of the kind from_the_future, which this version cannot open"):
        load_adapter(str(folder), lambda progress: None, CancelToken())


def test_loading_tells_progress_and_leaves_nothing_lazy(demo: FamilyAdapter):
    notes: list[str] = []
    load_adapter("demo", lambda progress: notes.append(progress.note), CancelToken())

    assert notes[0] == "Checking the model folder"
    assert notes[-1] == "Ready"
    assert "Reading the weights" in notes
    assert {str(a.dtype) for _, a in tree_flatten(demo.model.parameters())} == {"mlx.core.float32"}


@pytest.mark.parametrize("step", [0, 1, 2, 3])
def test_loading_stops_between_any_two_steps(step: int):
    cancel, seen = CancelToken(), []

    def stop(progress: object) -> None:
        seen.append(progress)
        if len(seen) > step:
            cancel.cancel()

    if step == 3:
        load_adapter("demo", stop, cancel)
        return
    with pytest.raises(Cancelled):
        load_adapter("demo", stop, cancel)
    assert len(seen) == step + 1


def test_unknown_families_get_uncached_adapters():
    assert adapter_class("nobody_knows", sees_images=True).reuse == "none"
    assert not adapter_class("llama", sees_images=False).sees_images


def digest(folder: Path) -> str:
    return cache_identity(load_adapter(str(folder), lambda progress: None, CancelToken())).digest


def test_identity_changes_with_everything_that_shapes_state(folder: Path):
    first = digest(folder)
    assert digest(folder) == first

    change(folder / "preprocessor_config.json", max_pixels=20000)
    second = digest(folder)
    template = folder / "chat_template.jinja"
    template.write_text(template.read_text() + "{# changed #}")
    third = digest(folder)
    weights = folder / "model.safetensors"
    arrays = mx.load(str(weights))
    mx.eval(arrays)
    name = next(iter(arrays))
    mx.save_safetensors(str(weights), {**arrays, name: arrays[name] + 1})
    fourth = digest(folder)

    assert len({first, second, third, fourth}) == 4


@pytest.mark.parametrize("kind", ["../os", "no such kind", "os.path"])
def test_a_kind_that_is_no_module_name_is_refused_in_words(tmp_path: Path, kind: str):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind, "vocab_size": 8}))
    (tmp_path / "tokenizer.json").write_text("{}")
    mx.save_safetensors(str(tmp_path / "model.safetensors"), {"a": mx.zeros(2)})
    with pytest.raises(ModelRefused, match="cannot open"):
        load_adapter(str(tmp_path), lambda _progress: None, CancelToken())


def test_a_model_is_named_alike_however_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "demo").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "link").symlink_to("mine")
    assert stable_ref("demo") == stable_ref("demo + /some/adapter") == "demo"
    assert stable_ref("owner/model + ~/a") == "owner/model"
    names = {stable_ref(ref) for ref in ("mine", "~/mine", f"{tmp_path}/link", f"{tmp_path}/x/../mine/", "mine + /a")}
    assert names == {str((tmp_path / "mine").resolve())}
    assert stable_ref("/not/there") == "/not/there", "a disk that is not plugged in keeps its settings"
