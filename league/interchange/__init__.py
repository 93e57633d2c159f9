"""Exports, imports, JSON documents with their schemas, reports and crosstables."""
