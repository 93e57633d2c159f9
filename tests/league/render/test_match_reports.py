"""What `league repro` says about the second answer."""

import pytest

from league.analysis.repro import Repro
from league.model.records import Termination
from league.render.text.match_reports import repro_blocks

REASON = "The bot's moves depend on the time, or on random numbers that ignore the seed."


@pytest.mark.parametrize(
    ("answered", "stored", "last"),
    [
        ("4", "4", "mine plays the same move"),
        ("4", "3", REASON),
        ("", "3", "mine fails this time"),
        ("", "", "mine fails the same way"),
        ("4", "", "mine plays a move this time"),
    ],
)
def test_two_moves_that_differ_have_a_reason(answered: str, stored: str, last: str) -> None:
    assert repro_blocks(_repro(answered, stored))[-1] == last


def _repro(answered: str, stored: str) -> Repro:
    return Repro(
        bot="mine",
        seat=0,
        ply=1,
        board="",
        answered=answered,
        stored=stored,
        fault=None if answered else Termination.CRASH,
        stored_fault=None if stored else Termination.CRASH,
        detail="",
        wall_ns=0,
        report=None,
        log="",
    )
