"""Tests of the inference core, on the bundled demo model."""
