"""Statistics, ratings over time and checks of a pool of matches."""
