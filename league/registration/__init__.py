"""Registering bots: source snapshots and the check before a bot is accepted."""
