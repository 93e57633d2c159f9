"""The example bots in other languages: built, checked, and played in one league."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games import catalogue
from league.conformance import examine
from league.records import BotVersion, Limits
from league.referee.match import play_match
from league.seats.catalogue import make_seat
from league.seats.contract import Budget
from league.snapshot import take_snapshot
from tests.league.command import league

EXAMPLES = Path(__file__).parents[2] / "examples" / "connectfour"
LIMITS = Limits(move_s=2.0, depth=4, nodes=300, start_s=20.0)
GAME = catalogue.find("connectfour")

TOOLS = {"bot.py": sys.executable, "bot.c": "cc", "bot.js": "node", "bot.rs": "rustc"}
BUILDS = {
    "bot.c": ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", "bot-c", "bot.c"],
    "bot.rs": ["rustc", "--edition", "2021", "-D", "warnings", "-O", "-o", "bot-rs", "bot.rs"],
}
COMMANDS = {
    "bot.py": f"exec:{sys.executable} bot.py",
    "bot.c": "exec:./bot-c",
    "bot.js": "exec:node bot.js",
    "bot.rs": "exec:./bot-rs",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build every example whose toolchain is here, and return the folder."""
    folder = tmp_path_factory.mktemp("languages")
    for name in TOOLS:
        shutil.copy(EXAMPLES / name, folder)
        if name in BUILDS and shutil.which(TOOLS[name]):
            subprocess.run(BUILDS[name], cwd=folder, check=True, timeout=100)
    return folder


TRIES = 3
"""A machine that is busy with other tests makes any bot late now and then, but not every time."""


def version(name: str, folder: Path) -> BotVersion:
    """Return an example as a bot; skip where what it needs is not installed."""
    if shutil.which(TOOLS[name]) is None:
        pytest.skip(f"{TOOLS[name]} is not installed")
    return take_snapshot(name, COMMANDS[name], {}, folder)


@pytest.mark.parametrize("name", TOOLS)
def test_an_example_conforms(name: str, built: Path) -> None:
    for _ in range(TRIES):
        findings = list(examine(version(name, built), GAME, hurry_s=0.2))
        if all(each.is_passed for each in findings):
            return
    raise AssertionError(findings)


@pytest.mark.parametrize("name", TOOLS)
def test_an_example_wins_most_of_its_matches_against_chance(name: str, built: Path) -> None:
    bot = make_seat(version(name, built), LIMITS)
    other = make_seat(BotVersion("random", "random"), LIMITS)
    try:
        scores = [
            play_match(GAME, [bot, other], (1, 2), (), LIMITS, seed).scores[0] for seed in range(3)
        ] + [
            play_match(GAME, [other, bot], (2, 1), (), LIMITS, seed).scores[1] for seed in range(3)
        ]
    finally:
        bot.stop()
        other.stop()
    assert sum(scores) >= 5, scores


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(
    ("moves", "expected"),
    [("121213", "1"), ("12121", "1"), ("112233", "4"), ("11223", "4"), ("4455", "36")],
)
def test_an_example_wins_and_blocks(name: str, moves: str, expected: str, built: Path) -> None:
    state = GAME.position(moves)
    bot = make_seat(version(name, built), LIMITS)
    try:
        bot.start()
        bot.new_match(GAME, state.to_move, 1, ())
        answer = bot.ask(state, [int(each) - 1 for each in moves], Budget.of(LIMITS, GAME.seats))
    finally:
        bot.stop()
    assert str(answer.wire) in expected


def test_a_head_says_how_to_build_and_to_register() -> None:
    for name, command in COMMANDS.items():
        head = (EXAMPLES / name).read_text()[:900]
        assert "league register" in head
        assert command.replace(sys.executable, "python3").removeprefix("exec:") in head
        for build in BUILDS.get(name, [])[-3:]:
            assert build in head


def test_one_league_of_four_languages(built: Path, tmp_path: Path) -> None:
    names = [name for name in TOOLS if shutil.which(TOOLS[name])]
    if len(names) < 3:
        pytest.skip("fewer than three toolchains are installed")
    for name in names:
        spec = ["register", name, COMMANDS[name], "--folder", str(built)]
        league(tmp_path, *spec, "--game", "connectfour", "--no-check")
    league(tmp_path, "register", "deep", "iterative", "--no-check")
    league(tmp_path, "register", "centre.py", str(EXAMPLES.parent / "centre.py"), "--no-check")
    limits = ["--move-time", "2s", "--depth", "3", "--nodes", "100"]
    run = ["run", "--game", "connectfour", "--bots", "all", *limits, "--seed", "1", "--json"]
    (table,) = json.loads(league(tmp_path, *run))
    rows = table["standings"]
    assert {row["bot"] for row in rows} == {*names, "deep", "centre.py"}
    assert {row["matches"] for row in rows} == {2 * (len(rows) - 1)}
    ended = {row["termination"] for row in json.loads(league(tmp_path, "matches", "--json"))}
    assert ended == {"rules"}
    assert "0 findings" in league(tmp_path, "verify")
