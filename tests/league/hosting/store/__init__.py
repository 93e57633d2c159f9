"""Tests of the tables of a hosted league."""
