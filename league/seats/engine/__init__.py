"""The seat of an engine: a program that speaks a text protocol."""
