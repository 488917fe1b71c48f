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
DONE: Final = Budget(1, 1.0)
"""No time for a stage that only hands on what it has learnt."""


def train_all(options: argparse.Namespace) -> None:
    """Train, or go on training, by the options of the command line.

    The first two stages do not wait for each other: with ``--stage`` they can run side by side on two cores.
    """
    options.work.mkdir(parents=True, exist_ok=True)
    tokenizer = find_tokenizer(options.work, options.seed)
    shapes = Shapes(tokenizer.get_vocab_size())
    work, seed, older = options.work, options.seed, options.start_from
    times = budgets(options)
    if "vision" in times:
        tower = vision_stage.train_tower(shapes, times["vision"], work, seed, older)
    if "language" in times:
        reader = language_stage.train_language(shapes, tokenizer, times["language"], work, seed, older)
    if "joint" not in times:
        return
    network = joint_stage.train_jointly(tower, reader, tokenizer, times["joint"], work, seed)
    checkpoint.save(network, tokenizer, options.out)
    origin = {"origin": f"It started from the older checkpoint {older.name}."} if older else {}
    checkpoint.write_json(options.out / FACTS, facts(work) | origin)
    print(f"written to {options.out}")


def budgets(options: argparse.Namespace) -> dict[str, Budget]:
    """The budget of each stage that takes part: all in their shares, or one with all the time.

    Raises:
        SystemExit: the joint stage alone, where one of those before it has not been trained.
    """
    steps, seconds = options.steps or NO_LIMIT, options.minutes * 60
    if options.stage == "all":
        return {stage: Budget(steps, seconds * share, pace=options.pace) for stage, share in SHARES.items()}
    found = {options.stage: Budget(steps, seconds, pace=options.pace)}
    if options.stage == "joint":
        missing = [stage for stage in ("vision", "language") if not (options.work / f"{stage}.pt").exists()]
        if missing:
            raise SystemExit(f"Train this first, with --stage: {', '.join(missing)}")
        found |= {"vision": DONE, "language": DONE}
    return found


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
