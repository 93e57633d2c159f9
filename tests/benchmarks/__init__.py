"""Tests of the benchmarks: what they compare has to do the same work."""
