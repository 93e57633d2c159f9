"""Searches that record their nodes, cuts and windows."""
