"""Tests of reading PGN."""
