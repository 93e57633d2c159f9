"""JSON Schemas of the documents that commands print with `--json` and the API hands out."""
