"""Engines of our own for tests and benchmarks, and how they are built."""
