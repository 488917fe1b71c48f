"""Benchmarks that report ratios measured in one run."""
