"""docs/reference/json-lines.md, held to what the league does: bot and session are real."""

import sys
from pathlib import Path

import pytest

from games.support.moves import WireMove
from games.support.specs import find_game
from league.model.records import BotVersion, Limits
from league.registration.check import examine
from league.seats.json_lines import PROTOCOL
from league.seats.protocols.exec import ExecSeat
from league.seats.seat import MoveBudget
from tests.league.examining import be_patient
from tests.paths import DOCS, EXAMPLES
from tests.waiting import ENDLESS_S

PAGE = DOCS / "reference" / "json-lines.md"
LIMITS = Limits(start_s=ENDLESS_S)


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
    game = find_game("connectfour")
    seat = ExecSeat(bot, LIMITS)
    budget = MoveBudget(move_s=0.1, grace_s=ENDLESS_S)
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


def test_the_bot_of_the_page_conforms(bot: BotVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)
    findings = list(examine(bot, find_game("tictactoe")))
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
    folder = EXAMPLES / "connectfour"
    assert {path.suffix for path in folder.iterdir()} >= {".c", ".js", ".rs", ".py"}
