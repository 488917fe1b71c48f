"""What model folders say about themselves, and the reasons why some cannot be loaded."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import ModelRefused
from app.inference.library.discover import installed, models_in
from app.inference.library.facts import facts, facts_or_problem, licence
from app.inference.library.sizes import SCREENSHOT, state_size, vision_bytes
from app.inference.library.uses import Uses
from app.inference.memory import measure
from app.paths import demo_model_dir

REVISION = "cd" * 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(demo_model_dir(), tmp_path / "owner" / "model"))


def change(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_the_demo_model_is_described() -> None:
    demo = facts("demo")
    assert (demo.family, demo.sees_images, demo.quantization, demo.context_length) == ("qwen2_vl", True, 0, 8192)
    assert demo.memory_bytes > demo.disk_bytes > 1_000_000 or demo.memory_bytes > 1_000_000
    assert demo.vision_bytes > 0


def test_the_state_estimate_is_what_a_loaded_model_measures(demo) -> None:
    assert facts("demo").state.growing == measure(demo).growing


def test_layers_with_a_window_and_recurrent_ones_do_not_grow() -> None:
    text = {"num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 16}
    kinds = ["full_attention", "sliding_attention", "linear_attention", "sliding_attention"]
    size = state_size({"text_config": {**text, "sliding_window": 10, "layer_types": kinds}}, item=2)
    per_layer = 2 * 2 * 16 * 2
    assert (size.growing, size.windowed) == (per_layer, ((per_layer, 10),) * 2)
    assert size.state(100) == per_layer * (100 + 2 * 10)
    pattern = state_size({**text, "sliding_window": 10, "sliding_window_pattern": 4}, item=2)
    assert (pattern.growing, len(pattern.windowed)) == (per_layer, 3)
    assert state_size({"model_type": "odd"}, item=2).state(1000) == 0


def test_looking_at_a_picture_is_counted_by_what_the_processor_makes_of_it() -> None:
    tower = {"patch_size": 16, "hidden_size": 100, "num_heads": 2}
    fixed = vision_bytes({"vision_config": {**tower, "image_size": 160}}, {}, item=2)
    assert fixed == 12 * 100 * 100 * 2
    native = vision_bytes({"vision_config": tower}, {"max_pixels": 10**9}, item=2)
    assert native == 12 * (SCREENSHOT // 256) * 100 * 2
    assert vision_bytes({"vision_config": tower}, {"max_pixels": 160 * 160}, item=2) == fixed
    assert vision_bytes({"vision_config": tower}, {"size": {"longest_edge": 512}}, item=2) == native  # a side, no area


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda f: (f / "config.json").unlink(), "config.json is missing"),
        (lambda f: (f / "tokenizer.json").unlink(), "has no tokenizer"),
        (lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"), "pickled weights only"),
        (lambda f: change(f / "config.json", model_file="evil.py"), "its own Python code"),
        (lambda f: change(f / "config.json", model_type="from_the_future"), "of the kind from_the_future"),
    ],
)
def test_what_cannot_be_loaded_says_why(folder: Path, damage: Callable[[Path], object], words: str) -> None:
    damage(folder)
    assert words in facts_or_problem(str(folder)).problem
    with pytest.raises(ModelRefused):
        facts(str(folder))


def test_the_library_s_other_names_of_a_kind_are_known(folder: Path) -> None:
    change(folder / "config.json", model_type="lfm2-vl")
    assert facts(str(folder)).family == "lfm2-vl"


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("---\nlicense: apache-2.0\ntags:\n- mlx\n---\n# A model", "apache-2.0"),
        ("---\nlicense: other\nlicense_name: qwen-research\n---\n", "qwen-research"),
        ("---\ntags: []\n---\nlicense: mit\n", ""),
        ("license: mit", ""),
    ],
)
def test_the_licence_is_what_the_card_states(tmp_path: Path, card: str, said: str) -> None:
    (tmp_path / "README.md").write_text(card)
    assert licence(tmp_path) == said
    assert licence(tmp_path / "gone") == ""


def test_chosen_folders_are_searched_for_models(folder: Path, tmp_path: Path) -> None:
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "config.json").write_text("{}")
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c" / "config.json").write_text("{}")
    assert models_in(str(tmp_path)) == [str(folder)]
    assert models_in(str(folder)) == [str(folder)]
    assert models_in(str(tmp_path / "gone")) == []


def test_what_is_reached_twice_is_listed_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.utils._cache_manager.HF_HUB_CACHE", str(tmp_path / "gone"))
    found = installed([str(tmp_path), str(folder)])
    assert [model.ref for model in found] == ["demo", str(folder)]


def test_a_snapshot_without_the_files_nobody_needs_is_a_model(tmp_path: Path) -> None:
    """The hub library keeps a listing of the repository and calls a snapshot without its pictures incomplete."""
    repository = tmp_path / "models--someone--good"
    shutil.copytree(demo_model_dir(), repository / "snapshots" / REVISION)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(REVISION)
    code = (
        "import sys; from pathlib import Path\n"
        "from huggingface_hub import _tree_cache as trees\n"
        "entry = trees.TreeCacheEntry(size=1, blob_id='b')\n"
        "repository = Path(sys.argv[1]) / 'models--someone--good'\n"
        "trees.write_tree_cache(str(repository), sys.argv[2], {'picture.png': entry, 'config.json': entry})\n"
        "from app.inference.library.facts import facts\n"
        "print(facts('someone/good').family)\n"
        "print('mlx' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), REVISION],
        env={"HF_HUB_CACHE": str(tmp_path), "PATH": "", "SECOND_GLANCE_BLAS": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["qwen2_vl", "False"], done.stderr


def test_uses_are_remembered_and_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    uses = Uses(tmp_path / "deep" / "models.json")
    assert uses.all() == {}
    uses.record("demo", 100)
    uses.record("someone/model", 200, sees_images=False)
    uses.record("demo", 300)
    again = Uses(tmp_path / "deep" / "models.json").all()
    assert {ref: use.weight_bytes for ref, use in again.items()} == {"demo": 300, "someone/model": 200}
    assert again["demo"].at >= again["someone/model"].at
    assert (again["demo"].sees_images, again["someone/model"].sees_images) == (True, False)
    (tmp_path / "deep" / "models.json").write_text('{"demo": 3}')
    assert uses.all() == {}
