"""Tests of what explains a search."""
