"""Measurements; no tests."""
