"""Tests of the values of a hosted league."""
