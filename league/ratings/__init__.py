"""Pure arithmetic on counts and arrays: ratings and their errors."""
