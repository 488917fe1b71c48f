"""Making a smaller copy of a model, through the conversions of mlx-vlm and mlx-lm."""

from __future__ import annotations

import contextlib
import shutil
import sys
from pathlib import Path
from typing import Any, Literal

from app.errors import ModelRefused, UserError
from app.inference.checkpoint import declares_vision, read_config, resolve
from app.inference.library.kinds import check_known_kind
from app.inference.loading import no_foreign_code

GROUP_SIZE = 64


def quantize(ref: str, target: Path, bits: Literal[4, 8]) -> None:
    """Write a copy of ``ref`` with weights of ``bits`` bits to ``target``, which appears once it is complete.

    What the libraries print goes to stderr.

    Raises:
        ModelRefused: the model cannot be opened, or is quantized already.
        UserError: there is something at ``target``.
    """
    source = resolve(ref)
    config = read_config(source, ref)
    sees_images = declares_vision(config)
    check_known_kind(config, ref, sees_images=sees_images)
    if config.get("quantization") or config.get("quantization_config"):
        raise ModelRefused(f"{ref} is quantized already; start from the full weights.", ref)
    if target.exists():
        raise UserError(f"{target} exists already. Choose another folder.", str(target))
    part = target.with_name(f"{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with no_foreign_code(ref), contextlib.redirect_stdout(sys.stderr):
            _convert(source, part, bits, sees_images=sees_images)
        for code in part.rglob("*.py"):  # mlx-vlm copies it; nothing here would run it
            code.unlink()
        read_config(part, str(target))
        part.replace(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _convert(source: Path, part: Path, bits: int, *, sees_images: bool) -> None:
    options: dict[str, Any] = {"quantize": True, "q_bits": bits, "q_group_size": GROUP_SIZE}
    if sees_images:
        from mlx_vlm.convert import convert
    else:
        from mlx_lm.convert import convert
    convert(str(source), str(part), trust_remote_code=False, **options)
    for name in ("preprocessor_config.json", "chat_template.jinja", "chat_template.json"):
        if (source / name).is_file() and not (part / name).exists():
            shutil.copy(source / name, part / name)
