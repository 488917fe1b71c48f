"""The one thread that owns MLX, as Qt sees it."""
