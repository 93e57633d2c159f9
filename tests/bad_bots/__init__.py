"""Bots that fail in every way they can, each a file as a user would hand it in."""
