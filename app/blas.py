"""A faster BLAS for MLX on Linux, put in place before MLX is first imported.

The Linux wheel of MLX links a reference BLAS that runs single-precision products on one core at a few GFLOP/s. Symbols
that are already loaded globally win over the wheel's own, so an OpenBLAS loaded first takes the matrix products over.
On macOS MLX uses Metal and Accelerate and nothing is done.

Environment:
    SECOND_GLANCE_BLAS: ``off`` keeps MLX's own BLAS, whose results do not depend on how a prompt is cut into chunks.
    SECOND_GLANCE_BLAS_THREADS: number of threads; default all cores up to :data:`MAX_THREADS`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

log = logging.getLogger(__name__)

SWITCH_VARIABLE = "SECOND_GLANCE_BLAS"
THREADS_VARIABLE = "SECOND_GLANCE_BLAS_THREADS"
SYSTEM_LIBRARY = "libopenblas.so.0"
BUNDLING_PACKAGE = "cv2"
BUNDLE_PATTERN = "opencv_python*.libs/libopenblas*.so*"
MAX_THREADS = 8


class _BeforeMLX(MetaPathFinder):
    """Finds nothing itself: seeing MLX asked for, it loads the BLAS and steps aside."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "mlx":
            sys.meta_path.remove(self)
            preload()
        return None


def preload_before_mlx() -> None:
    """Arrange that :func:`preload` runs right before the first ``import mlx``, whoever does it; free until then."""
    waiting = any(isinstance(finder, _BeforeMLX) for finder in sys.meta_path)
    if sys.platform == "linux" and "mlx" not in sys.modules and not waiting:
        sys.meta_path.insert(0, _BeforeMLX())


def preload() -> str:
    """Load an OpenBLAS with global symbols and return which, or ``""`` where MLX keeps its own."""
    if os.environ.get(SWITCH_VARIABLE, "").lower() == "off":
        log.info("BLAS: MLX's own (%s=off)", SWITCH_VARIABLE)
        return ""
    # OpenBLAS reads its thread count while it is being loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(thread_count()))
    for name in _candidates():
        try:
            ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
        log.info("BLAS: OpenBLAS from %s, %s threads", name, os.environ["OPENBLAS_NUM_THREADS"])
        return name
    log.info("BLAS: MLX's own (no OpenBLAS found)")
    return ""


def thread_count() -> int:
    """Return the number of BLAS threads: the environment's, else the cores this process may use, at most 8."""
    asked = os.environ.get(THREADS_VARIABLE, "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    return min(len(os.sched_getaffinity(0)), MAX_THREADS) if sys.platform == "linux" else 1


def in_wheels() -> list[Path]:
    """Return the OpenBLAS libraries that come inside the wheel of another dependency."""
    spec = importlib.util.find_spec(BUNDLING_PACKAGE)
    if spec is None or spec.origin is None:
        return []
    return sorted(Path(spec.origin).parent.parent.glob(BUNDLE_PATTERN))


def _candidates() -> Iterator[str]:
    yield SYSTEM_LIBRARY
    yield from map(str, in_wheels())
