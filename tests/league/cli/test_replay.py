"""`league replay`: stepping on a terminal, printing in a pipe."""

import json
import os
import re
import signal
import termios
from pathlib import Path

import pytest
from click.testing import CliRunner

from league.cli.keys import Keyboard
from league.cli.replay import Stepper, command
from league.errors import UnknownRowError
from league.figures import clock_time, short_count, short_score, short_time
from league.records import MatchKey, MatchRecord, MoveRecord, ReportRecord, Termination
from league.replays import Replay, load_replay
from league.store import open_store
from tests.league.cli.terminal import on_terminal
from tests.league.matches import add_bots, add_tournament

HOSTILE = "\x1b[31m[bold]hi[/bold]\u202e :smile:"
SCORES = (5.0, -1.0, 6.0, -500.0, 5.0, -510.0, 300.0)


def a_match(versions: tuple[int, ...]) -> MatchRecord:
    """Return a match that seat 0 wins in the first column, with a report for every move."""
    moves = [
        MoveRecord(
            move=ply % 2,
            wall_ns=(ply + 1) * 1_500_000,
            cpu_ns=(ply + 1) * 1_000_000,
            over_ns=2_000_000 if ply == 2 else 0,
            report=ReportRecord(ply + 3, 1000 * 7**ply, score, (ply % 2, 3), HOSTILE),
        )
        for ply, score in enumerate(SCORES)
    ]
    return MatchRecord(
        game="connectfour",
        versions=versions,
        seed=1,
        opening=(3, 3),
        moves=tuple(moves),
        scores=(1.0, 0.0),
        termination=Termination.RULES,
        utilities=(1.0, -1.0),
    )


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Make a league with one such match, between bots of which one has a name like markup."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        versions = add_bots(store, "alpha", "[red]beta")
        tournament = add_tournament(store, *versions)
        record = a_match(tuple(versions))
        store.save_matches(tournament, [(MatchKey(0, 0), record)])
    return tmp_path


@pytest.fixture
def replay(league: Path) -> Replay:
    with open_store(str(league / "league.db"), read_only=True) as store:
        return load_replay(store, 1)


def run(league: Path, *arguments: str, code: int = 0) -> str:
    """Run the command as in a pipe and return its output."""
    result = CliRunner().invoke(command, [*arguments, "--db", str(league / "league.db")])
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (b"q", ["q"]),
        (b"hl", ["h", "l"]),
        (b"\x1b[C\x1b[D", ["right", "left"]),
        (b"\x1bOA\x1bOB", ["up", "down"]),
        (b"\x1b[1;5C", ["right"]),
        (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end"] * 3),
        (b"\x1b[5~\x1b[6~", ["page up", "page down"]),
        (b"\x1b", ["escape"]),
        (b"\x1b[200~x", ["", "x"]),
        (b"\x04", ["end of input"]),
        ("é ".encode(), ["é", " "]),
        (b"\xff\n", ["\ufffd", "enter"]),
    ],
)
def test_keys_have_names(typed: bytes, names: list[str]) -> None:
    own, other = os.openpty()
    before = termios.tcgetattr(other)
    try:
        with Keyboard(other) as keyboard:
            os.write(own, typed)
            assert [keyboard.read(1.0) for _ in names] == names
            assert keyboard.read(0) == ""
        assert termios.tcgetattr(other) == before
    finally:
        os.close(own)
        os.close(other)


def test_a_terminal_that_is_gone_ends_the_input() -> None:
    own, other = os.openpty()
    with Keyboard(other) as keyboard:
        os.close(own)
        assert keyboard.read(1.0) == "end of input"
    os.close(other)


@pytest.mark.parametrize(
    ("keys", "ply"),
    [
        (["right", "l", "l"], 3),
        (["left"], 0),
        (["down"], 9),
        (["down", "left", "h"], 7),
        (["end", "up"], 0),
        (["G", "home"], 0),
        (["G", "g", "right"], 1),
        (["b"], 6),
        (["x", "", "enter"], 0),
    ],
)
def test_keys_step(replay: Replay, keys: list[str], ply: int) -> None:
    stepper = Stepper(replay)
    for key in keys:
        stepper.press(key)
    assert (stepper.ply, stepper.is_over) == (ply, False)


def test_the_biggest_swing_is_told(replay: Replay) -> None:
    stepper = Stepper(replay)
    stepper.press("b")
    assert stepper.message == "biggest swing: [red]beta from -1 to -500"
    stepper.press("right")
    assert stepper.message == ""


def test_a_replay_plays_by_itself_to_its_end(replay: Replay) -> None:
    stepper = Stepper(replay, 7)
    stepper.tick()
    assert stepper.ply == 7
    stepper.press(" ")
    for _ in range(3):
        stepper.tick()
    assert (stepper.ply, stepper.is_playing) == (9, False)
    stepper.press(" ")
    assert (stepper.ply, stepper.is_playing) == (0, True)
    stepper.press("right")
    assert (stepper.ply, stepper.is_playing) == (1, False)


@pytest.mark.parametrize(
    ("keys", "is_over"),
    [(["q"], True), (["escape"], True), (["?", "escape"], False), (["?", "q"], True)],
)
def test_keys_end_it(replay: Replay, keys: list[str], is_over: bool) -> None:
    stepper = Stepper(replay)
    for key in keys:
        stepper.press(key)
    assert (stepper.is_over, stepper.shows_help) == (is_over, False)


def test_clocks_are_read_as_clocks() -> None:
    shown = [clock_time(each) for each in (0.0, 0.059, 59.999, 60, 307.9, 3600, 36_123)]
    assert shown == ["0.00 s", "0.05 s", "59.99 s", "1:00", "5:07", "1:00:00", "10:02:03"]


def test_numbers_are_short() -> None:
    times = [0, 999_000, 999_500, 47_250_000, 999_949_999, 999_950_000, 61_000_000_000]
    assert [short_time(each) for each in times] == [
        *("0 µs", "999 µs", "1.0 ms", "47.2 ms", "999.9 ms", "1.00 s", "61.00 s"),
    ]
    counts = [0, 9999, 10_000, 999_949, 999_950, 2**62, 10**22]
    assert [short_count(each) for each in counts] == [
        *("0", "9999", "10.0k", "999.9k", "1.0M", "4.6E", "10000.0E"),
    ]
    scores = [None, 0.0, 1.0, -0.25, 1e5, -1e300]
    assert [short_score(each) for each in scores] == ["", "0", "+1", "-0.25", "+100000", "-1e+300"]


def test_stepping_on_a_terminal(league: Path) -> None:
    with on_terminal(league, "replay", "1") as terminal:
        first = terminal.see("ply 0 of 9")
        assert "match 1: alpha – [red]beta, connectfour" in first
        assert "the first position" in first
        terminal.press("\x1b[C\x1b[C\x1b[C")
        third = terminal.see("ply 3 of 9")
        assert "ply 3: alpha (Red) played 1 in 1.5 ms, 1.0 ms of it computing" in third
        assert "depth 3, nodes 1000, score +5" in third
        assert "expects 1 4" in third
        assert r"says \x1b[31m[bold]hi[/bold]\u202e :smile:" in third
        assert re.search(r"3 +alpha +1 +1\.5 ms +3 +1000 +\+5\b", third)
        terminal.press("b")
        assert "biggest swing: [red]beta from -1 to -500" in terminal.see("ply 6 of 9")
        terminal.press("\x1b[F")
        assert "ended 1 – 0" in terminal.see("ply 9 of 9")
        terminal.press("?")
        assert "one ply back" in terminal.see("the biggest swing of a score")
        terminal.press("g")
        terminal.see("ply 0 of 9")
        terminal.press(" ")
        terminal.see("ply 1 of 9")
        terminal.press("q")
        assert terminal.end() == 0
        assert "\x1b[?1049h" in terminal.output
        assert terminal.is_restored
        assert "\x1b[31m[bold]" not in terminal.output


def test_every_screen_fits_the_terminal(league: Path) -> None:
    with on_terminal(league, "replay", "--ply", "5") as terminal:
        terminal.see("ply 5 of 9")
        for columns, rows in ((60, 20), (30, 9), (12, 4), (3, 1), (120, 40), (80, 24)):
            terminal.output = ""
            terminal.resize(columns, rows)
            lines = terminal.see("p").splitlines()
            assert len(lines) <= rows
            assert max(len(line) for line in lines) <= columns
        terminal.press("\x04")
        assert terminal.end() == 0


@pytest.mark.parametrize(("number", "is_typed"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_an_interrupt_leaves_the_terminal_as_it_was(
    league: Path, number: signal.Signals, is_typed: bool
) -> None:
    with on_terminal(league, "replay") as terminal:
        terminal.see("ply 0 of 9")
        assert not terminal.is_restored
        if is_typed:
            terminal.press("\x03")
        else:
            terminal.process.send_signal(number)
        assert terminal.end() == 130
        assert terminal.is_restored
        assert "Traceback" not in terminal.output


def test_a_failure_leaves_the_terminal_as_it_was(league: Path) -> None:
    patch = "import league.cli.replay as r; r.Stepper._swing = lambda self: 1 / 0"
    with on_terminal(league, "replay", patch=patch) as terminal:
        terminal.see("ply 0 of 9")
        terminal.press("b")
        assert terminal.end() == 1
        assert terminal.is_restored
        assert "ZeroDivisionError" in terminal.output


def test_a_pipe_gets_the_last_position_and_the_moves(league: Path) -> None:
    lines = run(league, "1").splitlines()
    assert lines[:2] == ["match 1: alpha – [red]beta, connectfour", "ply 9 of 9"]
    assert "Red (X) won" in lines
    rows = [line.split() for line in lines if re.match(r" +\d+  (alpha|\[red|opening)", line)]
    assert [row[:3] for row in rows[:3]] == [
        ["1", "opening", "4"],
        ["2", "opening", "4"],
        ["3", "alpha", "1"],
    ]
    assert rows[-1] == ["9", "alpha", "1", "10.5", "ms", "9", "117.6M", "+300"]
    assert lines[-1] == "1 – 0"


def test_one_position(league: Path) -> None:
    text = run(league, "1", "--ply", "5", "--plain")
    assert text.endswith(
        "ply 5: alpha (Red) played 1 in 4.5 ms, 3.0 ms of it computing, 2.0 ms late\n"
        "depth 5, nodes 49.0k, score +6\n"
        "expects 1 4\n"
        "says \\x1b[31m[bold]hi[/bold]\\u202e :smile:\n"
    )
    assert "ply 1: 4, of the opening" in run(league, "1", "--ply", "1")
    assert "the first position" in run(league, "1", "--ply", "0")


def test_nothing_of_a_bot_reaches_a_pipe_raw(league: Path) -> None:
    for ply in range(10):
        assert not set(run(league, "--ply", str(ply))) & {"\x1b", "\u202e"}


def test_json(league: Path) -> None:
    whole = json.loads(run(league, "--json"))
    assert (whole["match"], whole["bots"]) == (1, ["alpha", "[red]beta"])
    assert [each["move"] for each in whole["plies"]] == ["", *"441212121"]
    one = json.loads(run(league, "--json", "--ply", "6"))
    assert one == whole["plies"][6]
    assert one["score"] == -500


def test_what_is_not_there_is_named(league: Path) -> None:
    assert "match 1 ended after 9 plies" in run(league, "1", "--ply", "10", code=2)
    result = CliRunner().invoke(command, ["7", "--db", str(league / "league.db")])
    assert isinstance(result.exception, UnknownRowError)
