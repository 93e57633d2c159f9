"""`league play`: a person at the keyboard against a bot in its own process."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from games.support.errors import InputError
from league.api.sessions import session_at, version_of
from league.cli.board_view import BoardView
from league.cli.main import INTERRUPTED
from league.cli.move_list import MoveList
from league.cli.play import command
from league.cli.play_screen import PlayApp
from league.cli.textual_app import PlainText
from league.model.errors import SpecError
from league.model.records import BotVersion
from league.store.store import open_store
from tests.league.cli.terminal import on_terminal
from tests.league.command import below
from tests.paths import BAD_BOTS
from tests.processes import state_of
from tests.waiting import PATIENCE_S

COUNTING = """
from bots import Bot, Report

class Counting(Bot):
    '''Answers the column that is the number of stones: only right where it knows the position.'''

    def choose(self, state, clock):
        stones = state.mask.bit_count()
        self.report = Report(depth=stones, nodes=12345, score=-2.5, text='\\x1b[1mhm')
        return stones
"""


SLOWLY = ("--move-time", "1h")
"""The bots here answer at once, on a busy machine in a while."""


def play(
    folder: Path, typed: str, *arguments: str, code: int = 0, limit: Sequence[str] = SLOWLY
) -> str:
    """Play with what is typed, and return what was shown."""
    database = ["--db", str(folder / "league.db")]
    result = CliRunner().invoke(command, [*arguments, *limit, *database], input=typed)
    if isinstance(result.exception, InputError):
        raise result.exception
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


@pytest.fixture
def first() -> str:
    return str(BAD_BOTS / "first.py")


def test_a_person_wins(tmp_path: Path, first: str) -> None:
    shown = play(tmp_path, "4\n4\n4\n4\n", "connectfour", "--against", first)
    assert f"Connect Four. Red: you, Yellow: {first}; 3600 s a move for the bot." in shown
    assert "Moves are written like 1, 2, 3, 4, 5, 6, 7." in shown
    assert f"Yellow ({first}) plays 1  [" in shown
    assert shown.endswith("Red (X) won\n\nYou won by four in a row.\n")


def test_a_person_loses_from_the_other_seat(tmp_path: Path, first: str) -> None:
    arguments = ("connectfour", "--against", first, "--seat", "1")
    assert play(tmp_path, "2\n3\n2\n", *arguments).endswith(f"\n{first} won by four in a row.\n")


def test_a_draw(tmp_path: Path) -> None:
    arguments = ("tictactoe", "--against", "minimax:depth=2", "--seed", "1")
    shown = play(tmp_path, "b2\n" + "a1\na2\na3\nb1\nb3\nc1\nc2\nc3\n" * 9, *arguments)
    endings = ("A draw: board full.", "minimax:depth=2 won by three in a row.")
    assert shown.rstrip().splitlines()[-1] in endings


def test_typos_are_answered_with_the_legal_moves(tmp_path: Path, first: str) -> None:
    typed = "9\n\n\x1b[A\nfour\n4 4\nhelp\nquit\n"
    shown = play(tmp_path, typed, "connectfour", "--against", first)
    for wrong in ("'9'", r"'\x1b[A'", "'four'", "'4 4'"):
        assert f"{wrong} is no legal move; legal are 1, 2, 3, 4, 5, 6, 7" in shown
    assert "legal moves: 1, 2, 3, 4, 5, 6, 7; or undo, resign, quit" in shown
    assert shown.endswith("stopped, without a result\n")


def test_undo_takes_back_for_the_bot_too(tmp_path: Path) -> None:
    bot = tmp_path / "counting.py"
    bot.write_text(COUNTING)
    typed = "undo\n4\n4\nundo\nundo\nundo\n5\nquit\n"
    shown = play(tmp_path, typed, "connectfour", "--against", f"{bot}:Counting")
    assert shown.count("there is no move of yours to take back") == 2
    answers = [line.split(" plays ")[1][0] for line in shown.splitlines() if " plays " in line]
    assert answers == ["2", "4", "2"]
    assert r"depth 3, nodes 12.3k, score −2.5, \x1b[1mhm]" in shown
    assert "\x1b" not in shown
    assert "X" not in shown.split("take back")[2].split("plays")[0].split("Red (X)")[0]


@pytest.mark.slow
def test_resigning(tmp_path: Path, first: str) -> None:
    shown = play(tmp_path, "Resign\n", "connectfour", "--against", first, limit=())
    assert "; 1 s a move for the bot." in shown
    assert shown.endswith(f"You resigned. {first} won.\n")


def test_the_end_of_input_ends_it(tmp_path: Path, first: str) -> None:
    shown = play(tmp_path, "4\n", "connectfour", "--against", first)
    assert shown.endswith("stopped, without a result\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("raises", "loses by crash: ZeroDivisionError"),
        ("illegal", "loses by illegal move: answered an illegal move 77"),
        ("loops", "loses by time forfeit: had not moved"),
    ],
)
def test_a_bot_that_fails_loses(tmp_path: Path, name: str, told: str) -> None:
    bot = str(BAD_BOTS / f"{name}.py")
    limit = ("--move-time", "100ms") if name == "loops" else SLOWLY
    shown = play(tmp_path, "4\n", "connectfour", "--against", bot, limit=limit)
    assert told in shown
    assert "You won." in shown
    assert ("  Traceback (most recent call last):" in shown) == (name == "raises")


def test_a_bot_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text("import nothing_of_that_name\n")
    with pytest.raises(InputError, match=r"did not load: .*nothing_of_that_name"):
        play(tmp_path, "", "connectfour", "--against", str(bot))


@pytest.mark.slow
def test_a_registered_bot_goes_by_its_name(tmp_path: Path) -> None:
    target = str(tmp_path / "league.db")
    with open_store(target, create=True) as store:
        store.bots.register(BotVersion("mine", "alphabeta", options={"depth": "2"}, digest="1"))
        store.bots.register(BotVersion("mine", "alphabeta", options={"depth": "3"}, digest="2"))
    with open_store(target, read_only=True) as store:
        found = version_of(store, "mine", {})
        with pytest.raises(SpecError, match=r"no bot .mien. .did you mean .mine."):
            version_of(store, "mien", {})
        assert version_of(store, "mine", {"depth": "1"}).options == {"depth": "1"}
    assert (found.name, found.number, found.options) == ("mine", 2, {"depth": "3"})
    assert "Yellow (mine) plays" in play(tmp_path, "4\n", "connectfour", "--against", "mine")


def test_no_league_is_needed(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.db")
    assert session_at(missing, "connectfour", "alphabeta:depth=2").bot == "alphabeta:depth=2"
    with pytest.raises(SpecError, match=r"no league at '.*missing\.db', and as a spec"):
        session_at(missing, "connectfour", "mine")
    assert not Path(missing).exists()


def test_a_seat_that_is_not_there(tmp_path: Path) -> None:
    arguments = ("connectfour", "--against", "random", "--seat", "2")
    assert "connectfour has seats 0 to 1" in play(tmp_path, "", *arguments, code=2)


@pytest.mark.slow
def test_ctrl_c_ends_it_while_the_bot_thinks(tmp_path: Path) -> None:
    bot = str(BAD_BOTS / "sleeps.py")
    arguments = ("play", "connectfour", "--against", bot, *SLOWLY, "--isolation", "limits")
    with on_terminal(tmp_path, *arguments) as terminal:
        terminal.see("your move 0:")
        bots = below(terminal.process.pid)
        # A namespace has two processes of its own beside the bot.
        assert len(bots) in (1, 3)
        terminal.press("4\r")
        terminal.see("thinks [0-9]+ s of 3600 s", r"1 +you +4")
        assert terminal.end("\x03") == INTERRUPTED
        assert "stopped, without a result" in terminal.output
        assert "Traceback" not in terminal.output
        assert terminal.is_restored
        assert not any(state_of(pid) for pid, _ in bots)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("\x03", INTERRUPTED), ("\x04", 0)])
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_keys_that_end_it_at_the_prompt(
    tmp_path: Path, first: str, key: str, code: int, term: str
) -> None:
    patch = f"import os; os.environ['TERM'] = {term!r}"
    arguments = ("play", "tictactoe", "--against", first, *SLOWLY)
    with on_terminal(tmp_path, *arguments, patch=patch) as terminal:
        terminal.see("your move")
        terminal.press("b2\r")
        terminal.see(r"a3[\s\S]*your move" if term == "dumb" else r"2 +\S+ +a3")
        assert terminal.end(key) == code
        assert "stopped, without a result" in terminal.output
        assert terminal.is_restored


def on_screen(
    folder: Path, game: str, against: str, drive: Callable[[PlayApp, Any], Awaitable[None]]
) -> PlayApp:
    """Play on a screen of 80 by 24 and return it after its end."""

    async def play_it(app: PlayApp) -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await drive(app, pilot)

    with session_at(str(folder / "missing.db"), game, against, move_time=3600) as session:
        app = PlayApp(session)
        asyncio.run(play_it(app))
    return app


async def until(pilot: Any, is_so: Callable[[], bool]) -> None:
    """Wait for an answer of the bot."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end
        await pilot.pause(0.02)


@pytest.mark.slow
def test_a_match_on_the_screen(tmp_path: Path, first: str) -> None:
    async def drive(app: PlayApp, pilot: Any) -> None:
        async def until_listed(plies: int) -> None:
            moves = app.query_one(MoveList)
            await until(pilot, lambda: len(moves.render().plain.splitlines()) == plies + 1)

        await pilot.press("9", "enter")
        assert "'9' is no legal move; legal moves: 1, 2" in told(app)
        await pilot.press(*"undo", "enter")
        assert "there is no move of yours" in told(app)
        for number in (1, 2, 3):
            await pilot.press("5", "backspace", "4", "enter")
            await until_listed(2 * number)
        await pilot.press("up")
        assert "ply 5 of 6" in told(app)
        await pilot.press("escape", "9", "enter")
        assert "'9' is no legal move" in told(app)
        await pilot.press(*"undo", "enter")
        await until_listed(4)
        assert told(app) == "your last move is taken back"
        # Any place of a column is its move.
        await pilot.click(BoardView, offset=(10, 0))
        await until_listed(6)
        await pilot.press("4", "enter")
        await until(pilot, lambda: bool(app.ended))
        await pilot.press("q")

    app = on_screen(tmp_path, "connectfour", first, drive)
    assert (app.ended, app.return_code) == ("You won by four in a row.", 0)


@pytest.mark.slow
def test_two_pressed_squares_are_a_move(tmp_path: Path, first: str) -> None:
    async def drive(app: PlayApp, pilot: Any) -> None:
        await pilot.click(BoardView, offset=(10, 4))
        assert "you" not in app.query_one(MoveList).render().plain
        await pilot.click(BoardView, offset=(10, 6))
        await pilot.click(BoardView, offset=(10, 4))
        await until(
            pilot, lambda: bool(re.search(r"1 +you +e4", app.query_one(MoveList).render().plain))
        )
        board = str(app.query_one(BoardView).render())
        assert "♙" in board
        assert "♚" in board
        await pilot.press(*"resign", "enter")
        await until(pilot, lambda: bool(app.ended) or not app._is_mine)
        await pilot.press("ctrl+d")

    on_screen(tmp_path, "chess", first, drive)


@pytest.mark.slow
def test_a_bot_that_fails_on_the_screen_loses(tmp_path: Path) -> None:
    async def drive(app: PlayApp, pilot: Any) -> None:
        await pilot.press("4", "enter")
        await until(pilot, lambda: bool(app.ended))
        await pilot.press("enter")

    app = on_screen(tmp_path, "connectfour", str(BAD_BOTS / "raises.py"), drive)
    assert "loses by crash: ZeroDivisionError" in app.ended
    assert "You won.\n  Traceback (most recent call last):" in app.ended


def told(app: PlayApp) -> str:
    """Return what the screen tells below the board."""
    return str(app.query_one("#told", PlainText).render())
