"""Drawn openings: the same for a seed, distinct up to symmetry, decided by nobody."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.support.game import Game, State
from games.support.moves import replay
from games.support.specs import find_game
from league.match.openings import (
    PROOF_NODES,
    DrawnOpenings,
    Opening,
    is_open,
    is_proved_won,
    openings_of,
    repeated,
)
from league.model.records import Limits, TournamentConfig
from tests.strategies import playable

CONFIG = TournamentConfig(
    game="tictactoe", entrants=(1, 2), rounds=5, seed=7, opening_plies=1, limits=Limits()
)


def ends_of(game: Game, openings: list[Opening]) -> list[State]:
    """Return the positions that openings lead to."""
    return [replay(game.initial(), opening.moves) for opening in openings]


@pytest.mark.parametrize("spec", playable())
@given(st.integers(0, 2**40), st.integers(0, 5), st.integers(1, 8), st.data())
@settings(max_examples=4)
def test_openings_are_seeded_distinct_and_undecided(
    spec: str, seed: int, plies: int, count: int, data: st.DataObject
) -> None:
    game = find_game(spec)
    drawn = DrawnOpenings(game, plies, seed)
    distinct = drawn.distinct(count)
    openings = [drawn[number] for number in range(count)]
    other = DrawnOpenings(game, plies, seed)
    for number in data.draw(st.permutations(range(count))):
        assert other[number] == openings[number] == openings[number % distinct]
    if not all(map(is_open, ends_of(game, openings))):
        # There is none: the first position is decided, and so is what follows it.
        assert not is_open(game.initial())
        assert set(openings) == {Opening(game.spec)}
    seen: set[object] = set()
    for end in ends_of(game, openings[:distinct]):
        assert end.key() not in seen
        seen |= {end.key(), *(key for key, _ in end.symmetries())}
    assert all(len(opening.moves) <= plies for opening in openings)
    assert {opening.game for opening in openings} == {game.spec}


@pytest.mark.parametrize(
    ("spec", "plies", "count"),
    [
        # A corner, an edge, the centre; then five answers to each of the first two and two to it.
        ("tictactoe", 0, 1),
        ("tictactoe", 1, 3),
        ("tictactoe", 2, 12),
        # Of 49, all but the one in the middle alone have a mirror image.
        ("connectfour", 2, 25),
    ],
)
def test_all_that_there_are_come_before_one_repeats(spec: str, plies: int, count: int) -> None:
    drawn = DrawnOpenings(find_game(spec), plies, seed=3)
    assert drawn.distinct(1000) == count
    assert [drawn[number + count] for number in range(count)] == [
        drawn[number] for number in range(count)
    ]


@pytest.mark.parametrize(
    ("plies", "rounds", "text"),
    [
        (1, 3, ""),
        (1, 4, "4 rounds need 4 openings, tictactoe gave 3: they repeat"),
        (0, 4, ""),
    ],
)
def test_that_openings_repeat_is_said(plies: int, rounds: int, text: str) -> None:
    config = replace(CONFIG, rounds=rounds, opening_plies=plies)
    assert repeated(config, openings_of(config, "")) == text


def test_what_a_short_search_proves_won_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("connectfour")
    # The first seat makes three in a row with both ends free.
    won = replay(game.initial(), (3, 3, 4, 6))
    assert is_open(won)
    assert is_proved_won(won, PROOF_NODES)
    assert not is_proved_won(won, 5)
    drawn = DrawnOpenings(game, 4, 7)
    ends = ends_of(game, [drawn[number] for number in range(60)])
    assert not any(is_proved_won(end, PROOF_NODES) for end in ends)
    monkeypatch.setattr("league.match.openings.drawn.is_proved_won", lambda state, nodes: False)
    others = DrawnOpenings(game, 4, 7)
    ends = ends_of(game, [others[number] for number in range(60)])
    assert any(is_proved_won(end, PROOF_NODES) for end in ends)


def test_a_game_that_is_won_from_the_start_keeps_its_opening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("league.match.openings.drawn.PROOF_NODES", 10_000)
    game = find_game("mnk?columns=4&rows=4&connect=3")
    assert is_proved_won(game.initial(), 10_000)
    now = DrawnOpenings(game, 0, 3)
    assert (now[0], now.distinct(50)) == (Opening(game.spec), 1)


def test_luck_and_many_sides_prove_nothing() -> None:
    for spec in ("pacman?layout=small", "mnk"):
        assert not is_proved_won(find_game(spec).initial(), PROOF_NODES)
