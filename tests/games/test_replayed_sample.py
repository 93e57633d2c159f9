"""Positions that agree with a view, drawn by the rules alone."""

import random
from collections import defaultdict
from collections.abc import Hashable
from typing import Any

import pytest

from games.kuhn import KuhnState
from games.support.errors import GameError
from games.support.replayed_sample import replayed_sample
from games.support.specs import find_game
from games.support.view import View
from tests.games.test_views import positions
from tests.strategies import OWN_GAMES

AUCTION = next(name for name in OWN_GAMES if "auction" in name)


@pytest.mark.parametrize("spec", ["kuhn", "rps?rounds=2", "goofspiel?cards=2", f"{AUCTION}?most=2"])
def test_each_position_that_agrees_with_a_view_is_drawn(spec: str) -> None:
    agreeing: defaultdict[View, set[Hashable]] = defaultdict(set)
    for state in positions(find_game(spec).initial()):
        # Seats are asked before any choice is sealed.
        if state.outcome() is None and not getattr(state, "sealed", ()):
            for seat in state.movers():
                agreeing[state.view(seat)].add(state.key())
    assert agreeing
    source = random.Random(3)
    for view, keys in agreeing.items():
        assert {replayed_sample(view, source).key() for _ in range(60)} == keys


def test_luck_is_drawn_by_its_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    def mostly_kings(state: KuhnState) -> tuple[tuple[int, float], ...]:
        return ((0, 0.45), (1, 0.05), (2, 0.5))

    monkeypatch.setattr("games.kuhn.KuhnState.chance", mostly_kings)
    view = find_game("kuhn").position("J K").view(0)
    assert isinstance(view, View)
    source = random.Random(1)
    drawn: list[Any] = [replayed_sample(view, source) for _ in range(300)]
    # The luck of this deck may give both seats a jack.
    shares = [sum(state.cards[1] == card for state in drawn) / 300 for card in (0, 1, 2)]
    assert shares == pytest.approx([0.45, 0.05, 0.5], abs=0.1)


def test_a_view_that_nothing_agrees_with_is_refused() -> None:
    kuhn, other = find_game("kuhn"), find_game("phantom_tictactoe")
    view = kuhn.position("J K").view(0)
    assert isinstance(view, View)
    false = View(kuhn, 0, view.sight._replace(events=("you have A",)))
    with pytest.raises(GameError, match="Kuhn poker can't draw a position that agrees"):
        replayed_sample(false, random.Random(0))
    # Nothing shows it for many positions.
    start = other.initial().view(0)
    assert isinstance(start, View)
    lost = View(other, 0, start.sight._replace(events=("a1", "b1", "c1", "a2")))
    with pytest.raises(GameError, match="can't draw a position that agrees"):
        replayed_sample(lost, random.Random(0))
