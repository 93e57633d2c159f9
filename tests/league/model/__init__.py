"""Tests of league.model."""
