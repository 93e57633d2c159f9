"""Tests of league.tournament."""
