"""Making a smaller copy of a model, through the conversions of mlx-vlm and mlx-lm."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import mlx.core as mx

from app.cache.config import GIB
from app.errors import ModelRefused, UserError
from app.files import free_bytes, has_room
from app.inference.checkpoint import declares_vision, read_config, resolve, split
from app.inference.events import Progress
from app.inference.library.kinds import check_known_kind
from app.inference.library.quantized import GROUP_SIZE, Bits, quantized_bytes
from app.inference.loading import batches, no_foreign_code
from app.inference.types import CancelToken

OnProgress = Callable[[Progress], None]


def quantize(
    ref: str, target: Path, bits: Bits, on_progress: OnProgress = lambda _: None, cancel: CancelToken | None = None
) -> None:
    """Write a copy of ``ref`` with weights of ``bits`` bits to ``target``, which appears once it is complete.

    What the libraries print goes to stderr.

    Raises:
        ModelRefused: the model cannot be opened, is quantized already, or is named with an adapter.
        UserError: there is something at ``target``, or the disk has no room for it.
        Cancelled: the stop sign was set; nothing is left of the copy then.
    """
    source = resolve(ref)
    config = read_config(source, ref)
    sees_images = declares_vision(config)
    check_known_kind(config, ref, sees_images=sees_images)
    _check(ref, config, source, target, bits)
    part = target.with_name(f"{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    on_progress(Progress("load", 0, 100, note="Reading the model"))
    try:
        with no_foreign_code(ref), contextlib.redirect_stdout(sys.stderr):
            _convert(source, part, bits, _Watch(on_progress, cancel or CancelToken()), sees_images=sees_images)
        for code in part.rglob("*.py"):  # mlx-vlm copies it; nothing here would run it
            code.unlink()
        read_config(part, str(target))
        part.replace(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        mx.clear_cache()
    on_progress(Progress("load", 100, 100, note="Complete"))


def _check(ref: str, config: dict[str, Any], source: Path, target: Path, bits: Bits) -> None:
    base, lora = split(ref)
    if lora is not None:
        raise ModelRefused(f"A smaller copy is made without an adapter: quantize {base}, then put {lora} on it.", ref)
    if config.get("quantization") or config.get("quantization_config"):
        raise ModelRefused(f"{ref} is quantized already; start from the full weights.", ref)
    if target.exists():
        raise UserError(f"{target} exists already. Choose another folder.", str(target))
    needed, free = quantized_bytes(source, bits), free_bytes(target)
    if not has_room(needed, free):
        raise UserError(
            f"The copy needs about {needed / GIB:.1f} GB and {free / GIB:.1f} GB are free where {target.parent} is. "
            "Free some space, or choose another folder.",
            str(target),
        )


def _convert(source: Path, part: Path, bits: Bits, watch: _Watch, *, sees_images: bool) -> None:
    options: dict[str, Any] = {"quantize": True, "q_bits": bits, "q_group_size": GROUP_SIZE}
    if sees_images:
        from mlx_vlm import utils
        from mlx_vlm.convert import convert
    else:
        from mlx_lm import utils
        from mlx_lm.convert import convert
    watch.cancel.check()
    with _watched(utils, watch):
        convert(str(source), str(part), trust_remote_code=False, **options)
    watch.cancel.check()
    for name in ("preprocessor_config.json", "chat_template.jinja", "chat_template.json"):
        if (source / name).is_file() and not (part / name).exists():
            shutil.copy(source / name, part / name)


class _Watch:
    """Follows a conversion, and stops it between two batches of weights."""

    def __init__(self, on_progress: OnProgress, cancel: CancelToken) -> None:
        self.cancel = cancel
        self._on_progress = on_progress
        self._total, self._done = 1, 0

    def begin(self, total: int) -> None:
        """Take ``total`` as the bytes of the whole copy."""
        self._total = max(1, total)

    def compute(self, arrays: list[mx.array]) -> None:
        """Compute ``arrays``, which are lazy until now.

        Raises:
            Cancelled: between two batches.
        """
        for batch in batches(arrays):
            self.cancel.check()
            mx.eval(batch)
            self._done += sum(array.nbytes for array in batch)
            self._on_progress(Progress("load", 99 * self._done // self._total, 100, note="Writing the smaller copy"))
        self.cancel.check()


class _Shards(list[dict[str, mx.array]]):
    """The files to be written: what is in one is computed when it is taken up, not in one go while it is saved."""

    def __init__(self, shards: list[dict[str, mx.array]], watch: _Watch) -> None:
        super().__init__(shards)
        self._watch = watch
        watch.begin(sum(array.nbytes for shard in shards for array in shard.values()))

    def __getitem__(self, place: Any) -> Any:
        shard = super().__getitem__(place)
        self._watch.compute(list(shard.values()))
        return shard


@contextlib.contextmanager
def _watched(utils: ModuleType, watch: _Watch) -> Iterator[None]:
    """Follow what a library's ``convert`` saves: the libraries quantize lazily, all the work is done at that point."""
    original = utils.make_shards

    def make_shards(*arguments: Any, **keywords: Any) -> _Shards:
        return _Shards(original(*arguments, **keywords), watch)

    utils.make_shards = make_shards  # type: ignore[attr-defined]
    try:
        yield
    finally:
        utils.make_shards = original  # type: ignore[attr-defined]
