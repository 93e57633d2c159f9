"""One match: seats, clocks, legality, outcome. Knows no database."""
