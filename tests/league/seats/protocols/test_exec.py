"""JSON lines: what a program may write, and what it loses by."""

import json
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from games.support.moves import WireMove
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import (
    BotVersion,
    Isolation,
    Limits,
    MatchRecord,
    ReportRecord,
    Termination,
)
from league.seats.protocols.exec import ExecSeat
from league.seats.seat import MoveBudget
from tests.league.seats.firstmove import FirstMove
from tests.promises import on_linux
from tests.waiting import ENDLESS_S

PROGRAM = """\
import json, sys, time

def out(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()

def answer(**more):
    out(json.dumps({"id": i, **more}) + "\\n")

for line in sys.stdin:
    q = json.loads(line)
    i = q["id"]
    if q["type"] == "move":
        move = q["legal"][0] if "legal" in q else None
        exec(sys.argv[1])
    elif q["type"] == "hello" and len(sys.argv) > 2:
        exec(sys.argv[2])
    else:
        answer(protocol=1)
"""

LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)
SHORT = replace(LIMITS, move_s=0.1, grace_s=0.1)
"""For programs that never answer."""

GAME = find_game("connectfour")


def version(folder: Path, *codes: str, options: dict[str, str] | None = None) -> BotVersion:
    """Return a program that runs one code at each question for a move, another at the greeting."""
    path = folder / "program.py"
    path.write_text(PROGRAM)
    words = [sys.executable, "-S", str(path), *codes]
    return BotVersion("x", f"exec:{shlex.join(words)}", options=options or {}, folder=str(folder))


def play(folder: Path, *codes: str, limits: Limits = LIMITS) -> MatchRecord:
    """Play a match against a harmless bot and return its record."""
    seat = ExecSeat(version(folder, *codes), limits)
    try:
        return play_match(
            MatchSetup(game=GAME, versions=(1, 2), opening=(3,), limits=limits, seed=3),
            [seat, FirstMove()],
        )
    finally:
        seat.stop()


HARMLESS = {
    "prints": "out('thinking\\n'); answer(move=move)",
    "an empty line": "out('\\n  \\n'); answer(move=move)",
    "bytes that are no text": "out(b'\\xff\\xfe\\x00\\x1b[31m\\n'); answer(move=move)",
    "a second answer": "answer(move=move); answer(move='99')",
    "unknown fields": "answer(move=move, mood={'a': [1]}, type='x')",
    "a number": "answer(move=int(move))",
    "a strange report": "answer(move=move, report=[1])",
    "a report of wrong types": "answer(move=move, report={'depth': 'x', 'score': [], 'pv': 3})",
    "a report of huge numbers": "answer(move=move, report={'nodes': 1 << 200, 'score': 10 ** 400})",
    "no numbers": 'out(\'{"id":%d,"move":"%s","report":{"score":NaN}}\\n\' % (i, move))',
    "no text in a report": (
        'out(b\'{"id":%d,"move":"%s","report":{"text":"\\xff"}}\\n\' % (i, move.encode()))'
    ),
    "spaces and line ends": 'out(\'{ "move" : " %s " , "id" : %d }\\r\\n\' % (move, i))',
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_harms_nobody_is_passed_over(what: str, tmp_path: Path) -> None:
    record = play(tmp_path, HARMLESS[what])
    assert record.termination == Termination.RULES, record.detail


FAULTS = {
    "no JSON": ("out('{column: 4}\\n')", r"wrote invalid JSON: '\{column: 4\}'"),
    "half a line": ("out('{\"id\":')", "had not moved .*; no whole line came"),
    "deep JSON": ("out('{\"a\":' + '[' * 200000 + '\\n')", "wrote invalid JSON"),
    "a huge number": ("out('{\"id\":1%s}\\n' % ('0' * 5000))", "wrote invalid JSON"),
    "a NUL": ('out(\'{"id":%d,"move":"\\0"}\\n\' % i)', r"wrote invalid JSON: .*\\x00"),
    "no id": ('out(\'{"move":"4"}\\n\')', r'answered without "id":\d+: \'\{"move":"4"\}\''),
    "an id to come": ("i += 5; answer(move=move)", r'answered without "id":\d+'),
    "a text for an id": ("i = str(i); answer(move=move)", r'answered without "id":\d+'),
    "true for an id": ("i = True; answer(move=move)", r'answered without "id":\d+'),
    "no move": ("answer()", "answered no move"),
    "a list": ("answer(move=[4])", r"answered no move: .*\[4\]"),
    "true": ("answer(move=True)", "answered no move"),
    "null": ("answer(move=None)", "answered no move"),
    "an illegal move": ("answer(move='77')", "illegal move '77' .legal: 1, 2"),
    "an escape": ("answer(move='\\x1b[2J')", r"illegal move '\\x1b\[2J'"),
    "a long text": ("answer(move='4' * 100000)", "illegal move '4444"),
    "a text that is none": ('out(b\'{"id":%d,"move":"\\xff"}\\n\' % i)', "illegal move '\ufffd'"),
    "a flood": ("out('x' * 3000000)", "flooded its output"),
    "an exit": ("sys.exit(3)", "exited with status 3"),
    "a closed pipe": ("import os; os.close(1); time.sleep(9)", "closed its output without exiting"),
    "silence": ("time.sleep(9)", "had not moved .*; no whole line came: does it end its lines"),
    "words alone": (
        "out('column 4\\n'); time.sleep(9)",
        "had not .*'column 4', which answers noth",
    ),
    "an old id": ("i -= 1; answer(move=move); time.sleep(9)", "had not .* which answers nothing"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", FAULTS)
def test_what_loses_a_match_is_told_with_the_line(what: str, tmp_path: Path) -> None:
    code, detail = FAULTS[what]
    record = play(tmp_path, code, limits=SHORT if "had not" in detail else LIMITS)
    assert (record.fault_seat, record.scores) == (0, (0.0, 1.0)), record
    assert re.search(detail, record.detail), record.detail
    assert len(record.detail) < 400


@pytest.mark.parametrize(
    ("greeting", "detail"),
    [
        ("answer()", "greeted with no version of the protocol: the league speaks"),
        ("answer(protocol=2)", "greeted with version 2 of the protocol"),
        ("answer(protocol='1')", "greeted with version '1' of the protocol"),
        ("answer(protocol=True)", "greeted with version True of the protocol"),
        ("out('{]\\n')", "wrote invalid JSON"),
    ],
)
def test_a_greeting_names_the_version(greeting: str, detail: str, tmp_path: Path) -> None:
    record = play(tmp_path, "answer(move=move)", greeting)
    assert record.fault_seat == 0
    assert detail in record.detail


def test_a_program_that_does_not_greet_is_too_slow(tmp_path: Path) -> None:
    limits = replace(LIMITS, start_s=0.3)
    record = play(tmp_path, "pass", "time.sleep(9)", limits=limits)
    assert "took more than 0.3 s to start" in record.detail


def test_a_bot_may_resign(tmp_path: Path) -> None:
    record = play(tmp_path, "answer(resign=True)")
    assert (record.termination, record.fault_seat) == (Termination.RESIGNATION, 0)
    assert record.scores == (0.0, 1.0)


def test_the_log_holds_the_last_lines_and_the_standard_error(tmp_path: Path) -> None:
    record = play(tmp_path, "sys.stderr.write('hm\\n'); out('{oops\\n')")
    lines = record.log.splitlines()
    assert lines[0] == "hm"
    assert lines[-2].startswith('> {"type":"move","id":3,"game":"connectfour","seat":0')
    assert lines[-1] == "< {oops"


def asked(
    folder: Path, spec: str, history: list[WireMove], budget: MoveBudget, *codes: str
) -> object:
    """Return the last question that a program was asked, as it tells it in its report."""
    echo = "answer(move=move or '4', report={'text': line[:480]})"
    game = find_game(spec)
    seat = ExecSeat(version(folder, echo, *codes, options={"style": "wild"}), LIMITS)
    try:
        seat.start()
        seat.new_match(game, 1, 77, ())
        state = game.initial()
        for wire in history:
            state = state.play(wire if type(wire) is int else state.parse(str(wire)))
        answer = seat.ask(state, history, budget)
    finally:
        seat.stop()
    assert answer.report is not None
    return json.loads(answer.report.text)


def game_fen(square: int) -> str:
    """Return the position of tic-tac-toe after one move as engines read it."""
    return find_game("tictactoe").initial().play(square).fen()


def test_a_question_holds_all_that_a_bot_without_memory_needs(tmp_path: Path) -> None:
    budget = MoveBudget(move_s=ENDLESS_S, depth=7)
    assert asked(tmp_path, "tictactoe", [4], budget, "answer(protocol=1, board=True)") == {
        "type": "move",
        "id": 3,
        "game": "tictactoe",
        "seat": 1,
        "seconds": ENDLESS_S,
        "depth": 7,
        "nodes": None,
        "moves": ["b2"],
        "legal": ["a3", "b3", "c3", "a2", "c2", "a1", "b1", "c1"],
        "fen": game_fen(4),
        "board": "3  .  .  .\n2  .  X  .\n1  .  .  .\n   a  b  c\nO to move",
    }


def test_a_bot_that_knows_the_rules_may_do_without_the_legal_moves(tmp_path: Path) -> None:
    budget = MoveBudget(left_s=(950.0, 800.0), increments_s=(0.7, 0.5), seat=1)
    question = asked(tmp_path, "connectfour", [3], budget, "answer(protocol=1, legal=False)")
    assert isinstance(question, dict)
    assert "legal" not in question
    assert question["clocks"] == [950.0, 800.0]
    assert (question["increment"], question["moves_to_go"]) == (0.5, None)
    assert question["seconds"] == pytest.approx(800.0 / 25 + 0.8 * 0.5)


def test_a_first_position_is_told_among_the_rules(tmp_path: Path) -> None:
    seat = ExecSeat(version(tmp_path, "pass"), LIMITS)
    try:
        seat.start()
        seat.new_match(GAME.starting_at("7/7/7/7/7/3r3 y 1"), 1, 77, ())
        told = next(line for line in seat.log.splitlines() if '"match"' in line)
    finally:
        seat.stop()
    rules = json.loads(told.removeprefix("> "))["rules"]
    assert rules == {"columns": 7, "rows": 6, "connect": 4, "fen": "7/7/7/7/7/3r3 y 1"}


def test_a_match_is_told_with_rules_and_options(tmp_path: Path) -> None:
    seat = ExecSeat(version(tmp_path, "pass", options={"style": "wild"}), LIMITS)
    try:
        seat.start()
        seat.new_match(find_game("connectfour?columns=8"), 1, 77, ())
        told = next(line for line in seat.log.splitlines() if '"match"' in line)
    finally:
        seat.stop()
    assert json.loads(told.removeprefix("> ")) == {
        "type": "match",
        "id": 2,
        "game": "connectfour?columns=8",
        "seat": 1,
        "seats": 2,
        "seed": 77,
        "rules": {"columns": 8, "rows": 6, "connect": 4},
        "options": {"style": "wild"},
    }


def test_a_report_is_stored_with_its_moves(tmp_path: Path) -> None:
    told = "{'depth': 3, 'nodes': 9, 'score': 0.5, 'pv': ['4', 5, '99', '1'], 'text': 'so'}"
    record = play(tmp_path, f"answer(move=move, report={told})")
    assert record.moves[1].report == ReportRecord(depth=3, nodes=9, score=0.5, pv=(3, 4), text="so")
    assert record.moves[1].move == 0


@pytest.mark.parametrize("spec", ["chess", "pacman?layout=medium", "tree?file=chance"])
def test_moves_of_any_kind_come_through(spec: str, tmp_path: Path) -> None:
    game = find_game(spec)
    limits = replace(LIMITS, max_plies=40)
    one = ExecSeat(version(tmp_path, "answer(move=q['legal'][-1])"), limits)
    others = [FirstMove() for _ in range(game.seats - 1)]
    try:
        record = play_match(
            MatchSetup(game=game, versions=range(game.seats), opening=(), limits=limits, seed=2),
            [one, *others],
        )
    finally:
        one.stop()
    assert record.termination in (Termination.RULES, Termination.MOVE_LIMIT), record.detail


@on_linux("the kernel bounds what a program reserves")
@pytest.mark.parametrize(
    ("megabytes", "uses"), [(8 * 30, ""), (30, "kept[-1][:] = bytes(30 << 20); ")]
)
def test_a_program_is_started_again_before_a_match_that_may_use_up_its_memory(
    megabytes: int, uses: str, tmp_path: Path
) -> None:
    # It may reserve eight times as much as it may use.
    code = (
        "import mmap; kept = globals().setdefault('kept', []); "
        f"kept.append(mmap.mmap(-1, {megabytes} << 20, flags=mmap.MAP_PRIVATE)); "
        f"{uses}answer(move=move)"
    )
    limits = replace(LIMITS, isolation=Isolation.LIMITS, memory_mb=1000)
    seat = ExecSeat(version(tmp_path, code), limits)
    moves: list[str] = []
    pids: list[int | None] = []
    try:
        for _ in range(5):
            seat.start()
            pids.append(seat.pid)
            seat.new_match(GAME, 0, 1, ())
            moves += [
                str(seat.ask(GAME.initial(), (), MoveBudget(cap_s=ENDLESS_S)).wire)
                for _ in range(5)
            ]
    finally:
        seat.stop()
    assert len(moves) == 25
    # It keeps 450 MB after three matches, and the fourth might take 600 MB.
    assert pids[0] == pids[1] == pids[2] != pids[3] == pids[4]
