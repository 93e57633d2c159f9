"""`league replay`: stepping on a terminal, printing in a pipe."""

import asyncio
import json
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.widgets import DataTable

from games.support.specs import find_game
from league.analysis.replay import Replay, load_replay
from league.cli.move_list import MoveList
from league.cli.replay import command
from league.cli.replay_screen import ReplayApp
from league.cli.replay_steps import Stepper
from league.cli.textual_app import PlainText
from league.cli.tournament import watch_screen
from league.cli.tournament.watch import _ending
from league.cli.tournament.watch_screen import Pace, WatchApp
from league.model.errors import UnknownRowError
from league.model.number_format import clock_time, short_count, short_score, short_time
from league.model.records import MatchKey, MatchRecord, MoveRecord, ReportRecord, Termination
from league.store.rows import TournamentState
from league.store.store import open_store
from league.tournament.live_board import MatchInPlay
from tests.league.cli.terminal import drawn, on_terminal
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
            report=ReportRecord(
                depth=ply + 3, nodes=1000 * 7**ply, score=score, pv=(ply % 2, 3), text=HOSTILE
            ),
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
        store.matches.save(tournament, [(MatchKey(0, 0), record)])
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
    assert stepper.message == "biggest swing: [red]beta from −1 to −500"
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
    times = [0, 999_000, 999_500, 47_250_000, 999_949_999, 999_950_000, 61 * 10**9, 5400 * 10**9]
    assert [short_time(each) for each in times] == [
        *("0 µs", "999 µs", "1.0 ms", "47.2 ms", "999.9 ms", "1.00 s", "61.00 s", "90 min"),
    ]
    counts = [0, 9999, 10_000, 999_949, 999_950, 2**62, 10**22]
    assert [short_count(each) for each in counts] == [
        *("0", "9999", "10.0k", "999.9k", "1.0M", "4.6E", "10000.0E"),
    ]
    scores = [None, 0.0, 1.0, -0.25, 1e5, -1e300]
    assert [short_score(each) for each in scores] == ["", "0", "+1", "−0.25", "+100000", "−1e+300"]


@pytest.mark.slow
def test_stepping_on_a_terminal(league: Path) -> None:
    with on_terminal(league, "replay", "1") as terminal:
        name = re.escape("alpha – [red]beta")
        terminal.see("ply 0 of 9", f"match 1: {name}, connectfour", "the first position")
        terminal.press("\x1b[C\x1b[C\x1b[C")
        terminal.see(
            "ply 3 of 9",
            r"ply 3: alpha \(Red\) played 1 in 1\.5 ms, 1\.0 ms of it computing",
            r"depth 3, nodes 1000, score \+5",
            "expects 1 4",
            re.escape(r"says \x1b[31m[bold]hi[/bold]\u202e :smile:"),
            r"3 +alpha +1 +1\.5 ms +3 +1000 +\+5\b",
        )
        terminal.press("b")
        terminal.see("ply 6 of 9", r"biggest swing: \[red\]beta from −1 to −500")
        terminal.press("\x1b[F")
        terminal.see("ply 9 of 9", "ended 1 – 0")
        terminal.press("?")
        terminal.see("the biggest swing of a score", "one ply back")
        terminal.press("g")
        terminal.see("ply 0 of 9")
        terminal.press(" ")
        terminal.see("ply 1 of 9")
        terminal.press("q")
        assert terminal.end() == 0
        assert "\x1b[?1049h" in terminal.output
        assert terminal.is_restored
        assert "\x1b[31m[bold]" not in terminal.output


@pytest.mark.slow
def test_every_screen_fits_the_terminal(league: Path) -> None:
    with on_terminal(league, "replay", "--ply", "5") as terminal:
        terminal.see("ply 5 of 9")
        for columns, rows in ((60, 20), (12, 4), (3, 1), (120, 40)):
            terminal.resize(columns, rows)
            assert terminal.settle()
            for keys in ("?", "?lh"):
                terminal.press(keys)
                # On the smallest one nothing changes that could be drawn.
                output = terminal.settle(is_awaited=rows > 1)
                assert drawn(output, columns, rows, is_strict=True).strip() or rows == 1
        terminal.press("\x04")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("number", "is_typed"),
    [
        (signal.SIGINT, True),
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.slow),
    ],
)
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


@pytest.mark.slow
def test_a_failure_leaves_the_terminal_as_it_was(league: Path) -> None:
    patch = "import league.cli.replay_steps as s; s.Stepper._swing = lambda self: 1 / 0"
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


@pytest.mark.slow
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


def shown(app: ReplayApp | WatchApp, name: str) -> str:
    """Return the text of a part of a screen."""
    return str(app.screen.query_one(f"#{name}", PlainText).render())


@pytest.mark.slow
def test_keys_on_the_screen(replay: Replay) -> None:
    async def drive() -> None:
        app = ReplayApp(replay)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("right", "right", "right")
            assert "ply 3 of 9" in shown(app, "title")
            assert "expects 1 4" in shown(app, "told")
            assert "[bold]hi[/bold]" in shown(app, "told"), "no markup"
            await pilot.press("e")
            assert "expects" not in shown(app, "told")
            moves = app.screen.query_one(MoveList)
            assert re.search(r"\n *3 +alpha +1 +1\.5 ms", moves.render().plain)
            await pilot.press("question_mark")
            assert app.screen.query_one("#help").display
            await pilot.press("escape")
            assert not app.screen.query_one("#help").display
            assert await pilot.click(MoveList, offset=(8, 6))
            await pilot.pause()
            assert "ply 6 of 9" in shown(app, "title")
            assert len(shown(app, "scores").strip()) == 7, "nobody told a score of the opening"
            await pilot.press("end")
            assert shown(app, "scores").strip() == "▅▅▅█▅█▇"
            await pilot.press("home", "9")
            while "ply 0" in shown(app, "title"):
                await pilot.pause(0.05)
            await pilot.press("0")
            assert not app.replay_screen.stepper.is_playing
            await pilot.press("q")
        assert app.return_code == 0

    asyncio.run(drive())


def lines_of(app: ReplayApp | WatchApp) -> list[str]:
    """Return the screen, line by line."""
    return [
        "".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()
    ]


@pytest.fixture
def long_replay(replay: Replay) -> Replay:
    """Make a match of 90 plies with scores of mates as wide as `+100000`."""
    frame = replay.frames[-1]
    assert frame.record is not None
    frames = [
        replace(
            frame,
            ply=ply,
            left_s=125.0,
            record=replace(frame.record, report=ReportRecord(depth=12, nodes=9 * ply, score=score)),
        )
        for ply in range(1, 91)
        for score in [-100_000.0 if ply > 40 else float(ply % 7)]
    ]
    long = replace(replay)
    vars(long)["frames"] = (replay.frames[0], *frames)
    return long


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
def test_the_ply_is_in_the_list_and_no_number_is_cut(
    long_replay: Replay, size: tuple[int, int]
) -> None:
    async def drive() -> None:
        app = ReplayApp(long_replay)
        async with app.run_test(size=size) as pilot:
            for keys, ply in ((["end"], 90), (["left"] * 15, 75), (["home", "down", "down"], 20)):
                await pilot.press(*keys)
                await pilot.pause()
                assert f"ply {ply} of 90" in shown(app, "title")
                lines = lines_of(app)
                listed = [
                    line for line in lines if re.search(rf"  {ply}  .*alpha|  {ply}  1", line)
                ]
                assert listed, "\n".join(lines)
                if size[0] >= 80 and ply > 40:
                    assert "\N{MINUS SIGN}100000" in listed[0]
                assert not re.search(r"-10{0,4}\b", "".join(lines[2:14]))

    asyncio.run(drive())


def test_mates_do_not_flatten_the_line_of_scores(long_replay: Replay) -> None:
    async def drive() -> None:
        app = ReplayApp(long_replay)
        async with app.run_test(size=(120, 40)):
            drawn = shown(app, "scores").strip()
            assert len(set(drawn[:40])) > 3
            assert set(drawn[45:]) == {"▁"}

    asyncio.run(drive())


def test_a_screen_that_is_too_small_says_so(replay: Replay) -> None:
    async def drive() -> None:
        app = ReplayApp(replay)
        async with app.run_test(size=(23, 12)) as pilot:
            assert shown(app, "small").endswith("a terminal of 24×10, this one has 23×12")
            await pilot.resize_terminal(24, 10)
            await pilot.pause()
            assert not app.screen.query_one("#small").display
            assert app.screen.query_one("#board").display
            assert app.screen.query_one(MoveList).render().plain == ""

    asyncio.run(drive())


def test_digits_set_the_speed(replay: Replay) -> None:
    stepper = Stepper(replay)
    stepper.press("4")
    assert (stepper.is_playing, stepper.pause_s) == (True, 0.25)
    stepper.press("5")
    assert (stepper.is_playing, stepper.pause_s) == (True, 0.2)
    stepper.press("0")
    assert (stepper.is_playing, stepper.pause_s) == (False, 0.2)
    stepper.press("0")
    assert not stepper.is_playing


def test_a_pace_is_that_of_the_last_minute() -> None:
    pace = Pace()
    assert pace.told(0.0, 10, 100) == ""
    assert pace.told(2.0, 14, 100) == "  2.0/s  43 s left"
    assert pace.told(3.0, 14, None) == "  1.3/s"
    pace.told(100.0, 14, None)
    assert pace.told(110.0, 54, 54) == "  4.0/s  0 s left"


def test_leaving_a_tournament_in_play_asks_for_nothing(league: Path) -> None:
    with open_store(str(league / "league.db"), read_only=True) as store:
        row = replace(store.tournaments.get(1), state=TournamentState.OPEN)
    assert _ending(row, is_in_play=True).startswith("tournament 1 is in play, and continues")
    assert "'league resume 1' continues" in _ending(row, is_in_play=False)


@pytest.mark.slow
def test_boards_in_play_and_a_bracket_are_watched(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = find_game("connectfour").initial()
    match = MatchInPlay(
        key=MatchKey(0, 0),
        game="connectfour",
        names=("alpha", "beta"),
        state=state.play(3),
        plies=1,
        moved_at_ms=0,
    )
    monkeypatch.setattr(watch_screen, "is_running", lambda store, row: True)
    monkeypatch.setattr(watch_screen, "matches_in_play", lambda store, number: [match] * 8)
    monkeypatch.setattr(watch_screen, "_rounds", lambda store, row: ["round 1", "  a – b  2 – 0"])

    async def drive() -> None:
        with open_store(str(league / "league.db"), read_only=True) as store:
            app = WatchApp(store, store.tournaments.get(1))
            async with app.run_test(size=(80, 24)) as pilot:
                while not app.query_one("#matches", DataTable).row_count:
                    await pilot.pause(0.05)
                assert "alpha – beta\nply 1" in shown(app, "names0")
                assert "●" in shown(app, "board0")
                assert not app.query_one("#playing1").display, "there is room for one"
                await pilot.resize_terminal(120, 40)
                while not app.query_one("#playing1").display:
                    await pilot.pause(0.05)
                await pilot.press("b")
                assert "a – b  2 – 0" in shown(app, "bracket")
                assert not app.query_one("#standings").display
                await pilot.press("b", "q")

    asyncio.run(drive())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (40, 10), (3, 1)])
def test_a_watched_tournament_shows_its_standings_and_replays_its_matches(
    league: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr(watch_screen, "is_running", lambda store, row: True)

    async def drive() -> None:
        with open_store(str(league / "league.db"), read_only=True) as store:
            app = WatchApp(store, store.tournaments.get(1))
            async with app.run_test(size=size) as pilot:
                while not app.query_one("#matches", DataTable).row_count:
                    await pilot.pause(0.05)
                row = app.query_one("#standings", DataTable).get_row_at(0)
                assert [str(cell) for cell in row][1:3] == ["alpha", "1"]
                assert "[red]beta" in str(app.query_one("#matches", DataTable).get_row_at(0)[1])
                await pilot.press("enter")
                assert "ply 9 of 9" in shown(app, "title")
                await pilot.press("q")
                await pilot.press("question_mark")
                assert app.query_one("#help").display
                await pilot.press("q")
            assert app.return_code == 0

    asyncio.run(drive())
