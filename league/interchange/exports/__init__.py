"""Matches in the formats of others, a module each; `catalogue` finds them."""
