"""Plain values: records, limits, time controls, errors and number formats."""
