"""Smaller copies: progress, a stop that leaves nothing, and the size said before."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import mlx.core as mx
import pytest

from app.errors import ModelRefused, UserError
from app.inference import loading
from app.inference.events import Progress
from app.inference.library.facts import facts
from app.inference.library.quantized import Bits, quantized_bytes
from app.inference.quantizing import quantize
from app.inference.types import Cancelled, CancelToken
from app.paths import demo_model_dir

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo model be worth several batches."""
    monkeypatch.setattr(loading, "BATCH_BYTES", 1_000_000)


@pytest.mark.parametrize("bits", [4, 8])
def test_the_size_is_known_beforehand(bits: Bits, tmp_path: Path) -> None:
    quantize("demo", tmp_path / "copy", bits)
    made = facts(str(tmp_path / "copy")).disk_bytes
    assert quantized_bytes(demo_model_dir(), bits) == pytest.approx(made, rel=0.1)


@pytest.mark.usefixtures("small_batches")
def test_progress_grows_to_the_end(tmp_path: Path) -> None:
    told: list[Progress] = []
    quantize("demo", tmp_path / "copy", 8, told.append)
    done = [progress.done for progress in told]
    assert (done[0], done[-1], len(done) > 4) == (0, 100, True)
    assert all(a <= b for a, b in pairwise(done))
    assert told[-2].note == "Writing the smaller copy"


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_stop_leaves_nothing(tmp_path: Path, after: int) -> None:
    cancel, told = CancelToken(), list[Progress]()

    def count(progress: Progress) -> None:
        told.append(progress)
        if len(told) > after:
            cancel.cancel()

    with pytest.raises(Cancelled):
        quantize("demo", tmp_path / "copy", 8, count, cancel)
    assert len(told) == after + 1
    assert list(tmp_path.iterdir()) == []
    quantize("demo", tmp_path / "copy", 8)


def test_a_text_model_is_followed_too(checkpoints: Callable[[str], Path], tmp_path: Path) -> None:
    told: list[Progress] = []
    quantize(str(checkpoints("text_qwen3")), tmp_path / "copy", 8, told.append)
    assert [progress.note for progress in told][1:-1] != []
    assert facts(str(tmp_path / "copy")).quantization == 8
    with pytest.raises(ModelRefused, match="quantized already"):
        quantize(str(tmp_path / "copy"), tmp_path / "again", 4)


def test_the_disk_is_looked_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage(10**12, 0, 300_000_000))
    with pytest.raises(UserError, match=r"needs about 0\.\d GB and 0\.3 GB are free where"):
        quantize("demo", tmp_path / "deep" / "copy", 4)
    assert list(tmp_path.iterdir()) == []


def test_a_name_like_an_experts_matrix_counts_as_quantized(tmp_path: Path) -> None:
    weights = {
        "model.experts.w": mx.zeros((2, 4, 64), mx.float16),
        "vision.w": mx.zeros((4, 64), mx.float16),
        "model.odd": mx.zeros((4, 10), mx.float16),
        "model.bias": mx.zeros((64,), mx.float16),
    }
    mx.save_safetensors(str(tmp_path / "model.safetensors"), weights)
    assert quantized_bytes(tmp_path, 4) == (256 + 2 * 2 * 8) + 512 + 80 + 128
