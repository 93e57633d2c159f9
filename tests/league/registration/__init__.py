"""Tests of league.registration."""
