"""Tests of the pages of a hosted league."""
