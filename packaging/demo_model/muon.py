"""Muon (Jordan et al. 2024) in float32: PyTorch's own works in bfloat16, which is twenty times slower on most CPUs."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
ITERATIONS = 5


class Muon(torch.optim.Optimizer):
    """Momentum whose step is made orthogonal, scaled to the root mean square of an AdamW step (Liu et al. 2025)."""

    def __init__(
        self, parameters: Iterable[nn.Parameter], lr: float, decay: float = 0.05, momentum: float = 0.95
    ) -> None:
        super().__init__(parameters, {"lr": lr, "decay": decay, "momentum": momentum})

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """Update every matrix that has a gradient."""
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is not None:
                    self.update(matrix, matrix.grad, group)

    def update(self, matrix: Tensor, gradient: Tensor, group: dict[str, float]) -> None:
        """Nesterov momentum, orthogonalised, with decoupled weight decay."""
        velocity = self.state[matrix].setdefault("velocity", torch.zeros_like(gradient))
        velocity.lerp_(gradient, 1 - group["momentum"])
        direction = orthogonal(gradient.lerp(velocity, group["momentum"]))
        matrix.mul_(1 - group["lr"] * group["decay"])
        matrix.add_(direction, alpha=-group["lr"] * 0.2 * max(matrix.shape) ** 0.5)


def orthogonal(matrix: Tensor) -> Tensor:
    """The nearest orthogonal matrix, roughly, by a Newton-Schulz iteration of fifth order."""
    a, b, c = COEFFICIENTS
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(ITERATIONS):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if tall else x
