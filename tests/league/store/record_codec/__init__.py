"""Tests of the stored form of matches."""
