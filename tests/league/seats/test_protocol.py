"""docs/protocol.md, held to what the league does: its bot plays, and its session is a real one."""

import sys
from pathlib import Path

import pytest

from games import catalogue
from games.moves import WireMove
from league.conformance import examine
from league.records import BotVersion, Limits
from league.seats.contract import Budget
from league.seats.protocols.exec import PROTOCOL, ExecSeat

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"
LIMITS = Limits(move_s=1.0)


def block(language: str) -> str:
    """Return the page's only block of a language."""
    (found,) = PAGE.read_text().split(f"```{language}\n")[1:]
    return found.split("```")[0]


@pytest.fixture
def bot(tmp_path: Path) -> BotVersion:
    """Write the page's bot into a folder."""
    (tmp_path / "bot.py").write_text(block("python"))
    return BotVersion("x", f"exec:{sys.executable} bot.py", folder=str(tmp_path))


def recorded(bot: BotVersion) -> list[str]:
    """Play the session of the page and return its lines."""
    game = catalogue.find("connectfour")
    seat = ExecSeat(bot, LIMITS)
    budget = Budget(move_s=0.1)
    history: list[WireMove] = [3]
    try:
        seat.start()
        lines = seat.log.splitlines()
        seat.new_match(game, 1, 7, ())
        for reply in (3, None):
            state = game.initial()
            for wire in history:
                state = state.play(wire)
            answer = seat.ask(state, history, budget)
            if reply is not None:
                history += [int(str(answer.wire)) - 1, reply]
        return lines + seat.log.splitlines()
    finally:
        seat.stop()


def test_the_session_of_the_page_is_what_is_spoken(bot: BotVersion) -> None:
    assert recorded(bot) == block("text").splitlines()


def test_the_bot_of_the_page_conforms(bot: BotVersion) -> None:
    findings = list(examine(bot, catalogue.find("tictactoe")))
    assert all(each.is_passed for each in findings), findings
    assert len(findings) == 8


def test_the_page_names_the_version_and_every_field() -> None:
    text = PAGE.read_text()
    assert f"Version {PROTOCOL}." in text
    fields = ("game", "seat", "seats", "seed", "rules", "options", "seconds", "depth", "nodes")
    more = ("clocks", "increment", "moves_to_go", "moves", "legal", "fen", "board", "resign")
    for name in (*fields, *more, "report", "pv", "score", "text"):
        assert f"`{name}`" in text, name


def test_the_examples_of_the_page_are_there() -> None:
    folder = PAGE.parents[1] / "examples" / "connectfour"
    assert {path.suffix for path in folder.iterdir()} >= {".c", ".js", ".rs", ".py"}
