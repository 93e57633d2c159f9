"""The comparison with other projects: same nodes, a limit that holds, a word on who is missing."""

import sys
import time

import pytest

from benchmarks import peers
from benchmarks.connectfour_contenders import CONTENDERS, ITERATIVE, PLAIN_C
from benchmarks.contenders import Contender, Missing, Times, Work, race, ready
from benchmarks.measures import Run, digits
from bots import alphabeta
from games.support.game import NULL
from games.support.specs import find_game


def done_in(seconds: float) -> Work:
    """Return work that is done at once, and says that it took so long."""
    return lambda size: Run(seconds, size, 0)


@pytest.mark.parametrize("depth", [1, 2, 5, 8, 9])
def test_plain_c_makes_the_same_nodes_as_alphabeta(depth: int) -> None:
    works, missing = ready([each for each in CONTENDERS if each.name == PLAIN_C])
    if missing:
        pytest.skip(missing[0])
    ours = alphabeta.search(find_game("connectfour").initial(), depth=depth, evaluation=NULL)
    run = works[PLAIN_C](depth)
    assert (run.nodes, run.value) == (ours.nodes, ours.value)


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda each: each.name)
def test_every_contender_that_is_plain_makes_alphabetas_nodes(contender: Contender) -> None:
    works, missing = ready([contender])
    if missing:
        pytest.skip(missing[0])
    run = works[contender.name](4)
    assert run.value in (0, None)
    assert run.time_s > 0
    assert run.nodes == 173 or not contender.is_plain


def test_who_is_missing_is_named_with_how_to_get_it() -> None:
    def absent() -> Work:
        raise Missing("no such thing")

    works, missing = ready([Contender("theirs", "pip install it", absent)])
    assert works == {}
    assert missing == ["missing: theirs (no such thing); to get it: pip install it"]


@pytest.mark.slow
def test_who_is_over_the_limit_is_stopped_and_left_out() -> None:
    ended: list[int] = []

    def slow(size: int) -> Run:
        time.sleep(60)
        ended.append(size)
        return Run(60, size, 0)

    times = race({"quick": done_in(0.02), "slow": slow}, 3, 2, limit_s=1)
    assert ended == []
    assert [each.is_over for each in times.values()] == [False, True]
    assert len(times["quick"].runs) == 2
    assert times["slow"].cell() == "over 1 s"
    assert times["slow"].times_of(times["quick"]) == "> 50.0"


def test_a_ratio_is_the_median_of_the_rounds_own() -> None:
    def times(*seconds: float) -> Times:
        return Times(tuple(Run(each, 10, 0) for each in seconds), limit_s=1)

    assert times(2, 30, 8).times_of(times(1, 10, 2)) == "3.00"
    assert times(2, 30, 8).rate() == 10 / 8


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.01234, "0.0123"), (1, "1.00"), (4.567, "4.57"), (12.34, "12.3"), (1234.5, "1,234")],
)
def test_numbers_have_three_digits(number: float, text: str) -> None:
    assert digits(number) == text


def test_the_command_prints_a_table_of_who_is_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--only", "connectfour", "--depths", "3", "2", "--rounds", "1", "--rate-depth", "0"]
    monkeypatch.setattr(sys, "argv", ["peers", *asked])
    peers.main()
    printed = capsys.readouterr().out
    assert "| search | 2 | 3 |" in printed
    assert "| alphabeta | 21 | 76 |" in printed
    assert f"| {ITERATIVE} | 1.00 | 1.00 |" in printed
