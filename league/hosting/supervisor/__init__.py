"""The processes of `league host`: a supervisor, and what it keeps running."""
