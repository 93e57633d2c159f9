"""What `league check` finds about programs that do not quite conform."""

import json
import sys
from pathlib import Path

import pytest

from games.support.specs import find_game
from league.model.records import BotVersion
from league.registration.check import examine
from league.registration.finding import CheckFinding
from league.registration.source_snapshot import take_snapshot
from league.registration.trial import TrialSetup
from league.render.text.registration import finding_blocks
from tests.league.command import league, start
from tests.waiting import PATIENCE_S

PROGRAM = f"""\
#!{sys.executable} -S
import json, os, sys, time
matches = moves = 0
for line in sys.stdin:
    question = json.loads(line)
    kind = question["type"]
    answer = {{"id": question["id"], "protocol": 1}}
    if kind == "match":
        matches += 1
    if kind == "move":
        answer["move"] = question["legal"][0]
    EXTRA
    print(json.dumps(answer), flush=True)
AFTER
"""

GAME = find_game("tictactoe")


def written(folder: Path, extra: str = "pass", after: str = "") -> BotVersion:
    """Write a program with one line of its own, and one for when its input has ended."""
    path = folder / "bot"
    path.write_text(PROGRAM.replace("EXTRA", extra).replace("AFTER", after))
    path.chmod(0o755)
    return take_snapshot("x", "exec:./bot", {}, folder)


HURRIED = TrialSetup(move_s=0.1)

SKIPPED = {"plays itself", "plays on without a restart", "keeps to 0.1 s a move"}
"""The points that a failure leaves untried."""


def found(bot: BotVersion) -> dict[str, CheckFinding]:
    """Examine a bot and return what did not hold, by what is demanded."""
    return {each.demand: each for each in examine(bot, GAME, HURRIED) if not each.is_passed}


@pytest.mark.slow
def test_a_sound_program_passes_every_point(tmp_path: Path) -> None:
    assert found(written(tmp_path)) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extra", "demands", "detail"),
    [
        ("answer['protocol'] = 9", {"starts within 10 s and greets", "plays"}, "version 9"),
        ("sys.exit(2)", {"starts within 10 s and greets", "plays"}, "exited with status 2"),
        ("print('hm')", {"writes only answers"}, "lines on its output answer nothing"),
        (
            "time.sleep(0.2 * (kind == 'move' and question.get('nodes') is None))",
            {"keeps to 0.1 s a move", "exits when its input ends"},
            "time forfeit at ply 3: had not moved",
        ),
        (
            "answer['move'] = 'z9' if question.get('seat') == 1 else answer.get('move')",
            {"plays in seat 1", *SKIPPED, "exits when its input ends"},
            "illegal move 'z9'",
        ),
        (
            "kind == 'match' and matches > 1 and sys.exit(0)",
            {"plays in seat 1", *SKIPPED, "exits when its input ends"},
            "exited with status 0",
        ),
    ],
)
def test_what_fails_is_told_with_what_to_do(
    extra: str, demands: set[str], detail: str, tmp_path: Path
) -> None:
    failed = found(written(tmp_path, extra))
    assert set(failed) == demands
    assert any(detail in each.detail for each in failed.values()), failed
    assert all(each.hint for each in failed.values() if each.is_passed is False)


@pytest.mark.slow
def test_a_bot_that_loads_in_its_first_move_is_found(tmp_path: Path) -> None:
    failed = found(written(tmp_path, "moves += kind == 'move'; time.sleep(0.5 * (moves == 1))"))
    late = failed["keeps to 0.1 s a move"]
    assert late.detail.startswith("time forfeit")
    assert late.hint.endswith("before the first question")
    assert "plays in seat 0" not in failed


@pytest.mark.slow
def test_a_program_that_stays_is_told_and_ended(tmp_path: Path) -> None:
    failed = found(written(tmp_path, after="time.sleep(30)"))
    assert set(failed) == {"exits when its input ends"}


@pytest.mark.slow
def test_a_python_bot_gets_advice_for_python_and_each_log_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "def choose(state, clock):\n    return 99 if state.to_move else state.board[0]\n"
    )
    failed = found(take_snapshot("x", str(path), {}))
    crash, illegal = failed["plays in seat 0"], failed["plays in seat 1"]
    assert ("AttributeError" in crash.detail, crash.hint) == (True, "")
    assert illegal.hint == "return one of state.legal_moves()"
    assert ["AttributeError" in " ".join(each.log) for each in failed.values()].count(True) == 1
    assert {demand for demand, each in failed.items() if each.is_passed is None} == SKIPPED


@pytest.mark.slow
def test_bots_of_python_are_examined_too() -> None:
    findings = list(examine(take_snapshot("x", "greedy", {}), GAME))
    assert [each.is_passed for each in findings] == [True] * 6


def test_a_fault_that_repeats_is_shown_once() -> None:
    first = CheckFinding("plays in seat 0", False, detail="crash at ply 3: no luck", hint="mend it")
    again = CheckFinding("plays in seat 1", False, detail="crash at ply 4: no luck", hint="mend it")
    assert [" ".join(str(each).split()) for each in finding_blocks(first)] == [
        "FAIL plays in seat 0 crash at ply 3: no luck",
        "to do: mend it",
    ]
    assert [" ".join(str(each).split()) for each in finding_blocks(again, [first])] == [
        "FAIL plays in seat 1 crash at ply 4, as above"
    ]


def test_a_fault_that_differs_by_its_position_alone_is_shown_once_too() -> None:
    text = "illegal move at ply {}: answered <game key={}{} instead of a move: return the move"
    first = CheckFinding("plays in seat 0", False, detail=text.format(5, 536903813, ">"))
    again = CheckFinding("plays in seat 1", False, detail=text.format(6, 439805489972, "…"))
    (told,) = finding_blocks(again, [first])
    assert str(told).endswith("illegal move at ply 6, as above")


@pytest.mark.slow
def test_the_command_prints_a_line_for_each_point(tmp_path: Path) -> None:
    written(tmp_path)
    said = league(tmp_path, "check", "exec:./bot", "--game", "tictactoe").splitlines()
    assert said[0] == "Tic-tac-toe:"
    assert all(line.startswith("ok  ") for line in said[1:-1])
    assert said[-1] == "exec:./bot is fit to play"


@pytest.mark.slow
def test_the_command_fails_where_a_point_does(tmp_path: Path) -> None:
    written(tmp_path, "print('\\x1b[31mhm')")
    process = start(tmp_path, "check", "exec:./bot", "--game", "tictactoe")
    out, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, said) == (1, "league: 'exec:./bot' failed at 1 of 8 points\n")
    failure = out.split("FAIL ")[1].splitlines()
    assert failure[1].startswith("     to do: it loses no match by this")
    assert failure[2].startswith("     | ")
    assert "\\x1b[31mhm" in out
    assert "\x1b" not in out
    written(tmp_path)
    (told,) = json.loads(league(tmp_path, "check", "exec:./bot", "--game", "tictactoe", "--json"))
    assert told["is_fit"]
    assert len(told["findings"]) == 8
    assert told["findings"][0]["demand"] == "starts within 10 s and greets"
