"""Tests of the commands of a hosted league."""
