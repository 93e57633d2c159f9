"""The example bots in other languages: built, checked, and played in one league."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import BotVersion, Limits
from league.registration.check import examine
from league.registration.source_snapshot import take_snapshot
from league.registration.trial import TrialSetup
from league.seats.bot_specs import make_seat
from league.seats.seat import MoveBudget, Seat
from tests.league.command import league
from tests.league.examining import be_patient
from tests.paths import EXAMPLES
from tests.waiting import ENDLESS_S, PATIENCE_S

PROGRAMS = EXAMPLES / "connectfour"
LIMITS = Limits(move_s=2.0, depth=4, nodes=300, grace_s=ENDLESS_S, start_s=ENDLESS_S)
HURRY_S = 0.1
GAME = find_game("connectfour")

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
        shutil.copy(PROGRAMS / name, folder)
        if name in BUILDS and shutil.which(TOOLS[name]):
            subprocess.run(BUILDS[name], cwd=folder, check=True, timeout=PATIENCE_S)
    return folder


def version(name: str, folder: Path) -> BotVersion:
    """Return an example as a bot; skip where what it needs is not installed."""
    if shutil.which(TOOLS[name]) is None:
        pytest.skip(f"{TOOLS[name]} is not installed")
    return take_snapshot(name, COMMANDS[name], {}, folder)


def _slow_but(*usual: str) -> list[object]:
    return [pytest.param(name, marks=[] if name in usual else [pytest.mark.slow]) for name in TOOLS]


@pytest.mark.slow
@pytest.mark.parametrize("name", _slow_but("bot.py"))
def test_an_example_conforms(name: str, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = be_patient(monkeypatch)
    findings = list(examine(version(name, built), GAME, TrialSetup(move_s=HURRY_S)))
    assert all(each.is_passed for each in findings), findings
    # It keeps to its time by what it computes: a busy machine can make everybody late.
    hurried = records[-GAME.seats :]
    times_ns = [
        move.cpu_ns
        for seat, record in enumerate(hurried)
        for ply, move in enumerate(record.moves, len(record.opening))
        if ply % 2 == seat
    ]
    assert len(hurried) == GAME.seats
    assert all(each is not None and each < 2 * HURRY_S * 1e9 for each in times_ns), times_ns


class Bots:
    """Bots that play one match after another, each in one process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: dict[str, Seat] = {}

    def seat(self, name: str) -> Seat:
        """Return the seat of an example, or of the bot `random`."""
        if name not in self.started:
            chance = BotVersion("random", "random")
            bot = chance if name == "random" else version(name, self.folder)
            self.started[name] = make_seat(bot, LIMITS)
        return self.started[name]


@pytest.fixture(scope="module")
def bots(built: Path) -> Iterator[Bots]:
    """Give the bots, and end them all."""
    made = Bots(built)
    yield made
    for seat in made.started.values():
        seat.stop()


@pytest.mark.slow
@pytest.mark.parametrize("name", _slow_but("bot.c"))
def test_an_example_wins_most_of_its_matches_against_chance(name: str, bots: Bots) -> None:
    bot, other = bots.seat(name), bots.seat("random")
    scores = []
    for seed in range(6):
        mine = seed % 2
        record = play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=LIMITS, seed=seed // 2),
            [other, bot] if mine else [bot, other],
        )
        scores.append(record.scores[mine])
    assert sum(scores) >= 5, scores


@pytest.mark.slow
@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(
    ("moves", "expected"),
    [("121213", "1"), ("12121", "1"), ("112233", "4"), ("11223", "4"), ("4455", "36")],
)
def test_an_example_wins_and_blocks(name: str, moves: str, expected: str, bots: Bots) -> None:
    state = GAME.position(moves)
    bot = bots.seat(name)
    bot.start()
    bot.new_match(GAME, state.to_move, 1, ())
    answer = bot.ask(state, [int(each) - 1 for each in moves], MoveBudget.of(LIMITS, GAME.seats))
    assert str(answer.wire) in expected


def test_a_head_says_how_to_build_and_to_register() -> None:
    for name, command in COMMANDS.items():
        head = (PROGRAMS / name).read_text()[:900]
        assert "league register" in head
        assert command.replace(sys.executable, "python3").removeprefix("exec:") in head
        for build in BUILDS.get(name, [])[-3:]:
            assert build in head


@pytest.mark.slow
def test_one_league_of_four_languages(built: Path, tmp_path: Path) -> None:
    names = [name for name in TOOLS if shutil.which(TOOLS[name])]
    if len(names) < 3:
        pytest.skip("fewer than three toolchains are installed")
    for name in names:
        spec = ["register", name.replace(".", "-"), COMMANDS[name], "--folder", str(built)]
        league(tmp_path, *spec, "--game", "connectfour", "--no-check")
    league(tmp_path, "register", "deep", "iterative", "--no-check")
    league(tmp_path, "register", "centre", str(PROGRAMS.parent / "centre.py"), "--no-check")
    limits = ["--move-time", "2s", "--depth", "3", "--nodes", "100", "--grace", "1h"]
    run = [
        "run",
        "--game",
        "connectfour",
        "--bots",
        "all",
        *limits,
        "--seed",
        "1",
        "--json",
        "--workers",
        "1",
    ]
    (table,) = json.loads(league(tmp_path, *run))
    rows = table["standings"]
    entered = {name.replace(".", "-") for name in names}
    assert {row["bot"] for row in rows} == {*entered, "deep", "centre"}
    assert {row["matches"] for row in rows} == {2 * (len(rows) - 1)}
    ended = {row["termination"] for row in json.loads(league(tmp_path, "matches", "--json"))}
    assert ended == {"rules"}
    assert "0 findings" in league(tmp_path, "db", "verify")
