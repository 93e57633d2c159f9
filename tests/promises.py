"""The promises that the league keeps on Linux alone; docs/explanation/isolation.md lists them."""

import pytest

from league.platform import WEAKER


def on_linux(promise: str) -> pytest.MarkDecorator:
    """Skip a test of a promise where the league does not make it."""
    return pytest.mark.skipif(bool(WEAKER), reason=f"only on Linux: {promise}")
