"""Counting lines of play, and the command that does it."""

import json
from pathlib import Path

import pytest

from games.support.perft import divide, perft
from games.support.specs import find_game
from tests.league.command import league
from tests.strategies import OWN_GAME


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("tictactoe", [9, 72, 504, 3024, 15120]),
        ("connectfour", [7, 49, 343, 2401, 16807]),
        ("tree?file=pruning", [2, 4, 8, 0, 0]),
        ("tree?file=chance", [2, 4, 8, 0]),
        (OWN_GAME, [3, 9, 27, 81]),
    ],
)
def test_every_depth_is_counted(spec: str, counts: list[int]) -> None:
    root = find_game(spec).initial()
    assert perft(root, 0) == 1
    assert [perft(root, depth) for depth in range(1, len(counts) + 1)] == counts
    for depth, count in enumerate(counts, 1):
        parts = divide(root, depth)
        assert sum(lines for _, lines in parts) == count
        assert len(parts) == counts[0]


def test_nothing_follows_the_end() -> None:
    over = find_game("tictactoe").position("a1 a3 b1 b3 c1")
    assert perft(over, 1) == 0
    assert divide(over, 2) == []


@pytest.mark.slow
def test_the_command_counts_each_depth(tmp_path: Path) -> None:
    shown = league(tmp_path, "perft", "connectfour", "4", "--option", "columns=8")
    assert [line.split()[1] for line in shown.splitlines()[1:]] == ["8", "64", "512", "4,096"]
    told = json.loads(league(tmp_path, "perft", "othello", "4", "--json"))
    assert told["game"] == "othello"
    assert [each["lines"] for each in told["counts"]] == [4, 12, 56, 244]
    told = json.loads(
        league(tmp_path, "perft", "connectfour", "1", "--position", "444444", "--divide", "--json")
    )
    assert told["divide"] == dict.fromkeys("123567", 1)
    assert told["position"] == "444444"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("conectfour", "1"), "unknown game 'conectfour' (did you mean 'connectfour'?)"),
        (("connectfour", "1", "--position", "48"), "ply 2: illegal move '8'"),
        (("connectfour", "1", "--option", "rows"), "option 'rows': expected name=value"),
        (("connectfour?rows=3", "1", "--option", "rows=4"), "option 'rows' is given twice"),
        (("othello", "1", "--position", "X" * 64), "64 squares and who moves"),
        (("pacman", "1", "--option", "layout=smal"), "no layout 'smal' (did you mean 'small'?)"),
    ],
)
def test_bad_input_is_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    said = league(tmp_path, "perft", *arguments, code=1)
    assert message in said
    assert len(said.splitlines()) == 1
