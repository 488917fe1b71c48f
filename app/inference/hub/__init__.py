"""Fetching models from a Hugging Face hub: only files that cannot run code, resumable, checked. No Qt, no MLX."""
