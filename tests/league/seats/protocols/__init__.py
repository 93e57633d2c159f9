"""Tests of league.seats.protocols."""
