"""The pages of a hosted league."""
