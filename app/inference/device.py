"""What MLX computes on."""

from __future__ import annotations

import mlx.core as mx


def on_cpu() -> bool:
    """Whether arrays are computed on the CPU."""
    return mx.default_device() == mx.Device(mx.cpu)


def device_name() -> str:
    """Return what computes, in words."""
    return "CPU" if on_cpu() else str(mx.device_info().get("device_name", "GPU"))
