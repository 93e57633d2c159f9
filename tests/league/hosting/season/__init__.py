"""Tests of the season of a hosted league."""
