"""Options as people write them."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.support.errors import OptionError
from games.support.options import join_options, option, options_of, parse_options, split_options


@dataclass
class Owner:
    """Something with options of every kind."""

    plain: str = "no option"
    depth: int | None = option(None, help="plies", low=1)
    share: float = option(0.5, help="a share", low=0, high=1)
    loud: bool = option(False, help="whether")
    order: str = option("given", help="how", choices=("given", "game"))


def parse(**given_options: object) -> dict[str, object]:
    return parse_options(options_of(Owner), given_options, "owner")


def test_only_declared_fields_are_options() -> None:
    assert [each.name for each in options_of(Owner)] == ["depth", "share", "loud", "order"]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("depth", "6", 6),
        ("depth", "none", None),
        ("share", "0.25", 0.25),
        ("loud", "yes", True),
        ("loud", "Off", False),
        ("order", "game", "game"),
    ],
)
def test_texts_become_values(name: str, text: str, value: object) -> None:
    assert parse(**{name: text}) == {name: value}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("depth", "0", "a whole number from 1"),
        ("depth", "deep", "a whole number from 1"),
        ("share", "2", "a number from 0 to 1"),
        ("share", "nan", "a number from 0 to 1"),
        ("loud", "perhaps", "yes or no"),
        ("order", "best", "one of given, game"),
        ("plain", "x", "unknown option 'plain' of owner"),
    ],
)
def test_what_does_not_fit_is_said(name: str, text: str, expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        parse(**{name: text})


@pytest.mark.parametrize("value", [2.5, True, "2.5", [2]])
def test_a_whole_number_is_not_rounded_or_guessed(value: object) -> None:
    with pytest.raises(OptionError, match="expected a whole number from 1"):
        parse(depth=value)


names = st.text("abcdefgh_", min_size=1, max_size=5)


@given(st.dictionaries(names, st.text("abc123. ", max_size=5).map(str.strip)))
def test_lists_of_options_round_trip(values: dict[str, str]) -> None:
    assert split_options(join_options(values, ","), ",") == values


def test_what_the_package_hands_on() -> None:
    assert set(games.__all__) == {
        "CHANCE",
        "NULL",
        "Evaluation",
        "Game",
        "GameError",
        "HiddenState",
        "InputError",
        "Move",
        "MoveError",
        "Option",
        "OptionError",
        "PositionError",
        "State",
        "TogetherState",
        "UnknownNameError",
        "View",
        "option",
    }
    assert all(hasattr(games, name) for name in games.__all__)
