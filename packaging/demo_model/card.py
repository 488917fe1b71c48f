"""The model card: what the demo model can and cannot do, how it was trained, how often it is right."""

from __future__ import annotations

from pathlib import Path
from string import Template

from demo_model.questions import HEDGE
from demo_model.scenes import COLOURS, KINDS, WORDS


def write_card(folder: Path, results: str, pictures: int) -> None:
    """Write ``README.md`` beside the weights."""
    template = Template((Path(__file__).parent / "card.md").read_text(encoding="utf-8"))
    text = template.substitute(
        results=results,
        pictures=f"{pictures:,}",
        colours=", ".join(COLOURS),
        kinds=", ".join(KINDS),
        words=", ".join(sorted(WORDS)),
        hedge=HEDGE,
    )
    (folder / "README.md").write_text(text, encoding="utf-8")
