"""The seat of a Python bot, and the host process that runs it."""
