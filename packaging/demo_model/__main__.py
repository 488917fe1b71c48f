"""Command line: train the demo model, evaluate it, draw pictures, write its model card."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from demo_model import draw
from demo_model.questions import KINDS_OF_QUESTION, ask

ROOT = Path(__file__).resolve().parents[2]
CHECKPOINT = ROOT / "resources" / "demo_model"
TRAINING = ROOT / "training"


def train(options: argparse.Namespace) -> None:
    """Run the stages that are not finished, one after the other, and write the checkpoint."""
    from demo_model.stages import train_all
    from demo_model.training import quiet_cpu

    quiet_cpu(options.threads)
    train_all(options)


def evaluate(options: argparse.Namespace) -> None:
    """Print the accuracy by kind of question; with ``--card`` put it into the model card."""
    from demo_model.card import write_card
    from demo_model.evaluate import report
    from demo_model.training import quiet_cpu

    quiet_cpu(options.threads)
    text = report(options.checkpoint, options.limit)
    print(text)
    if options.card:
        write_card(options.checkpoint, text, options.limit)


def picture(options: argparse.Namespace) -> None:
    """Write pictures and print one question of each kind with its right answer."""
    options.out.mkdir(parents=True, exist_ok=True)
    for seed in range(options.seed, options.seed + options.count):
        image, scene = draw(seed)
        image.save(options.out / f"{seed}.png")
        print(f"{seed}.png")
        for kind in KINDS_OF_QUESTION:
            question = ask(scene, random.Random(seed), kind)
            print(f"  {question.text} {question.answer}")


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    main = argparse.ArgumentParser(prog="demo_model", description="The bundled demo model: train, evaluate, draw.")
    commands = main.add_subparsers(required=True)

    training = commands.add_parser("train", help="train from nothing, or go on from the last checkpoints")
    training.add_argument("--minutes", type=float, default=240, help="time for all stages together")
    training.add_argument(
        "--stage",
        choices=("all", "vision", "language", "joint"),
        default="all",
        help="one alone, in all the time",
    )
    training.add_argument("--steps", type=int, default=0, help="most steps of each stage; 0 leaves only the time")
    training.add_argument("--pace", type=float, default=1.0, help="factor of the learning rates")
    training.add_argument("--threads", type=int, default=1, help="CPU threads")
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--start-from", type=Path, help="folder of an older checkpoint of the same widths")
    training.add_argument("--work", type=Path, default=TRAINING, help="folder for checkpoints to resume from")
    training.add_argument("--out", type=Path, default=TRAINING / "demo_model", help="folder for the finished model")
    training.set_defaults(run=train)

    testing = commands.add_parser("evaluate", help="accuracy by kind of question, on unseen pictures")
    testing.add_argument("--checkpoint", type=Path, default=CHECKPOINT)
    testing.add_argument("--limit", type=int, default=2000, help="number of pictures")
    testing.add_argument("--threads", type=int, default=1, help="CPU threads")
    testing.add_argument("--card", action="store_true", help="write the result into the model card")
    testing.set_defaults(run=evaluate)

    drawing = commands.add_parser("draw", help="write pictures as PNG, and print questions with answers")
    drawing.add_argument("--seed", type=int, default=0)
    drawing.add_argument("--count", type=int, default=1)
    drawing.add_argument("--out", type=Path, default=Path("pictures"))
    drawing.set_defaults(run=picture)
    return main


if __name__ == "__main__":
    arguments = parser().parse_args()
    arguments.run(arguments)
