"""The engine with the bundled model."""

from __future__ import annotations

from tests.inference.conftest import _engine, engine

__all__ = ["_engine", "engine"]
