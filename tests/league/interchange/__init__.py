"""Tests of league.interchange."""
