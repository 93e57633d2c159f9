"""Tests of the openings."""
