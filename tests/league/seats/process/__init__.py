"""Tests of league.seats.process."""
