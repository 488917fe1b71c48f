"""Second Glance: chat with images on your own computer, and see what was reused."""

from app import blas

__version__ = "0.1.0"

# Every module of the package is imported after this one, so MLX cannot be imported earlier by any of them.
blas.preload_before_mlx()
