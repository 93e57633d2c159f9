"""Tests of the hosted league."""
