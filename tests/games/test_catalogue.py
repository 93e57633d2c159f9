"""The folder as its own catalogue."""

import pytest

from games import catalogue
from games.errors import UnknownNameError


def test_names_are_those_of_the_modules_that_hand_out_a_game() -> None:
    assert list(catalogue.names()) == sorted(catalogue.names())
    assert {"connectfour", "tictactoe"} <= set(catalogue.names())
    for name in catalogue.names():
        assert catalogue.find(name).name == name


def test_defaults_leave_no_trace_in_the_spec() -> None:
    game = catalogue.find("connectfour?rows=6&columns=8")
    assert game.spec == "connectfour?columns=8"
    assert game == catalogue.find("connectfour?columns=8")
    assert game != catalogue.find("connectfour")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tictacto", r"unknown game 'tictacto' \(did you mean 'tictactoe'\?\)"),
        ("zzz", r"unknown game 'zzz' \(known: .*connectfour.*\)"),
        ("", r"unknown game '' \(known: "),
        ("games.connectfour", r"unknown game 'games.connectfour'"),
        ("errors", r"unknown game 'errors'"),
    ],
)
def test_an_unknown_game_is_named(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message) as caught:
        catalogue.find(name)
    assert caught.value.name == name
