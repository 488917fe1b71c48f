"""The page about the families says what is measured now; run ``python -m tests.models.report`` where it does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.models import SPECS
from tests.models.report import PAGE, measure


def test_every_family_has_a_row() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert [family for family in SPECS if f"| `{family}` |" not in page] == []
    assert "differ" not in page.partition("| --- |")[2]


@pytest.mark.parametrize("family", ["text_llama", "smolvlm"])
def test_the_page_is_current(checkpoints: Callable[[str], Path], tmp_path: Path, family: str) -> None:
    assert str(measure(family, checkpoints(family), tmp_path)) in PAGE.read_text(encoding="utf-8").splitlines()
