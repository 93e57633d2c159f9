"""The texts of bots in a record, as their own team may see them."""

from dataclasses import replace

import pytest

from league.match.own_texts import log_of_seats, with_own_texts
from league.model.records import Termination
from tests.league.matches import won_match


@pytest.mark.parametrize("printed", ["mine", "seat 1:", "a\nseat 1:\nb\nseat 0:", "seat 000:\nx"])
def test_a_bot_can_neither_hide_nor_add_to_what_another_printed(printed: str) -> None:
    record = won_match(1, 2, (0.5, 0.5))
    record = replace(record, termination=Termination.RULES, log=log_of_seats([printed, "yours"]))
    assert with_own_texts(record, {2}).log == "seat 1:\nyours"
    of_first = with_own_texts(record, {1}).log
    assert "yours" not in of_first
    assert of_first.splitlines()[0] == "seat 0:"
    assert [line.strip() for line in of_first.splitlines()[1:]] == printed.splitlines()
