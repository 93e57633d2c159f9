"""Tournament formats, one module each: pure functions from entrants and results to encounters."""
