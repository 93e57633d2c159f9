"""Matches that must go as they always went."""
