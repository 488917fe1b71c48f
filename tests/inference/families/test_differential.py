"""Chats as people lead them, cached and uncached: equal answers, no tower run twice, no token run that need not be.

``SECOND_GLANCE_DIFF`` is the number of random conversations per family, ``SECOND_GLANCE_SEED`` chooses others. A
failing conversation is shrunk and printed as the list of its steps.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from app.inference.events import Finished
from app.inference.types import ImageRef, Message
from tests.inference.families.bench import ANSWER, Answer, Bench
from tests.inference.families.chats import reference
from tests.inference.families.conftest import BLOCK
from tests.inference.families.due import Due
from tests.inference.families.steps import PICTURES, Step, World, conversation, shrunk
from tests.models import SPECS
from tests.models.pictures import waves

CONVERSATIONS = int(os.environ.get("SECOND_GLANCE_DIFF", "2"))
SEED = int(os.environ.get("SECOND_GLANCE_SEED", "0"))
LENGTH = 5
TOLERANCE = 1e-4


@pytest.mark.parametrize("family", SPECS)
def test_cached_equals_uncached(benches: Callable[[str], Mapping[str, Bench]], family: str) -> None:
    on = benches(family)
    pool = pictures(family) if on["memory"].adapter.sees_images else []

    def fails(steps: list[Step]) -> bool:
        try:
            Comparison(on, pool).play(steps)
        except Exception:  # noqa: BLE001 - whatever goes wrong is what is looked for
            return True
        return False

    for number in range(CONVERSATIONS):
        steps = conversation(f"{SEED}/{family}/{number}", LENGTH)
        try:
            Comparison(on, pool).play(steps)
        except Exception as error:
            error.add_note(f"{family}, SECOND_GLANCE_SEED={SEED}, conversation {number}: {shrunk(steps, fails)}")
            raise


def pictures(family: str) -> list[ImageRef]:
    """Return the pool: random sizes, the last two equal in size."""
    rng = random.Random(family)
    sizes = [(rng.randint(30, 260), rng.randint(30, 260)) for _ in range(PICTURES - 1)]
    return [reference(waves(number, *size)) for number, size in enumerate((*sizes, sizes[-1]))]


class Comparison:
    """Plays steps on engines that differ in how they keep state; all start with empty caches."""

    def __init__(self, on: Mapping[str, Bench], pool: list[ImageRef]) -> None:
        self.on, self.world = on, World(pool)
        self.units: set[str] = set()
        self.due: dict[str, Due] = {}
        for kind, bench in on.items():
            bench.reset()
            self.due[kind] = Due(bench.reuse, BLOCK if kind == "paged" else 1)

    def play(self, steps: list[Step]) -> None:
        for step in steps:
            chat = self.world.take(step)
            expected = next(iter(self.on.values())).ask(chat, use_cache=False)
            for kind in self.on:
                self._compare(kind, chat, step, expected)
            answer = expected.finished
            chat.append(Message("assistant", answer.text, token_ids=answer.token_ids))

    def _compare(self, kind: str, chat: list[Message], step: Step, expected: Answer) -> None:
        bench, due = self.on[kind], self.due[kind]
        key, spans = bench.key(chat)
        self.units.update(span.digest for span in spans)
        if step.stop_after is not None:
            said = [bench.stop(chat, step.stop_after) for _ in range(step.stops)]
            if step.goes_on:
                said += self._go_on(kind, chat, said[-1], expected)
            due.touched += [(*key, *answer.token_ids) for answer in said]
        found = bench.ask(chat)

        self._compare_answers(kind, found, expected)
        assert bench.encoded <= len(self.units), kind
        stats = found.finished.stats
        assert stats.prompt_tokens == len(key) == stats.reused_tokens + stats.prefilled_tokens
        assert due.least(step.chat, key, spans) <= stats.reused_tokens <= due.most(key), kind
        due.note(step.chat, key, found.finished.token_ids)

    def _go_on(self, kind: str, chat: list[Message], said: Finished, expected: Answer) -> list[Finished]:
        """Go on with an answer that was stopped, unless it was stopped before its first word or after its last.

        Return the whole of it, if so.
        """
        begun = len(said.token_ids)
        if said.finish_reason != "cancelled" or not begun or said.token_ids != expected.finished.token_ids[:begun]:
            return []
        if begun >= min(len(expected.logits), ANSWER.max_tokens):
            return []
        found = self.on[kind].go_on(chat, said)
        self._compare_answers(kind, found, Answer(expected.finished, expected.logits[begun:]))
        return [found.finished]

    def _compare_answers(self, kind: str, found: Answer, expected: Answer) -> None:
        assert found.finished.token_ids == expected.finished.token_ids, kind
        assert np.abs(found.logits - expected.logits).max() < TOLERANCE, kind
