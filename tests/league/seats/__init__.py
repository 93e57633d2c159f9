"""Tests of the seats."""
