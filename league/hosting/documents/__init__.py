"""The documents of a hosted league."""
