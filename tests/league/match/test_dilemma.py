"""Matches of the iterated prisoner's dilemma through the referee, and their published points."""

import json
from collections.abc import Sequence

from games.support.game import State
from games.support.moves import WireMove
from games.support.specs import find_game
from games.support.view import View
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, Termination
from league.seats.seat import MoveBudget, SeatAnswer
from tests.league.seats.firstmove import FirstMove
from tests.oracles import oracle_lines


def defects(name: str, own: str, other: str) -> bool:
    """Whether a strategy defects after what it and the other have played, one letter a turn."""
    rules = {
        "Alternator": own.endswith("C"),
        "Cooperator": False,
        "Defector": True,
        "Grudger": "D" in other,
        "SuspiciousTitForTat": not other or other.endswith("D"),
        "TitFor2Tats": other.endswith("DD"),
        "TitForTat": other.endswith("D"),
        "WinStayLoseShift": own[-1:] != other[-1:],
    }
    return rules[name]


class Strategy(FirstMove):
    """Plays a strategy by its view."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Cooperate or defect."""
        assert isinstance(state, View)
        assert state.seat is not None
        own, other = ("".join(turn[2 * seat] for turn in state.events) for seat in (0, 1))
        if state.seat:
            own, other = other, own
        move = int(defects(self.name, own, other))
        return SeatAnswer(move, wall_ns=1_000_000, cpu_ns=None, over_ns=0)


def test_eight_strategies_get_the_published_points() -> None:
    facts = json.loads("".join(oracle_lines("iterated_dilemma.json")))
    assert len(facts["totals"]) == 36
    for pair, points in facts["totals"].items():
        setup = MatchSetup(
            game=find_game(f"dilemma?turns={facts['turns']}"),
            versions=(1, 2),
            opening=(),
            limits=Limits(move_s=1),
            seed=1,
        )
        record = play_match(setup, [Strategy(name) for name in pair.split(" v ")])
        assert record.termination is Termination.RULES
        assert record.utilities == tuple(points), pair
