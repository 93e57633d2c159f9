"""What a Python bot's mistakes look like: one line that says where, and what to do."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from games.support.errors import FAULT_MAX
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import Isolation, Limits, MatchRecord, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.process.isolation import why_no_sandbox
from league.seats.python.python_seat import PythonSeat
from league.seats.python.stack_sample import place_in
from league.seats.seat import SeatFault
from tests.league.seats.firstmove import FirstMove
from tests.waiting import ENDLESS_S

GAME = find_game("connectfour")

LIBRARY = "import json\n\ndef choose(state, clock):\n    return json.loads('{bad')\n"

USUAL = Limits()

MISTAKES = {
    "return str(3)": "answered '3', a text: return the number 3 (written 4), or 2 if you mean",
    "return '7'": "answered '7', the text of a move: return the move itself, 6",
    "return None": "answered None instead of a move: a path through choose ends without return",
    "return state.play(0)": "instead of a move: return the move, not the position",
    "yield 3": "instead of a move: write return in choose, not yield",
    "return state.legal_moves": "it is a function; call it with brackets, as in state.legal_moves",
    "return state.legal_moves()": "return one of state.legal_moves(), not several",
    "return 99": "answered an illegal move 99, which is none of state.legal_moves(): 0 (wri",
    "return 'x' * 500": "which is none of state.legal_moves(): 0 (written 1), ",
    "return input('? ')": "(bot.py line 2): nobody answers input(): compute the move from state",
    "return state.legal_moves[0]": "(bot.py line 2): write state.legal_moves(), with brackets",
    "moves = state.legal_moves; return max(moves)": "write state.legal_moves(), with brackets",
    "return state.legal_move()[0]": "(bot.py line 2): did you mean 'legal_moves'?",
    "return legal_moves()[0]": "(bot.py line 2): write state.legal_moves",
    "return stat.legal_moves()[0]": "(bot.py line 2): did you mean 'state'?",
    "return choose(state, clock)": "(bot.py line 2): a function calls itself without end",
    "state.to_move = 1": "can't change state.to_move: state.play(move) returns the next position",
}


def played(folder: Path, source: str, limits: Limits = USUAL) -> MatchRecord:
    """Play a match of the bot with that source against an opponent without a process."""
    path = folder / "bot.py"
    path.write_text(source)
    seat = PythonSeat(take_snapshot("bot", str(path), {}), limits)
    setup = MatchSetup(game=GAME, versions=[0, 0], opening=(), limits=limits, seed=1)
    try:
        return play_match(setup, [seat, FirstMove()])
    finally:
        seat.stop()


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_a_line_with_what_to_do(mistake: str, tmp_path: Path) -> None:
    detail = played(tmp_path, f"def choose(state, clock):\n    {mistake}\n").detail
    assert MISTAKES[mistake] in detail
    assert len(detail) <= FAULT_MAX
    assert "\n" not in detail


@pytest.mark.slow
def test_an_error_in_a_library_names_the_line_of_the_bot(tmp_path: Path) -> None:
    assert played(tmp_path, LIBRARY).detail.endswith("(bot.py line 4)")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numppy_\n", "bot.py line 1: No module named 'numppy_': "),
        ("import zzqqx\n", "install it where the league runs (pip install zzqqx), or put zzqqx.py"),
        ("import jsn\n", "did you mean 'json'?"),
        (
            "class Mine:\n    def choose(state, clock): return 0\n",
            "choose in class Mine lacks self: write def choose(self, state, clock)",
        ),
    ],
)
def test_a_file_that_does_not_load_is_told_what_to_do(
    source: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(source)
    seat = PythonSeat(take_snapshot("bot", str(path), {}), Limits(start_s=ENDLESS_S))
    with pytest.raises(SeatFault) as caught:
        seat.start()
    seat.stop()
    assert expected in caught.value.detail


@pytest.mark.slow
def test_a_method_without_self_is_told(tmp_path: Path) -> None:
    source = (
        "class Mine:\n    def pick(state):\n        return 0\n"
        "    def choose(self, state, clock):\n        return self.pick(state)\n"
    )
    assert "write self first, def pick(self, ...)" in played(tmp_path, source).detail


LOOPS = "def think():\n    while True:\n        {}\n\n\ndef choose(state, clock):\n    think()\n"


@pytest.mark.slow
@pytest.mark.parametrize("inside", ["pass", "__import__('time').sleep(99)", "sum(range(10 ** 12))"])
@pytest.mark.parametrize(
    "isolation",
    [
        Isolation.NONE,
        Isolation.LIMITS,
        pytest.param(
            Isolation.SANDBOX,
            marks=pytest.mark.skipif(bool(why_no_sandbox()), reason="no sandbox"),
        ),
    ],
)
def test_a_bot_out_of_time_is_told_where_it_was(
    inside: str, isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.python.python_seat.SAMPLE_S", ENDLESS_S)
    record = played(tmp_path, LOOPS.format(inside), Limits(move_s=0.1, isolation=isolation))
    assert record.termination is Termination.TIME_FORFEIT
    assert "; it was in `think`, bot.py line " in record.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    "defence",
    [
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
        "import signal; signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "import signal; signal.signal(signal.SIGUSR1, signal.SIG_DFL)",
        "import faulthandler, signal; faulthandler.unregister(signal.SIGUSR1)",
    ],
)
def test_a_bot_that_tells_nothing_is_late_all_the_same(defence: str, tmp_path: Path) -> None:
    record = played(tmp_path, f"{defence}\n{LOOPS.format('pass')}", Limits(move_s=0.1))
    assert record.termination is Termination.TIME_FORFEIT
    assert "it was in" not in record.detail
    assert record.fault_wall_ns is not None


@pytest.mark.slow
def test_a_bot_that_loops_at_the_top_of_its_file_is_told_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.seats.python.python_seat.SAMPLE_S", ENDLESS_S)
    detail = played(tmp_path, "x = 0\nwhile True:\n    x += 1\n", Limits(start_s=3.0)).detail
    assert detail.startswith("took more than 3 s to start: it was in bot.py line ")


FOLDER = Path("/bots/é")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([b"Current thread 0x1 (most recent call first):"], ""),
        (
            [b'  File "/lib/json.py", line 3 in loads', rb'  File "/bots/\xe9/a.py", line 7 in f'],
            "`f`, a.py line 7",
        ),
        ([rb'  File "/bots/\xe9/a.py", line 7 in <module>'], "a.py line 7"),
        ([rb'  File "/bots/other/a.py", line 7 in f'], ""),
        ([b'  File "/bots/\\xe9/\x1b[31m.py", line 7 in f'], "`f`, .py line 7"),
        ([b"x" * 99999, b"\xff\xfe", b'{"ask":1,"move":3}'], ""),
        ([rb'  File "/bots/\xe9/a.py", line 99999999 in f'], ""),
    ],
)
def test_a_dump_is_read_as_what_a_stranger_wrote(lines: Sequence[bytes], expected: str) -> None:
    assert place_in(lines, FOLDER) == expected


@pytest.mark.slow
@pytest.mark.parametrize("game", ["othello", "chess", "connectfour", "tablut"])
def test_a_frozen_position_is_as_good_as_any(game: str, tmp_path: Path) -> None:
    """Pickles, copies, equality and what a game remembers go on; children are not frozen."""
    source = (
        "import copy, pickle\n"
        "def choose(state, clock):\n"
        "    child = state.play(state.legal_moves()[0])\n"
        "    again = pickle.loads(pickle.dumps(state))\n"
        "    assert again == state and state == again and hash(again) == hash(state)\n"
        "    assert copy.copy(state) == copy.deepcopy(state) == state\n"
        "    assert isinstance(child, state.__class__) and isinstance(state, type(child))\n"
        "    state.render(), state.svg(), state.order(state.legal_moves())\n"
        "    return state.legal_moves()[0]\n"
    )
    path = tmp_path / "bot.py"
    path.write_text(source)
    rules, limits = find_game(game), Limits(max_plies=6)
    seat = PythonSeat(take_snapshot("bot", str(path), {}), limits)
    setup = MatchSetup(game=rules, versions=[0, 0], opening=(), limits=limits, seed=1)
    try:
        record = play_match(setup, [seat, FirstMove()])
    finally:
        seat.stop()
    assert record.termination is Termination.MOVE_LIMIT, record.detail
