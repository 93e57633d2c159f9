"""Tests of the statistics beside the standings."""
