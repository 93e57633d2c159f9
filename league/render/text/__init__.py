"""Answers of the league as text and as tables, for terminals, scripts and notebooks."""
