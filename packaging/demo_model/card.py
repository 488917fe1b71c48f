"""The model card: what the demo model can and cannot do, how it was trained, how often it is right."""

from __future__ import annotations

import json
from pathlib import Path
from string import Template
from typing import Final

from safetensors import safe_open

from demo_model.questions import HEDGE
from demo_model.scenes import COLOURS, KINDS, WORDS

FACTS: Final = "training.json"
"""File beside the weights that says how long each stage was trained."""
FROM_NOTHING: Final = "It started from random weights."


def write_card(folder: Path, results: str, pictures: int) -> None:
    """Write ``README.md`` beside the weights."""
    template = Template((Path(__file__).parent / "card.md").read_text(encoding="utf-8"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    stages = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    text = template.substitute(
        results=results,
        pictures=f"{pictures:,}",
        colours=", ".join(COLOURS),
        kinds=", ".join(KINDS),
        words=", ".join(sorted(WORDS)),
        hedge=HEDGE,
        parameters=f"{count_parameters(folder) / 1e6:.1f}",
        vision_width=config["vision_config"]["embed_dim"],
        vision_depth=config["vision_config"]["depth"],
        width=config["hidden_size"],
        depth=config["num_hidden_layers"],
        vocabulary=f"{config['vocab_size']:,}",
        origin=stages.get("origin", FROM_NOTHING),
        **{name: effort(stages[name]) for name in ("vision", "language", "joint")},
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


def effort(stage: dict[str, float]) -> str:
    """How long a stage took."""
    return f"{stage['steps']:,} steps in {stage['seconds'] / 60:.0f} minutes of a shared core"


def count_parameters(folder: Path) -> int:
    """Number of weights of a checkpoint."""
    total = 0
    with safe_open(folder / "model.safetensors", "np") as weights:
        for name in weights.keys():  # noqa: SIM118 - it is no mapping
            size = 1
            for side in weights.get_slice(name).get_shape():
                size *= side
            total += size
    return total
