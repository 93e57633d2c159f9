"""Tests of what the league takes from the operating system."""
