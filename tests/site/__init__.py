"""The site of the documentation: hooks for MkDocs, and the reference made from the source."""
