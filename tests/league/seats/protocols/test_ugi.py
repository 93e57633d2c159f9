"""UGI: what is said to a program, what is taken from it, and how it fails."""

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from games.support.game import State
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.errors import CheckError, SetupError
from league.model.records import BotVersion, Limits, MatchRecord, Termination
from league.model.tournament_spec import TournamentSpec
from league.registration.check import check
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat
from league.seats.protocols.ugi import UgiSeat, go_line
from league.seats.seat import MoveBudget, SeatFault
from league.store.store import open_store
from league.tournament.create import create_tournament
from tests.league.seats.clock import clock
from tests.league.seats.firstmove import FirstMove
from tests.league.seats.scripted import engine
from tests.paths import EXAMPLES
from tests.waiting import ENDLESS_S, PATIENCE_S

FOUR = find_game("connectfour")
LIMITS = Limits(move_s=0.2, grace_s=ENDLESS_S, start_s=ENDLESS_S)
SHORT = replace(LIMITS, grace_s=0.1)
"""For programs that never answer."""

EXAMPLE = EXAMPLES / "connectfour" / "ugi_bot.py"
UNTIMED = replace(LIMITS, move_s=None, cap_s=ENDLESS_S)
GREETING = [("^ugi$", "id name x\nugiok"), ("^isready$", "readyok")]


def example(**options: str) -> BotVersion:
    """Return the version of the example bot."""
    words = shlex.join([sys.executable, "-B", str(EXAMPLE)])
    return take_snapshot("example", f"ugi:{words}", options)


@contextmanager
def seat_of(version: BotVersion, limits: Limits = LIMITS) -> Iterator[UgiSeat]:
    """Yield the seat of a version, and end it."""
    seat = make_seat(version, limits)
    assert isinstance(seat, UgiSeat)
    try:
        yield seat
    finally:
        seat.stop()
        assert seat.pid is None


def played(version: BotVersion, spec: str = "connectfour", limits: Limits = LIMITS) -> MatchRecord:
    """Play a match of the version against the first legal move."""
    with seat_of(version, limits) as seat:
        return play_match(
            MatchSetup(game=find_game(spec), versions=(1, 2), opening=(), limits=limits, seed=1),
            [seat, FirstMove()],
        )


def test_the_example_plays_to_the_end_and_tells_what_it_thought() -> None:
    record = played(example(), limits=replace(LIMITS, move_s=ENDLESS_S, nodes=3000))
    assert record.termination is Termination.RULES, record
    assert record.scores == (1.0, 0.0)
    told = [move.report for move in record.moves[::2]]
    assert all(report and report.depth and report.nodes and report.pv for report in told)
    assert told[-1] is not None
    assert (told[-1].mate, told[-1].depth) == (1, 1)


def test_a_match_from_a_position_begins_there() -> None:
    fen = "7/7/7/3r3/3y3/2rry2 y"
    record = played(example(), FOUR.starting_at(fen).spec, replace(LIMITS, nodes=3000))
    assert record.game == f"connectfour?fen={fen}"
    assert record.termination is Termination.RULES, record


@pytest.mark.slow
def test_limits_of_depth_and_options_are_heeded() -> None:
    record = played(example(MAXDEPTH="2"), limits=replace(UNTIMED, depth=9))
    assert {move.report.depth for move in record.moves[:6:2] if move.report} == {2}
    record = played(example(), limits=replace(UNTIMED, depth=3))
    assert {move.report.depth for move in record.moves[:6:2] if move.report} == {3}
    record = played(example(), limits=replace(UNTIMED, nodes=500))
    assert all(200 < (move.report.nodes or 0) <= 500 for move in record.moves[:6:2] if move.report)


def test_a_position_is_sent_as_a_board_and_a_limit() -> None:
    script = [*GREETING, ("^go", "bestmove d")]
    with seat_of(engine("ugi", script)) as seat:
        seat.start()
        seat.new_match(FOUR, 0, 1, (3, 3))
        answer = seat.ask(
            FOUR.position("44"), (3, 3), MoveBudget(move_s=0.25, depth=4, grace_s=ENDLESS_S)
        )
        assert answer.wire == 3
        assert answer.report is None
        talk = seat.log
    assert "> uginewgame\n> isready\n" in talk
    told = "> position fen 7/7/7/7/3y3/3r3 r 2\n> isready\n> go movetime 250 depth 4\n"
    assert told in talk


def test_moves_are_sent_where_a_game_has_no_board_of_its_own() -> None:
    game = find_game("tablut")
    states: list[State] = [game.initial()]
    wires, texts = [], []
    for _ in range(3):
        move = states[-1].legal_moves()[0]
        wires.append(move)
        texts.append(states[-1].text(move))
        states.append(states[-1].play(move))
    with seat_of(engine("ugi", [*GREETING, ("^go", f"bestmove {texts[2]}")])) as seat:
        seat.start()
        seat.new_match(game, 0, 1, ())
        assert seat.ask(states[2], wires[:2], MoveBudget(move_s=ENDLESS_S)).wire == wires[2]
        assert f"position startpos moves {' '.join(texts[:2])}\n" in seat.log
        seat.new_match(game, 0, 1, ())
        with pytest.raises(SeatFault, match="illegal move"):
            seat.ask(states[0], (), MoveBudget(move_s=ENDLESS_S))
        assert "> position startpos\n" in seat.log


def test_moves_follow_the_board_that_the_match_began_at() -> None:
    fen = find_game("tablut").position("e4-f4").fen()
    state = find_game(f"tablut?fen={fen}").initial()
    move = state.legal_moves()[0]
    with seat_of(engine("ugi", [*GREETING, ("^go", "bestmove a1-a1")])) as seat:
        seat.start()
        seat.new_match(state.game, 0, 1, ())
        with pytest.raises(SeatFault, match="illegal move"):
            seat.ask(state.play(move), (move,), MoveBudget(move_s=ENDLESS_S))
        assert f"> position fen {fen} moves {state.text(move)}\n" in seat.log


@pytest.mark.parametrize(
    ("budget", "line"),
    [
        (MoveBudget(move_s=1.5), "go movetime 1500"),
        (MoveBudget(move_s=0.0001), "go movetime 1"),
        (MoveBudget(depth=4, nodes=1000), "go depth 4 nodes 1000"),
        (
            MoveBudget(move_s=9.0, left_s=(9.0, 4.5), increments_s=(0.1, 0.2)),
            "go p1time 9000 p2time 4500 p1inc 100 p2inc 200",
        ),
        (
            MoveBudget(left_s=(60.0, 60.0), clock=clock("40/60"), depth=7),
            "go p1time 60000 p2time 60000 p1inc 0 p2inc 0 movestogo 40 depth 7",
        ),
        (
            MoveBudget(move_s=1.0, left_s=(9.0, 4.5), seat=1),
            "go p1time 9000 p2time 4500 p1inc 0 p2inc 0 movetime 1000",
        ),
    ],
)
def test_every_limit_has_its_word(budget: MoveBudget, line: str) -> None:
    assert go_line(budget) == line


FAULTS = {
    "an illegal move": ("bestmove h", Termination.ILLEGAL_MOVE, "answered an illegal move 'h'"),
    "no move": (
        "bestmove (none)",
        Termination.ILLEGAL_MOVE,
        "answered 'bestmove (none)' instead of a move",
    ),
    "an empty answer": (
        "bestmove",
        Termination.ILLEGAL_MOVE,
        "answered 'bestmove' instead of a move",
    ),
    "silence": ("info string hm", Termination.TIME_FORFEIT, "did not move when told to stop"),
    "lateness": ("SLEEP 0.4\nbestmove a", Termination.TIME_FORFEIT, "after it was told to stop"),
    "an exit": ("EXIT 3", Termination.CRASH, "exited with status 3"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", FAULTS)
def test_what_a_program_does_wrong_is_named(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, termination, detail = FAULTS[what]
    is_late = termination is Termination.TIME_FORFEIT
    if what == "lateness":
        monkeypatch.setattr("league.seats.engine.engine_seat.HURRY_S", PATIENCE_S)
    version = engine("ugi", [*GREETING, ("^go", answer)])
    record = played(version, limits=SHORT if is_late else LIMITS)
    assert (record.termination, record.fault_seat) == (termination, 0), record
    assert detail in record.detail
    assert "> " in record.log
    assert "go movetime 200" in record.log


def test_an_answer_given_twice_answers_one_question() -> None:
    record = played(engine("ugi", [*GREETING, ("^go", "bestmove g\nbestmove h")]))
    # Four discs in the last column, and the `h` that followed each counted for nothing.
    assert [move.move for move in record.moves[::2]] == [6, 6, 6, 6]
    assert record.termination is Termination.RULES


def test_an_option_of_the_game_is_told_or_refused() -> None:
    greeting = [
        ("^ugi$", "option name columns type spin default 7 min 4 max 16\nugiok"),
        ("^isready$", "readyok"),
        ("^go", "bestmove h"),
    ]
    wide, usual = find_game("connectfour?columns=8"), FOUR
    with seat_of(engine("ugi", greeting)) as seat:
        seat.start()
        logs = []
        for game in (usual, wide, wide, usual):
            seat.new_match(game, 0, 1, ())
            logs.append(re.findall("setoption.*", seat.log))
        told, back = "setoption name columns value 8", "setoption name columns value 7"
        assert logs == [[], [told], [], [back]]
        with pytest.raises(SeatFault, match=r"connect=5: it offers no option 'connect'"):
            seat.new_match(find_game("connectfour?connect=5"), 0, 1, ())


@pytest.mark.slow
def test_options_are_checked_against_what_is_offered() -> None:
    game = [FOUR]
    for options, told in (
        ({"MaxDept": "3"}, "offers no option 'MaxDept' (did you mean 'MaxDepth'?)"),
        ({"Contempt": "3"}, "offers no option 'Contempt' (known: MaxDepth)"),
        ({"maxdepth": "0"}, "option MaxDepth=0: expected a whole number from 1 to 42"),
    ):
        with pytest.raises(CheckError) as caught:
            check(example(**options), game)
        assert told in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1


def test_a_program_that_speaks_no_ugi_is_told_so() -> None:
    version = BotVersion("cat", "ugi:cat", options={}, folder="/")
    with (
        seat_of(version, replace(LIMITS, start_s=0.3)) as seat,
        pytest.raises(SeatFault, match=r"did not answer 'ugi' with 'ugiok' within 0\.3 s"),
    ):
        seat.start()


def test_games_that_ugi_can_not_play_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="UGI is for two seats, and pacman has 3"):
        check(example(), [find_game("pacman")])
    with pytest.raises(CheckError, match="UGI knows no luck"):
        check(example(), [find_game("tree?file=chance")])
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        for name in ("one", "two"):
            store.bots.register(replace(example(), name=name))
        store.bots.register(BotVersion("random", "random"))
        with pytest.raises(SetupError, match="bot 'one' can't play: UGI needs a limit"):
            create_tournament(
                store,
                TournamentSpec(
                    game="connectfour", bots=["one", "two"], rounds=1, limits=Limits(), seed=1
                ),
            )
        row = create_tournament(
            store, TournamentSpec(game="connectfour", bots=["all"], rounds=1, limits=LIMITS, seed=1)
        )
        assert len(row.config.entrants) == 3
