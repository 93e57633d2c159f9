"""The commands of a hosted league."""
