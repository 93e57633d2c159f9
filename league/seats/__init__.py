"""Filling a seat: a bot in its own child process."""
