"""Play one match: seats, clocks, legality, outcome. Independent of the database."""
