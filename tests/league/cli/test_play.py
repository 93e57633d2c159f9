"""`league play`: a person at the keyboard against a bot in its own process."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from games.support.errors import InputError
from league.api.sessions import session_at, version_of
from league.cli.play import command
from league.model.errors import SpecError
from league.model.records import BotVersion
from league.store.store import open_store
from tests.league.cli.terminal import on_terminal
from tests.league.command import below
from tests.paths import BAD_BOTS
from tests.processes import state_of

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
    assert shown.endswith("Red (X) won\n\nYou won.\n")


def test_a_person_loses_from_the_other_seat(tmp_path: Path, first: str) -> None:
    arguments = ("connectfour", "--against", first, "--seat", "1")
    assert play(tmp_path, "2\n3\n2\n", *arguments).endswith(f"\n{first} won.\n")


def test_a_draw(tmp_path: Path) -> None:
    arguments = ("tictactoe", "--against", "minimax:depth=2", "--seed", "1")
    shown = play(tmp_path, "b2\n" + "a1\na2\na3\nb1\nb3\nc1\nc2\nc3\n" * 9, *arguments)
    assert shown.rstrip().splitlines()[-1] in ("A draw.", "minimax:depth=2 won.")


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
    assert r"depth 3, nodes 12.3k, score -2.5, \x1b[1mhm]" in shown
    assert "\x1b" not in shown
    assert "X" not in shown.split("take back")[2].split("plays")[0].split("Red (X)")[0]


def test_resigning(tmp_path: Path, first: str) -> None:
    shown = play(tmp_path, "Resign\n", "connectfour", "--against", first, limit=())
    assert "; 1 s a move for the bot." in shown
    assert shown.endswith(f"You resigned. {first} won.\n")


def test_the_end_of_input_ends_it(tmp_path: Path, first: str) -> None:
    shown = play(tmp_path, "4\n", "connectfour", "--against", first)
    assert shown.endswith("stopped, without a result\n")


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


def test_a_registered_bot_goes_by_its_name(tmp_path: Path) -> None:
    target = str(tmp_path / "league.db")
    with open_store(target, create=True) as store:
        store.register(BotVersion("mine", "alphabeta", options={"depth": "2"}, digest="1"))
        store.register(BotVersion("mine", "alphabeta", options={"depth": "3"}, digest="2"))
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


def test_ctrl_c_ends_it_while_the_bot_thinks(tmp_path: Path) -> None:
    bot = str(BAD_BOTS / "sleeps.py")
    arguments = ("play", "connectfour", "--against", bot, *SLOWLY, "--isolation", "limits")
    with on_terminal(tmp_path, *arguments) as terminal:
        terminal.see("your move:")
        bots = below(terminal.process.pid)
        # A namespace has two processes of its own beside the bot.
        assert len(bots) in (1, 3)
        terminal.press("4\r")
        terminal.see("your move: 4\n")
        assert terminal.end("\x03") == 0
        assert "stopped, without a result" in terminal.output
        assert "Traceback" not in terminal.output
        assert terminal.is_restored
        assert not any(state_of(pid) for pid, _ in bots)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_keys_that_end_it_at_the_prompt(tmp_path: Path, first: str, key: str) -> None:
    with on_terminal(tmp_path, "play", "tictactoe", "--against", first, *SLOWLY) as terminal:
        terminal.see("your move:")
        terminal.press("b2\r")
        terminal.see(r"plays a3[\s\S]*your move:")
        assert terminal.end(key) == 0
        assert "stopped, without a result" in terminal.output
