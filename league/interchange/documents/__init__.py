"""The documents that commands print with `--json` and the API hands out, each defined once."""
