"""Tests of games.chess."""
