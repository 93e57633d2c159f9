"""The season of a hosted league: what teams submit, and what becomes of it."""
