"""Tournament formats: pure functions, entrants in, encounters out, one module a format."""
