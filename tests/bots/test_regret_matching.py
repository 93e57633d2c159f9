"""Regret matching: what it learns from the rounds of a match, and where it leads."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.regret_matching import RegretMatching
from bots.support.bot import Clock
from bots.support.matrix_game import matrix_of
from games.rps import RpsState
from games.support.errors import GameError
from games.support.game import Game, State
from games.support.specs import find_game
from games.support.view import Events, TogetherState
from tests.examples import examples
from tests.strategies import playable

PAYOFFS = (((3, 1), (0, 2), (1, 0)), ((2, 5), (4, 0), (0, 0)))
"""By the first seat's move, then the second's."""

Rounds = tuple[tuple[int, int], ...]


class TableState(TogetherState):
    """The rounds so far; the utilities are weighted sums of what they pay."""

    __slots__ = ("game", "rounds")
    game: "Table"
    choosers = (0, 1)

    def __init__(self, game: "Table", rounds: Rounds = ()) -> None:
        self.game, self.rounds, self.sealed = game, rounds, ()

    def choices(self, seat: int) -> tuple[int, ...]:
        """List the rows or the columns."""
        return tuple(range(len(PAYOFFS) if seat == 0 else len(PAYOFFS[0])))

    def together(self, moves: tuple[int, ...]) -> "TableState":
        """Play a round."""
        return TableState(self.game, (*self.rounds, (moves[0], moves[1])))

    def outcome(self) -> tuple[float, ...] | None:
        """Return 10 for each seat, and what it got in all rounds."""
        if len(self.rounds) < self.game.length:
            return None
        paid = [PAYOFFS[row][column] for row, column in self.rounds]
        weights = [self.game.growth**at for at in range(len(paid))]
        pairs = list(zip(weights, paid, strict=True))
        return tuple(10.0 + sum(weight * each[seat] for weight, each in pairs) for seat in (0, 1))

    def events(self, seat: int | None) -> Events:
        """Tell each round, or that there was one."""
        is_open = self.game.is_open
        return tuple(f"{row} {column}" if is_open else "round" for row, column in self.rounds)

    def key(self) -> tuple[object, ...]:
        """Return all."""
        return self.rounds, self.sealed

    def render(self) -> str:
        """Write the rounds."""
        return str(self.rounds)


@dataclass(frozen=True)
class Table(Game):
    """A repeated matrix game, unless payoffs grow or nobody sees them."""

    name = "table"
    title = "Table"
    has_secrets = True
    utility_bounds = (0.0, 1000.0)
    length: int = 4
    growth: int = 1
    is_open: bool = True

    def initial(self) -> TableState:
        """Return the position before the first round."""
        return TableState(self)


def match(game: Game, bots: tuple[RegretMatching | random.Random, ...]) -> State:
    """Play a match; a source of randomness stands for a seat that plays rock in half the rounds."""
    state = game.initial()
    while state.outcome() is None:
        bot = bots[state.to_move]
        if isinstance(bot, random.Random):
            state = state.play(bot.choices((0, 1, 2), (2, 1, 1))[0])
        else:
            state = state.play(bot.choose(state.view(state.to_move), Clock()))
    return state


def ready(game: Game, seat: int, seed: int) -> RegretMatching:
    """Return a bot that is ready for a match."""
    bot = RegretMatching()
    bot.new_match(game, seat, seed)
    return bot


def test_which_games_it_plays() -> None:
    played = [spec for spec in playable() if not RegretMatching.refusal(find_game(spec))]
    assert "rps" in played
    assert not {"goofspiel", "kuhn", "phantom_tictactoe", "connectfour"} & set(played)
    assert RegretMatching.refusal(find_game("goofspiel")) == (
        "regret_matching plays repeated matrix games, and Goofspiel does not repeat the payoffs of "
        "one round"
    )


def test_the_payoffs_of_a_round_are_found() -> None:
    for length in (1, 4):
        payoffs = matrix_of(Table(length=length)).payoffs
        assert payoffs == {
            (row, column): (PAYOFFS[row][column][0] - 3, PAYOFFS[row][column][1] - 1)
            for row in range(2)
            for column in range(3)
        }
    assert matrix_of(Table(length=1, is_open=False)).payoffs


def test_other_games_have_no_payoffs_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    for other in (Table(growth=2), Table(is_open=False)):
        with pytest.raises(GameError, match="Table does not repeat the payoffs of one round"):
            matrix_of(other)
    monkeypatch.setattr("bots.support.matrix_game.ROUNDS_MAX", 20)
    with pytest.raises(GameError, match="Table has too many moves and rounds"):
        matrix_of(Table(length=5))
    with pytest.raises(GameError, match="Table does not repeat"):
        matrix_of(Table(length=21))


def test_it_plays_games_of_openspiel() -> None:
    pytest.importorskip("pyspiel")
    assert RegretMatching.refusal(find_game("openspiel:matrix_pd")) == ""
    assert RegretMatching.refusal(find_game("openspiel:blotto")) == ""
    assert "Oshi Zumo does not repeat" in RegretMatching.refusal(find_game("openspiel:oshi_zumo"))


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), max_size=8), st.integers(0, 1))
@examples(100, quick=20)
def test_a_share_is_the_regret_of_a_move(rounds: list[tuple[int, int]], seat: int) -> None:
    game = Table(length=9)
    state = TableState(game, tuple(rounds))
    moves = state.choices(seat)
    regrets = []
    for move in moves:
        others = [(move, column) if seat == 0 else (row, move) for row, column in rounds]
        gains = [PAYOFFS[row][column][seat] for row, column in others]
        regrets.append(max(0, sum(gains) - sum(PAYOFFS[row][col][seat] for row, col in rounds)))
    total = sum(regrets)
    expected = [each / total if total else 1 / len(moves) for each in regrets]
    # It learns all rounds at once, or one after the other, after another match in another seat.
    assert ready(game, seat, 1).policy(state.view(seat)) == pytest.approx(expected)
    bot = ready(game, 1 - seat, 1)
    for count in (len(rounds), *range(len(rounds) + 1)):
        policy = bot.policy(TableState(game, tuple(rounds[:count])).view(seat))
    assert policy == pytest.approx(expected)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_it_exploits_a_biased_player(seat: int, seed: int) -> None:
    game = find_game("rps?rounds=200")
    bots = (ready(game, seat, seed), random.Random(seed + 100))
    outcome = match(game, bots if seat == 0 else bots[::-1]).outcome()
    assert outcome is not None
    # Paper wins a quarter of a round on average.
    assert outcome[seat] > 20


@pytest.mark.parametrize("seed", range(2))
def test_against_itself_it_plays_an_equilibrium_on_average(seed: int) -> None:
    game = find_game("rps?rounds=400")
    end = match(game, (ready(game, 0, 2 * seed), ready(game, 1, 2 * seed + 1)))
    assert isinstance(end, RpsState)
    for seat in (0, 1):
        counts = Counter(each[seat] for each in end.rounds)
        assert all(0.25 < counts[move] / 400 < 0.42 for move in (0, 1, 2))


def test_the_seed_decides_its_moves() -> None:
    game = find_game("rps?rounds=30")
    ends = [match(game, (ready(game, 0, 3), ready(game, 1, seed))) for seed in (4, 4, 5)]
    assert ends[0] == ends[1]
    assert ends[0] != ends[2]
    bot = ready(game, 0, 3)
    bot.choose(game.initial().view(0), Clock())
    assert bot.report is not None
    assert bot.report.text == "rock 33%, paper 33%, scissors 33%"
