"""Bots that search for what their seat may not know, and the game whose secret they look for."""
