"""The texts of a hosted league, for terminals."""
