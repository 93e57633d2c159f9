"""Compact encoding of match records for the database and for messages from workers."""
