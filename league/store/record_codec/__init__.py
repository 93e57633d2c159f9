"""Match records as few bytes: what the database keeps, and what workers send."""
