"""Tests of games.support."""
