"""The revision of the schema that this version reads and writes."""

HEAD = "0001"
"""The newest revision in `migrations`; a test compares it with the scripts."""
