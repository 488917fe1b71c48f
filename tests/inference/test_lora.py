"""LoRA adapters: they change answers and identity, and what does not fit is refused before it can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import mlx.core as mx
import pytest
from mlx.utils import tree_flatten
from mlx_lm.tuner.utils import linear_to_lora_layers

from app.errors import ModelRefused
from app.inference.checkpoint import WITH, name_of, split
from app.inference.engine import Engine
from app.inference.identity import cache_identity
from app.inference.loading import load_adapter
from app.inference.types import CancelToken
from tests.models.lora import KEYS, write_adapter


@pytest.fixture
def make_adapter(tmp_path: Path):
    """Return ``name, … → folder`` of an adapter for the demo model's first layer."""
    return lambda name, **options: write_adapter(tmp_path / name, **options)


def test_a_reference_may_name_an_adapter() -> None:
    assert split("demo") == ("demo", None)
    assert split(f"demo{WITH}/a/poems") == ("demo", Path("/a/poems"))
    assert split(f"/m + x/model{WITH}/a/poems") == ("/m + x/model", Path("/a/poems"))
    assert [name_of(ref) for ref in ("demo", "owner/model", f"demo{WITH}/a/poems")] == [
        "Demo model", "model", "Demo model + poems"
    ]  # fmt: skip


def test_an_adapter_is_part_of_the_model_and_of_its_identity(demo, make_adapter) -> None:
    loaded = {
        name: load_adapter(f"demo{WITH}{make_adapter(name, seed=seed)}", lambda progress: None, CancelToken())
        for seed, name in enumerate(("first", "second"))
    }
    digests = {cache_identity(adapter).digest for adapter in (demo, *loaded.values())}
    assert len(digests) == 3
    ids = mx.array([[1, 2, 3]])
    logits = [adapter.model.language_model(ids).logits for adapter in (demo, *loaded.values())]
    mx.eval(logits)
    assert all(bool(mx.isfinite(one).all()) for one in logits)
    assert not mx.allclose(logits[0], logits[1])
    assert not mx.allclose(logits[1], logits[2])
    assert not any(module.training for _, module in loaded["first"].model.named_modules())
    assert {str(a.dtype) for _, a in tree_flatten(loaded["first"].model.parameters())} == {"mlx.core.float32"}


@pytest.mark.parametrize("keys", [None, ["self_attn.q_proj", "mlp.up_proj"]])
def test_an_adapter_of_a_text_model_is_the_one_that_was_trained(
    checkpoints: Callable[[str], Path], tmp_path: Path, keys: list[str] | None
) -> None:
    base = str(checkpoints("text_qwen3"))
    trained = load_adapter(base, lambda progress: None, CancelToken()).model
    trained.freeze()
    parameters = {"rank": 2, "dropout": 0.0, "scale": 20.0, **({"keys": keys} if keys else {})}
    linear_to_lora_layers(trained, 1, parameters)
    trained.apply_to_modules(lambda _, module: "lora_b" in module and module.update({"lora_b": module["lora_b"] + 0.1}))
    trained.eval()
    (tmp_path / "adapter_config.json").write_text(json.dumps({"num_layers": 1, "lora_parameters": parameters}))
    mx.save_safetensors(str(tmp_path / "adapters.safetensors"), dict(tree_flatten(trained.trainable_parameters())))

    loaded = load_adapter(f"{base}{WITH}{tmp_path}", lambda progress: None, CancelToken())

    ids = mx.array([[1, 2, 3]])
    plain = load_adapter(base, lambda progress: None, CancelToken()).model
    assert mx.allclose(loaded.model(ids), trained(ids), atol=1e-5)
    assert not mx.allclose(loaded.model(ids), plain(ids), atol=1e-3)


@pytest.mark.allows_log("cannot|failed")
def test_an_adapter_of_another_model_is_refused(make_adapter) -> None:
    narrow = make_adapter("narrow", inputs=64)
    with pytest.raises(ModelRefused, match="made for another model"):
        load_adapter(f"demo{WITH}{narrow}", lambda progress: None, CancelToken())
    foreign = make_adapter("foreign", keys=[*KEYS, "language_model.model.layers.99.self_attn.q_proj"])
    with pytest.raises(ModelRefused, match=r"layers\.99"):
        load_adapter(f"demo{WITH}{foreign}", lambda progress: None, CancelToken())


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "adapter_config.json").unlink(), "adapter_config.json cannot be read"),
        (lambda folder: (folder / "adapters.safetensors").unlink(), "adapters.safetensors is missing"),
        (lambda folder: (folder / "adapters.safetensors").write_bytes(b"x" * 20), "damaged"),
    ],
)
def test_an_incomplete_adapter_leaves_the_present_model_loaded(engine: Engine, make_adapter, damage, words) -> None:
    folder = make_adapter("broken")
    damage(folder)
    before = engine.model
    with pytest.raises(ModelRefused, match=words):
        engine.load(f"demo{WITH}{folder}")
    assert engine.model is before is not None
