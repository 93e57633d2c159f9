"""CFR+, best responses, and the numbers of OpenSpiel."""

import json
import random

import pytest

from bots.cfr import Cfr
from bots.support.bot import Clock
from bots.support.extensive_form import CfrPlus, GameTree
from games.support.errors import GameError
from games.support.specs import find_game
from tests.oracles import oracle_lines

FACTS = "hidden_information.json"

KUHN_VALUE = -1 / 18
"""H. W. Kuhn, A simplified two-person poker, 1950."""


def test_the_tree_of_kuhn() -> None:
    tree = GameTree(find_game("kuhn"), 100)
    assert (tree.size, len(tree.sets)) == (58, 12)
    assert tree.values(tree.uniform()) == pytest.approx((1 / 8, -1 / 8))
    assert tree.nash_conv(tree.uniform()) == pytest.approx(11 / 12)


def test_cfr_finds_the_value_of_kuhn() -> None:
    tree = GameTree(find_game("kuhn"), 100)
    found = CfrPlus(tree)
    found.improve(2000)
    policy = found.policy()
    assert tree.nash_conv(policy) < 2e-4
    assert tree.values(policy) == pytest.approx((KUHN_VALUE, -KUHN_VALUE), abs=1e-4)
    # With a queen the first seat passes, and the second one never calls with a jack.
    bets = {each.view.key(): shares[1] for each, shares in zip(tree.sets, policy, strict=True)}
    assert bets[0, 0, ("you have Q",)] < 0.01
    assert bets[1, 1, ("you have J", "First: bet")] < 0.01
    assert bets[1, 1, ("you have K", "First: bet")] > 0.99


def test_rock_paper_scissors_is_played_evenly() -> None:
    tree = GameTree(find_game("rps?rounds=1"), 100)
    biased = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]
    assert tree.best_response(biased, 1) == pytest.approx(0.25)
    assert tree.nash_conv(biased) == pytest.approx(0.5)
    found = CfrPlus(tree)
    found.improve(50)
    for shares in found.policy():
        assert shares == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("spec", ["goofspiel?cards=3", "dilemma?turns=2", "rps?rounds=2"])
def test_the_average_is_right_where_the_other_seat_does_not_go(spec: str) -> None:
    tree = GameTree(find_game(spec), 10_000)
    found = CfrPlus(tree)
    found.improve(200)
    assert tree.nash_conv(found.policy()) < 1e-3


def test_openspiel_gives_the_same_numbers() -> None:
    pytest.importorskip("pyspiel")
    facts = json.loads("".join(oracle_lines(FACTS)))
    for name, ours in (("kuhn_poker", "kuhn"), ("leduc_poker", "openspiel:leduc_poker")):
        tree = GameTree(find_game(ours), 10_000)
        uniform = tree.uniform()
        assert tree.nash_conv(uniform) == pytest.approx(facts[name]["uniform_nash_conv"])
        assert tree.values(uniform) == pytest.approx(facts[name]["uniform_values"])


@pytest.mark.slow
def test_openspiel_needs_as_many_passes() -> None:
    facts = json.loads("".join(oracle_lines(FACTS)))
    tree = GameTree(find_game("kuhn"), 100)
    found = CfrPlus(tree)
    found.improve(2000)
    assert tree.nash_conv(found.policy()) < 2 * facts["kuhn_poker"]["cfr_plus_2000_nash_conv"]


def test_the_bot_plays_by_its_table() -> None:
    game = find_game("kuhn")
    bot = Cfr()
    bot.new_match(game, 1, 3)
    view = game.position("Q K bet").view(1)
    assert {bot.choose(view, Clock()) for _ in range(30)} == {1}
    assert bot.report is not None
    assert bot.report.text == "pass 0%, bet 100%"
    bot.new_match(game, 0, 5)
    first = game.position("J K").view(0)
    drawn = [bot.choose(first, Clock()) for _ in range(300)]
    bot.new_match(game, 0, 5)
    assert [bot.choose(first, Clock()) for _ in range(300)] == drawn
    assert 0 < sum(drawn) < 150


def test_large_games_are_refused() -> None:
    assert Cfr.refusal(find_game("goofspiel?cards=2")) == ""
    told = Cfr.refusal(find_game("phantom_tictactoe"))
    assert told.startswith("Phantom tic-tac-toe has more than 10,000 positions")
    with pytest.raises(GameError, match="Pacman has more than"):
        GameTree(find_game("pacman"), 10**9) if random.random() > 1 else GameTree(
            find_game("pacman"), 50
        )
