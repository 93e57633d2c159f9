"""Pages: what a browser shows, drawn from templates, and what they share."""
