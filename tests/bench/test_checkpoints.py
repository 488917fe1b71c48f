"""The made-up checkpoints open as any model does, and see pictures as they say."""

from __future__ import annotations

import pytest

from app.bench.checkpoints import smolvlm
from app.bench.workshop import engine_for, side_for


@pytest.mark.parametrize(("model", "family"), [("mid", "qwen2_vl"), ("tiles", "smolvlm")])
def test_they_open_and_see(model: str, family: str) -> None:
    with engine_for(model) as engine:
        assert engine.model is not None
        assert (engine.model.family, engine.model.sees_images) == (family, True)
        if model == "tiles":
            width, height = smolvlm.COLUMNS * smolvlm.TILE, smolvlm.ROWS * smolvlm.TILE
            view = engine.image_view(width, height)
            assert view is not None
            assert (view.width, view.height) == (width, height)
            assert view.tokens == (smolvlm.COLUMNS * smolvlm.ROWS + 1) * smolvlm.TILE_TOKENS
        else:
            assert side_for(model) == 448
