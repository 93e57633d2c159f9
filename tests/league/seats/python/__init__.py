"""Tests of league.seats.python."""
