"""A hosted league for scripts, commands and the web."""
