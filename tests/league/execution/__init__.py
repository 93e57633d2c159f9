"""Tests of league.execution."""
