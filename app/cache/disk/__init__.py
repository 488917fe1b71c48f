"""The disk tier in parts: entry files, token keys, the folder, the index and the writer thread.

:mod:`app.cache.ssd` puts them together; nothing here evaluates an MLX array on the writer's thread.
"""
