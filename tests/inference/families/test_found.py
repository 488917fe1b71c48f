"""Conversations that the differential test once found to go wrong, shrunk."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.inference.families.bench import Bench
from tests.inference.families.steps import TEXTS, Step
from tests.inference.families.test_differential import Comparison, pictures

FOUND = {
    "a chat lost its state to another one after it had been stopped in its prompt": (
        "smolvlm",
        [
            Step("regenerate", chat=2, at=2, text=TEXTS[1], pictures=(0,), stop_after=2),
            Step("remove", chat=1, text=TEXTS[2], pictures=(0, 1)),
            Step("reverse", chat=2, at=2, text=TEXTS[3], pictures=(0,)),
        ],
    ),
}


@pytest.mark.parametrize("what", FOUND)
def test_goes_right_now(benches: Callable[[str], Mapping[str, Bench]], what: str) -> None:
    family, steps = FOUND[what]
    on = benches(family)

    Comparison(on, pictures(family) if on["memory"].adapter.sees_images else []).play(steps)
