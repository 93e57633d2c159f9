"""Settings as they are given to commands: `KEY=VALUE`."""

from collections.abc import Sequence

import click


def read_words(given: Sequence[str]) -> dict[str, str]:
    """Return settings by key; fail with a usage error where '=' lacks."""
    found: dict[str, str] = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{each!r}: expected KEY=VALUE, as in move-time=500ms")
        found[key.strip()] = value
    return found
