"""Counts with their nouns."""

import pytest

from games.support.counts import counted


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (0, "match", "0 matches"),
        (1, "match", "1 match"),
        (12, "match", "12 matches"),
        (1200, "disc", "1,200 discs"),
        (3, "crash", "3 crashes"),
        (2, "ply", "2 plies"),
    ],
)
def test_one_match_is_no_plural(count: int, noun: str, text: str) -> None:
    assert counted(count, noun) == text
