"""The `league` command: parse, call one service, print."""
