"""The tables of a hosted league, and their queries."""
