"""People at one board, and what a session keeps of a match."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from games.phantom_tictactoe import PhantomState
from games.support.errors import MoveError
from games.support.moves import read_move
from games.support.specs import find_game
from games.support.view import View
from league.api.sessions import session_of
from league.match.session import Session
from league.model.records import BotVersion, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.seat import SeatFault, SeatKilled
from tests.league.command import below
from tests.paths import EXAMPLES
from tests.processes import is_computing, state_of
from tests.waiting import ENDLESS_S, PATIENCE_S, wait_until


def two_people(game: str, *moves: str) -> Session:
    """Return a session without a bot, in which these moves were made."""
    session = session_of(None, game, None, 0)
    for move in moves:
        session.play(move)
    return session


def test_two_people_take_all_seats_in_turn_and_take_moves_back() -> None:
    with two_people("tictactoe", "a1", "b2") as session:
        assert session.is_persons_turn
        assert session.undo()
        assert session.state.to_move == 1
        for move in ("b1", "a2", "c1", "a3"):
            session.play(move)
        assert session.is_over
        assert session.result() == "X won by three in a row."
        record = session.record()
    assert (record.notation, record.scores) == ("a1 b1 a2 c1 a3", (1.0, 0.0))
    assert (record.termination, record.versions) == (Termination.RULES, (0, 0))
    assert len(record.moves) == 5


def test_a_result_says_how_the_game_was_won() -> None:
    with two_people("connectfour", *"1212121") as session:
        assert session.result() == "Red won by four in a row."
    with two_people("othello") as session:
        while not session.is_over:
            session.play(session.state.text(session.state.legal_moves()[0]))
        assert re.fullmatch(r"(\w+ won|A draw) \(Black \d+, White \d+\)\.", session.result())


def test_a_result_among_three_says_the_places() -> None:
    with session_of(None, f"{EXAMPLES / 'pig.py'}?goal=2", None, 0) as session:
        while not session.is_over:
            if session.is_persons_turn:
                moves = session.state.legal_moves()
                session.play(session.state.text(moves[-1]))
            else:
                session.step()
        assert sorted(session.results()) in (["1st", "2nd", "2nd"], ["1st", "2nd", "3rd"])
        winner = session.game.seat_names[session.results().index("1st")]
        told = session.result()
        assert told.startswith(f"{winner} won")
        assert "came 2nd" in told
        assert len(session.places()) == 3


def test_the_one_to_move_resigns() -> None:
    session = two_people("tictactoe", "a1")
    session.resign()
    record = session.record()
    assert session.result() == "X won."
    assert (record.termination, record.fault_seat) == (Termination.RESIGNATION, 1)
    assert record.scores == (1.0, 0.0)


@pytest.mark.parametrize(
    ("game", "moves", "wrong", "reason"),
    [
        ("tictactoe", ["a1"], "A1", "'A1': the square is taken"),
        ("connectfour", ["1"] * 6, "1", "'1': the column is full"),
        ("othello", [], "a1", "'a1': it turns no disc"),
        ("breakthrough", [], "a2a2", "legal: "),
        ("pacman", [], "south", "'south': not among the ways from here"),
        ("tictactoe", ["a1", "a2", "b1", "b2", "c1"], "c3", "the match is over"),
    ],
)
def test_a_move_is_refused_for_the_reason_of_the_game(
    game: str, moves: list[str], wrong: str, reason: str
) -> None:
    state = find_game(game).initial()
    for move in moves:
        state = state.play(state.parse(move))
    with pytest.raises(MoveError, match=reason):
        read_move(state, wrong)


def test_a_bot_stands_still_while_the_person_thinks() -> None:
    version = BotVersion("mini", "minimax")
    with session_of(None, "tictactoe", version, 0, move_time=ENDLESS_S) as session:
        session.play("b2")
        session.step()
        # A signal takes its time to arrive.
        stopped = psutil.STATUS_STOPPED
        wait_until(lambda: any(state_of(pid) == stopped for pid, _ in below(os.getpid())))
        assert session.undo()
        assert session.plies == 0
        session.play("a1")
        assert session.step().seat == 1


def test_a_bot_is_killed_from_another_thread_while_it_is_asked() -> None:
    version = BotVersion("mini", "minimax")
    session = session_of(None, "mnk", version, 1, depth=50)
    with session, ThreadPoolExecutor(1) as threads:
        step = threads.submit(session.step)
        wait_until(lambda: any(is_computing(pid) for pid, _ in below(os.getpid())))
        session.interrupt()
        with pytest.raises((SeatFault, SeatKilled)):
            step.result(PATIENCE_S)


RANDOM = BotVersion("random", "random", id=1)


@pytest.mark.parametrize("spec", ["kuhn", "rps?rounds=3", "goofspiel?cards=3", "phantom_tictactoe"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_person_sees_only_a_view_before_the_end(spec: str, seat: int) -> None:
    with session_of(None, spec, RANDOM, seat, seed=4) as session:
        told: list[str] = []
        while not session.is_over:
            shown = session.state
            assert isinstance(shown, View)
            assert shown.seat == seat
            if session.is_persons_turn:
                assert not session.can_undo
                session.play(shown.text(shown.legal_moves()[-1]))
                assert not session.undo()
            else:
                step = session.step()
                assert step.report is None
                told += filter(None, [step.text])
        assert not isinstance(session.state, View)
        seen = session.state.view(seat)
        assert isinstance(seen, View)
        assert set("; ".join(told).split("; ")) <= {*seen.events, ""}
        assert session.result()
        assert session.record().notation


def test_a_person_can_not_count_the_tries_of_a_bot(tmp_path: Path) -> None:
    path = tmp_path / "first.py"
    path.write_text("def choose(view, clock):\n    return view.legal_moves()[0]\n")
    bot = take_snapshot("first", str(path), {})
    with session_of(None, "phantom_tictactoe", bot, 0) as session:
        session.play("a3")
        step = session.step()
        # It has tried a3, which is taken, and then b3.
        assert session.plies == 3
        assert (step.seat, step.text) == (1, "")
        assert session.is_persons_turn


def test_a_person_hears_no_reason_that_tells_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(state: PhantomState, move: int) -> str:
        return f"{state.text(move)}: the stones are at {state.squares(0)}" if move < 9 else ""

    monkeypatch.setattr(PhantomState, "refusal", refusal)
    with session_of(None, "phantom_tictactoe", RANDOM, 0, seed=4) as session:
        session.play("a3")
        session.step()
        with pytest.raises(MoveError) as refused:
            session.play("a3")
    assert "stones" not in str(refused.value)
