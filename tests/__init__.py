"""Tests of the house, and the tiny models that they run on."""
