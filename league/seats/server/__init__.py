"""Bots that are web servers: the connection, and what is said over it."""
