"""What MLX computes on."""

from __future__ import annotations

import mlx.core as mx


def on_cpu() -> bool:
    """Whether arrays are computed on the CPU."""
    return mx.default_device() == mx.Device(mx.cpu)


def device_name() -> str:
    """Return what computes, in words."""
    return "CPU" if on_cpu() else str(mx.device_info().get("device_name", "GPU"))


def wire_memory() -> None:
    """Keep weights and state resident on Metal, as mlx-lm does while it generates; nothing elsewhere."""
    if not on_cpu() and mx.metal.is_available():
        mx.set_wired_limit(int(mx.device_info()["max_recommended_working_set_size"]))
