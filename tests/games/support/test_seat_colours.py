"""The colours that seats wear."""

import re
from importlib.resources import files

import pytest

from games.support.seat_colours import SEAT_COLOURS, colours_of
from games.support.specs import GAMES


def test_a_seat_named_after_a_colour_wears_it() -> None:
    assert colours_of(("White", "Black")) == ("white", "black")
    assert colours_of(("X", "O")) == ("blue", "orange")
    assert colours_of(("Blue", "guest")) == ("blue", "orange")


@pytest.mark.parametrize("name", GAMES.names())
def test_each_seat_of_a_game_has_a_colour_of_its_own(name: str) -> None:
    game = GAMES.find(name)
    assert len(game.seat_colours) == game.seats
    assert set(game.seat_colours) <= set(SEAT_COLOURS)
    assert len(set(game.seat_colours)) == game.seats


def test_the_style_sheet_knows_all_colours() -> None:
    style = (files("league.render") / "static" / "style.css").read_text()
    assert set(re.findall(r"\.wears-(\w+)", style)) == set(SEAT_COLOURS)
