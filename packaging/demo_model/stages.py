"""The three stages after each other, each within its share of the time, and the finished checkpoint."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import Tokenizer

from demo_model import checkpoint, joint_stage, language_stage, vision_stage
from demo_model.card import FACTS
from demo_model.network import Shapes
from demo_model.tokens import train_tokenizer
from demo_model.training import Budget

SHARES: Final = {"vision": 0.5, "language": 0.3, "joint": 0.2}
NO_LIMIT: Final = 10**9


def train_all(options: argparse.Namespace) -> None:
    """Train, or go on training, by the options of the command line."""
    options.work.mkdir(parents=True, exist_ok=True)
    steps, seconds = options.steps or NO_LIMIT, options.minutes * 60
    vision, language, joint = (Budget(steps, seconds * share) for share in SHARES.values())
    tokenizer = find_tokenizer(options.work, options.seed)
    shapes = Shapes(tokenizer.get_vocab_size())
    work, seed, older = options.work, options.seed, options.start_from
    tower = vision_stage.train_tower(shapes, vision, work, seed, older)
    reader = language_stage.train_language(shapes, tokenizer, language, work, seed, older)
    network = joint_stage.train_jointly(tower, reader, tokenizer, joint, work, seed)
    checkpoint.save(network, tokenizer, options.out)
    origin = {"origin": f"It started from the older checkpoint {older.name}."} if older else {}
    checkpoint.write_json(options.out / FACTS, facts(work) | origin)


def find_tokenizer(work: Path, seed: int) -> Tokenizer:
    """The tokenizer of the checkpoints in ``work``, or a new one where there is none yet."""
    path = work / "tokenizer.json"
    if not path.exists():
        train_tokenizer(seed).save(str(path))
    return Tokenizer.from_file(str(path))


def facts(work: Path) -> dict[str, dict[str, Any]]:
    """Steps, batch size and seconds of each stage, from their own checkpoints."""
    states = {stage: torch.load(work / f"{stage}.pt", weights_only=True) for stage in SHARES}
    return {stage: {"steps": state["step"], "seconds": round(state["seconds"])} for stage, state in states.items()}
