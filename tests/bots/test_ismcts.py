"""Information set Monte Carlo tree search: it sees no more than its seat, and plays well."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.ismcts import EXPLORATION, OBSERVERS, InformationSetTree, Ismcts
from bots.mcts.compiled import Plan
from bots.mcts.playouts import Rollout
from bots.support.bot import Clock
from bots.support.extensive_form import GameTree
from bots.support.specs import make_bot
from games.support.errors import GameError
from games.support.game import NULL, Game, State
from games.support.moves import draw_move
from games.support.specs import find_game
from games.support.view import Events, TogetherState, View
from tests.bots.test_every_bot import playable_by
from tests.examples import examples
from tests.games.test_views import SECRET
from tests.strategies import OWN_GAMES, open_positions

PLAYED = playable_by("ismcts")
UNIFORM_GAIN = 11 / 24
"""The exploitability of random play in Kuhn poker."""

observers = pytest.mark.parametrize("observers", OBSERVERS)


def grown(view: State, simulations: int, observers: str, seed: int = 0) -> InformationSetTree:
    """Return the tree of a search with random playouts."""
    assert isinstance(view, View)
    tree = InformationSetTree(
        view,
        observers=observers,
        plan=Plan(simulations, EXPLORATION, Rollout(), 100_000),
        evaluation=NULL,
        source=random.Random(seed),
        clock=Clock(),
    )
    tree.grow()
    return tree


def won_against_random(spec: str, matches: int, clock: Clock, observers: str) -> float:
    """Return the mean utility against random play, in both seats equally often."""
    total = 0.0
    for seed in range(matches):
        seat, source = seed % 2, random.Random(seed)
        bot = make_bot("ismcts", {"observers": observers})
        state = find_game(spec).initial()
        bot.new_match(state.game, seat, seed)
        while (outcome := state.outcome()) is None:
            is_asked = state.to_move == seat
            move = bot.choose(state.view(seat), clock) if is_asked else draw_move(state, source)
            state = state.play(move)
        total += outcome[seat]
    return total / matches


def test_which_games_it_plays() -> None:
    assert {"goofspiel", "kuhn", "phantom_tictactoe", "rps"} <= set(PLAYED) <= set(SECRET)
    assert Ismcts.refusal(find_game("connectfour")) == (
        "ismcts guesses what a seat does not see, and Connect Four shows everything"
    )
    auction = next(name for name in OWN_GAMES if "auction" in name)
    assert Ismcts.refusal(find_game(auction)) == (
        "ismcts guesses whole positions, and Auction can't draw a position that agrees with a view"
    )


@pytest.mark.parametrize("spec", PLAYED)
@given(st.data(), st.sampled_from(OBSERVERS))
@examples(40, quick=4)
def test_it_never_looks_at_the_truth(spec: str, data: st.DataObject, observers: str) -> None:
    state = data.draw(open_positions(spec))
    view = state.view(state.to_move)
    assert isinstance(view, View)
    other = view.sample(random.Random(data.draw(st.integers(0, 99))))
    trees = [grown(each.view(state.to_move), 20, observers) for each in (state, other)]
    assert trees[0].sets == trees[1].sets
    assert trees[0].sets[trees[0].root]
    moves = [
        Ismcts(observers=observers).choose(each.view(state.to_move), Clock(nodes=20))
        for each in (state, other)
    ]
    assert moves[0] == moves[1]


def test_an_information_set_is_what_its_mover_has_seen() -> None:
    view = find_game("kuhn").position("J K").view(0)
    bets = ("First: pass", "Second: bet")
    assert set(grown(view, 500, "multiple").sets) == {
        (0, ("you have J",)),
        (0, ("you have J", *bets)),
        *((1, (f"you have {card}", f"First: {bet}")) for card in "QK" for bet in ("pass", "bet")),
    }
    assert set(grown(view, 500, "single").sets) == {
        (0, ("you have J",)),
        (0, ("you have J", *bets)),
        (1, ("you have J", "First: pass")),
        (1, ("you have J", "First: bet")),
    }


def test_moves_that_look_alike_are_one_choice_of_a_single_observer() -> None:
    view = find_game("phantom_tictactoe").position("b2 a1").view(0)
    own, other = (0, ("b2",)), (1, ("b2", "a3"))
    many = grown(view, 600, "multiple").sets
    assert set(many[own]) == {0, 1, 2, 3, 5, 6, 7, 8}
    one = grown(view, 600, "single").sets
    # The other seat finds a free square, or a taken one and tries again.
    again, free = one[other][other], one[other][0, ("b2", "a3")]
    assert len(one[other]) == 2
    # It does not try both of the taken squares twice.
    assert again.available < free.available
    assert all(each.visits <= each.available for each in (again, free))


def test_a_sealed_choice_is_not_seen() -> None:
    start = find_game("goofspiel?cards=3").initial().play(2)
    for seat in (0, 1):
        trees = {each: grown(start.view(seat), 200, each) for each in OBSERVERS}
        events = ("prize 2",)
        assert set(trees["multiple"].sets[1 - seat, events]) == {1, 2, 3}
        assert len(trees["single"].sets[1 - seat, events]) == 1


@observers
def test_a_node_limit_is_one_of_simulations(observers: str) -> None:
    view = find_game("goofspiel").position("3").view(1)
    for count in (1, 2, 57):
        bot = Ismcts(observers=observers)
        moves = []
        for _ in range(2):
            bot.new_match(view.game, 1, 4)
            moves.append(bot.choose(view, Clock(nodes=count)))
            assert bot.report is not None
            assert bot.report.nodes == count
            assert bot.report.text == f"{count} simulations"
        assert moves[0] == moves[1]
        tree = grown(view, count, observers)
        assert sum(each.visits for each in tree.sets[tree.root].values()) == count
    bot = Ismcts(simulations=30)
    bot.choose(view, Clock(nodes=50))
    assert bot.report is not None
    assert bot.report.nodes == 30


def test_a_full_tree_is_still_searched() -> None:
    view = find_game("goofspiel").position("3").view(0)
    assert isinstance(view, View)
    tree = InformationSetTree(
        view,
        observers="multiple",
        plan=Plan(300, EXPLORATION, Rollout(), 10),
        evaluation=NULL,
        source=random.Random(0),
        clock=Clock(),
    )
    assert tree.grow().simulations == 300
    assert len(tree.sets) == 10


def test_a_view_that_no_position_agrees_with_gets_a_legal_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = find_game("kuhn").position("J K").view(0)

    def fail(game: Game, view: View, random: random.Random) -> State:
        raise GameError("none is found", game.spec)

    monkeypatch.setattr("games.kuhn.Kuhn.sample", fail)
    assert Ismcts.refusal(view.game) == "ismcts guesses whole positions, and none is found"
    assert Ismcts().choose(view, Clock()) in view.legal_moves()


def test_without_time_it_answers_a_legal_move() -> None:
    bot = Ismcts()
    view = find_game("goofspiel").position("3").view(0)
    assert bot.choose(view, Clock(deadline_ns=0)) in view.legal_moves()
    assert bot.report is not None
    assert (bot.report.nodes, bot.report.score) == (0, None)


@observers
@pytest.mark.parametrize(
    ("spec", "matches", "won"),
    [("phantom_tictactoe", 24, 0.3), ("goofspiel", 30, 0.4), ("openspiel:leduc_poker", 24, 1)],
)
def test_it_beats_random_play(spec: str, matches: int, won: float, observers: str) -> None:
    if spec.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    assert won_against_random(spec, matches, Clock(nodes=20), observers) > won


@observers
def test_in_kuhn_it_makes_no_blunder_but_never_bluffs(observers: str) -> None:
    tree = GameTree(find_game("kuhn"), 100)
    policy = []
    for each in tree.sets:
        counts: Counter[object] = Counter()
        for seed in range(20):
            bot = Ismcts(observers=observers)
            bot.new_match(tree.game, each.seat, seed)
            counts[bot.choose(each.view, Clock(nodes=200))] += 1
        policy.append([counts[move] / 20 for move in each.moves])
    shares = {each.view.key(): bets for each, (_, bets) in zip(tree.sets, policy, strict=True)}
    assert shares[1, 1, ("you have K", "First: bet")] == 1
    assert shares[1, 1, ("you have J", "First: bet")] == 0
    # In an equilibrium the second seat bluffs with a jack in a third of the deals.
    assert shares[0, 0, ("you have J",)] == 0
    assert 0.1 < tree.nash_conv(policy) / 2 < UNIFORM_GAIN / 2


class GreedyState(TogetherState):
    """Three seats choose at the same time, once."""

    __slots__ = ("chosen", "game")
    game: "Greedy"
    choosers = (0, 1, 2)

    def __init__(self, game: "Greedy", chosen: tuple[int, ...] = ()) -> None:
        self.game, self.chosen, self.sealed = game, chosen, ()

    def choices(self, seat: int) -> tuple[int, ...]:
        """List three numbers."""
        return 0, 1, 2

    def together(self, moves: tuple[int, ...]) -> "GreedyState":
        """End the match."""
        return GreedyState(self.game, moves)

    def outcome(self) -> tuple[float, ...] | None:
        """Pay a thousand times its number to each seat, less 500 for each 1 of another one."""
        if not self.chosen:
            return None
        ones = self.chosen.count(1)
        return tuple(1000.0 * each - 500 * (ones - (each == 1)) for each in self.chosen)

    def events(self, seat: int | None) -> Events:
        """Tell all that was chosen."""
        return tuple(map(str, self.chosen))

    def key(self) -> tuple[object, ...]:
        """Return all."""
        return self.chosen, self.sealed

    def render(self) -> str:
        """Write what was chosen."""
        return str(self.chosen)


@dataclass(frozen=True)
class Greedy(Game):
    """Numbers that pay."""

    name = "greedy_numbers"
    title = "Greedy numbers"
    has_secrets = True
    sides = (0, 1, 2)
    utility_bounds = (-1000.0, 2000.0)

    def initial(self) -> GreedyState:
        """Return the only position."""
        return GreedyState(self)

    def sample(self, view: View, random: random.Random) -> GreedyState:
        """Return it, too."""
        return GreedyState(self)


@observers
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_three_seats_and_wide_payoffs(seat: int, observers: str) -> None:
    view = Greedy().initial().view(seat)
    bot = Ismcts(observers=observers)
    bot.new_match(view.game, seat, 1)
    assert bot.choose(view, Clock(nodes=300)) == 2
    assert bot.report is not None
    assert bot.report.score is not None
    assert 1000 <= bot.report.score <= 2000
    tree = grown(view, 300, observers)
    assert tree.sets[tree.root][2].visits > 200
