"""`league bench`: the same positions for several bots."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.league.command import both, league

BOTS = "minimax:depth=4,alphabeta:depth=4,order=game,nodelist:depth=4"


@pytest.mark.slow
def test_one_position_in_a_table(tmp_path: Path) -> None:
    shown = league(tmp_path, "bench", "connectfour", "--bots", BOTS, "--moves", "4 4 3")
    rows = [line.split() for line in shown.splitlines() if ":depth=4" in line]
    assert [row[0] for row in rows[:3]] == [
        "minimax:depth=4",
        "alphabeta:depth=4,order=game",
        "nodelist:depth=4",
    ]
    # All found the same value; minimax made every node.
    assert len({row[4] for row in rows[:3]}) == 1
    assert int(rows[0][2].replace(",", "")) > int(rows[1][2].replace(",", ""))
    assert "█" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_many_positions_in_json_and_a_plot(tmp_path: Path) -> None:
    (tmp_path / "positions.txt").write_text("443  # a comment\n\n4 4 4; and more\n")
    told = json.loads(
        league(
            tmp_path,
            *("bench", "connectfour", "--bots", BOTS, "--file", "positions.txt"),
            *("--random", "3", "--svg", "plot.svg", "--json"),
        )
    )
    assert told["positions"] == ["443", "4 4 4", "random 1", "random 2", "random 3"]
    values = [[answer["value"] for answer in bot["answers"]] for bot in told["bots"]]
    assert values[0] == values[1] == values[2]
    nodes = [[answer["nodes"] for answer in bot["answers"]] for bot in told["bots"]]
    assert all(fewer <= more for fewer, more in zip(nodes[1], nodes[0], strict=True))
    root = ET.parse(tmp_path / "plot.svg").getroot()  # noqa: S314 (drawn by ourselves)
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "alphabeta:depth=4,order=game" in texts
    assert f"{sum(nodes[0]):,}" in texts


def test_totals_for_many_positions(tmp_path: Path) -> None:
    shown = league(tmp_path, "bench", "tictactoe", "--bots", "minimax,mtdf", "--random", "4")
    assert "4 of 4" in shown
    assert "100.0%" in shown


def test_a_search_without_a_limit_is_named(tmp_path: Path) -> None:
    asked = ("bench", "connectfour", "--moves", "4455", "--bots")
    _, told = both(tmp_path, *asked, "alphabeta:depth=1,mtdf,greedy")
    assert "no limit: mtdf may search" in told
    assert "as in mtdf:depth=5, or --move-time 1s" in told
    for limited in (("mtdf:depth=1",), ("mtdf", "--move-time", "1s"), ("mtdf:rounds=1",)):
        assert both(tmp_path, *asked, *limited)[1] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--bots", "minmax"), "unknown built-in bot 'minmax' (did you mean 'minimax'?)"),
        (("--bots", "depth=3"), "expected the name of a bot before it"),
        (("--bots", ","), "no bots to compare"),
        (("--bots", "minimax:dept=3"), "unknown option 'dept' of bot minimax"),
        (("--bots", "minimax", "--moves", "49"), "ply 2: illegal move '9'"),
        (("--bots", "minimax", "--moves", "1212121"), "no bot moves in position 1"),
        (("--bots", "minimax", "--file", "none.txt"), "can't read positions from 'none.txt'"),
    ],
)
def test_bad_input_is_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    said = league(tmp_path, "bench", "connectfour", *arguments, code=1)
    assert message in said
    assert len(said.splitlines()) == 1
