"""The inference core: load, encode, prefill, decode; no Qt."""
