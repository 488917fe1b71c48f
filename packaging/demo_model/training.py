"""What all three stages share: the clock, the optimisers, the checkpoint to resume from, the log line."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from demo_model.muon import Muon

CHECKPOINT_SECONDS = 120
LOG_STEPS = 20
SMOOTHING = 0.9


@dataclass(frozen=True, slots=True)
class Budget:
    """When a stage ends: after this many steps or seconds, whichever comes first.

    ``pace`` scales the stage's own learning rate, to go on gently from an older checkpoint.
    """

    steps: int
    seconds: float
    warm_up: int = 100
    pace: float = 1.0

    def spent(self, step: int, seconds: float) -> float:
        """Fraction of the budget that is gone, 0 to 1."""
        return min(1.0, max(step / self.steps, seconds / self.seconds))

    def rate(self, step: int, seconds: float) -> float:
        """Factor of the learning rate: a linear start, then half a cosine down to 2 %."""
        fall = 0.5 * (1 + math.cos(math.pi * self.spent(step, seconds)))
        return self.pace * min(1.0, (step + 1) / self.warm_up) * (0.02 + 0.98 * fall)


def quiet_cpu(threads: int) -> None:
    """One thread by default: two that spin beside another job are slower than one. Denormals cost a hundredfold."""
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)


def optimisers(parameters: Iterable[tuple[str, nn.Parameter]], rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices between layers, AdamW for embeddings, convolutions, norms and biases.

    Muon (Jordan et al. 2024) learns from about half the pictures that AdamW alone needs here.
    """
    matrices, others = [], []
    for name, parameter in parameters:
        hidden = parameter.ndim == 2 and not any(part in name for part in ("embed", "heads"))
        (matrices if hidden else others).append(parameter)
    return [
        Muon(matrices, lr=rate),
        torch.optim.AdamW(others, lr=rate / 2, betas=(0.9, 0.98), weight_decay=0.01),
    ]


class Run:
    """A stage in progress: steps until the budget is spent, and can be stopped and resumed at its checkpoint."""

    def __init__(self, module: nn.Module, rate: float, budget: Budget, checkpoint: Path) -> None:
        self.module = module
        self.budget = budget
        self.checkpoint = checkpoint
        self.optimisers = optimisers(module.named_parameters(), rate)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["full_lr"] = group["lr"]
        self.step = 0
        self.seconds = 0.0
        self.averages: dict[str, float] = {}
        if checkpoint.exists():
            self.restore()

    def train(self, loss_of: Callable[[int], tuple[Tensor, dict[str, float]]]) -> None:
        """Minimise ``loss_of(step)``, which also returns numbers for the log."""
        started, saved = time.monotonic() - self.seconds, time.monotonic()
        while self.budget.spent(self.step, self.seconds) < 1:
            loss, numbers = loss_of(self.step)
            self.update(loss)
            self.report(numbers | {"loss": loss.item()})
            self.seconds = time.monotonic() - started
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.monotonic()
        self.save()

    def update(self, loss: Tensor) -> None:
        """One step of both optimisers."""
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        factor = self.budget.rate(self.step, self.seconds)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = group["full_lr"] * factor
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        self.step += 1

    def report(self, numbers: dict[str, float]) -> None:
        """Keep running averages; print them now and then."""
        for name, value in numbers.items():
            self.averages[name] = SMOOTHING * self.averages.get(name, value) + (1 - SMOOTHING) * value
        if self.step % LOG_STEPS == 0:
            shown = " ".join(f"{name} {value:.4f}" for name, value in self.averages.items())
            print(f"step {self.step} {self.seconds:.0f} s {shown}", flush=True)

    def save(self) -> None:
        """Write the checkpoint; a reader sees the old one or the new one, never half of it."""
        state = {
            "module": self.module.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
            "step": self.step,
            "seconds": self.seconds,
            "averages": self.averages,
        }
        partial = self.checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        os.replace(partial, self.checkpoint)

    def restore(self) -> None:
        """Continue where the checkpoint stopped."""
        state = torch.load(self.checkpoint, weights_only=True)
        self.module.load_state_dict(state["module"])
        for optimiser, saved in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        self.step, self.seconds, self.averages = state["step"], state["seconds"], state["averages"]
