"""Chess engines: what they are told, and what becomes of what they answer."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.chess.rules import ChessState
from games.support.specs import find_game
from league.match.clocks import Clocks
from league.match.play import MatchSetup, play_match
from league.match.replay import frames_of
from league.model.records import Limits, MatchRecord, MoveRecord, ReportRecord, Termination
from league.seats.bot_specs import make_seat, refusal_of
from league.seats.engine.engine_seat import EngineSeat
from league.seats.engine.uci_info import MATE, SearchInfo
from league.seats.protocols.uci import SYNCHRONISED, PositionLine, go_line
from league.seats.seat import MoveBudget, Seat, SeatFault
from tests.engines.build import plain_bot
from tests.league.seats.clock import clock
from tests.league.seats.scripted import engine
from tests.processes import state_of
from tests.waiting import ENDLESS_S, PATIENCE_S

CHESS = find_game("chess")
LIMITS = Limits(move_s=0.1, grace_s=ENDLESS_S, start_s=ENDLESS_S, max_plies=60)
SHORT = replace(LIMITS, grace_s=0.05)
"""For engines that never answer, or not before they are told to."""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@contextmanager
def seated(program: Path, *options: dict[str, object]) -> Iterator[list[Seat]]:
    """Yield a seat for each set of options, and end them all."""
    seats: list[Seat] = [make_seat(plain_bot(program, **each), LIMITS) for each in options]
    try:
        yield seats
    finally:
        pids = [seat.pid for seat in seats if isinstance(seat, EngineSeat)]
        for seat in seats:
            seat.stop()
        assert not any(pid and state_of(pid) for pid in pids)


def play(program: Path, seat: int, limits: Limits = LIMITS, **options: object) -> MatchRecord:
    """Return a match of an engine under these options against a good one that has all the time."""
    handicaps = [ENDLESS_S, ENDLESS_S]
    handicaps[seat] = 1.0
    line: list[dict[str, object]] = [{}, {}]
    line[seat] = options
    with seated(program, *line) as seats:
        return play_match(
            MatchSetup(
                game=CHESS, versions=(1, 2), opening=(), limits=limits, seed=1, handicaps=handicaps
            ),
            seats,
        )


@pytest.mark.parametrize(
    ("budget", "line"),
    [
        (MoveBudget(move_s=0.25), "go movetime 250"),
        (MoveBudget(move_s=0.0001), "go movetime 1"),
        (MoveBudget(depth=4), "go depth 4"),
        (MoveBudget(nodes=5000), "go nodes 5000"),
        (MoveBudget(move_s=1.0, depth=4, nodes=9), "go movetime 1000 depth 4 nodes 9"),
        (MoveBudget(left_s=(60.0, 59.5)), "go wtime 60000 btime 59500"),
        (
            MoveBudget(left_s=(60.0, 0.0), increments_s=(0.6, 0.3), clock=clock("40/60+0.6")),
            "go wtime 60000 btime 1 winc 600 binc 300 movestogo 40",
        ),
        (MoveBudget(left_s=(9.0, 8.0), nodes=1), "go wtime 9000 btime 8000 nodes 1"),
        (MoveBudget(left_s=(9.0, 8.0), move_s=1.0), "go wtime 9000 btime 8000 movetime 1000"),
        (MoveBudget(left_s=(9.0, 0.5), move_s=1.0, seat=1), "go wtime 9000 btime 500"),
    ],
)
def test_go_tells_every_limit(budget: MoveBudget, line: str) -> None:
    assert go_line(budget) == line


def told(texts: str, first_seat: int = 0, spec: str = "chess") -> list[str]:
    """Return what the engine in that seat is told before each of its moves."""
    state = find_game(spec).initial()
    assert isinstance(state, ChessState)
    line, history, lines = PositionLine(state), list[int](), list[str]()
    for text in [*texts.split(), ""]:
        if state.to_move == first_seat:
            lines.append(line.at(history).removeprefix("position "))
        if text:
            history.append(state.parse(text))
            state = state.play(history[-1])
    return lines


def test_the_position_has_all_moves() -> None:
    assert told("Nf3 Nf6 e4") == ["startpos", "startpos moves g1f3 g8f6"]
    assert told("e4 Nf6 e5 d5", first_seat=1) == [
        "startpos moves e2e4",
        "startpos moves e2e4 g8f6 e4e5",
    ]


def test_the_first_position_of_the_game_is_told() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 9"
    assert told("Kd1 Kd8", spec=f"chess?fen={fen}") == [
        f"fen {fen}",
        f"fen {fen} moves e1d1 e8d8",
    ]
    assert told("", spec="chess?start=518") == [f"fen {START}"]


@pytest.mark.slow
def test_every_told_line_leads_to_the_position() -> None:
    import random  # noqa: PLC0415 (one walk)

    draw = random.Random(2)
    state = CHESS.initial()
    assert isinstance(state, ChessState)
    line, history = PositionLine(state), list[int]()
    while state.outcome() is None:
        if state.to_move == 0:
            words = line.at(history).removeprefix("position ")
            head, _, moves = words.partition(" moves ")
            there = CHESS.position(START if head == "startpos" else head.removeprefix("fen "))
            for code in moves.split():
                there = there.play(there.decode(code))
            assert there == state
            assert there.fen() == state.fen()
        history.append(draw.choice(state.legal_moves()))
        state = state.play(history[-1])


def report(*lines: str) -> ReportRecord | None:
    """Return what is told of a search of the first position by these lines."""
    info = SearchInfo()
    for line in lines:
        info.add(f"info {line}".encode())
    return info.report()


E2E4 = 12 | 28 << 6


def test_the_last_line_that_has_a_score_is_told() -> None:
    assert report(
        "depth 1 score cp 10 nodes 20 pv d2d4",
        "depth 2 seldepth 5 multipv 1 score cp -35 nodes 66 nps 6600 tbhits 3 time 1 pv e2e4 e7e5",
        "nodes 67 hashfull 41 time 2",
    ) == ReportRecord(
        depth=2,
        nodes=67,
        score=-0.35,
        pv=(E2E4, 52 | 36 << 6),
        seldepth=5,
        nps=6600,
        tbhits=3,
        hashfull=41,
        time_ms=2,
    )


@pytest.mark.parametrize(
    "later",
    [
        "depth 3 multipv 2 score cp 99 nodes 50 pv d2d4",
        "depth 3 score cp 99 lowerbound nodes 50 pv d2d4",
        "depth 3 score cp 99 upperbound nodes 50 pv d2d4",
        "depth 3 currmove d2d4 currmovenumber 2 nodes 50",
        "nodes 50 currmovenumber 3",
    ],
)
def test_bounds_and_second_lines_count_nodes_alone(later: str) -> None:
    found = report("depth 2 multipv 1 score cp 10 nodes 20 pv e2e4", later)
    assert found == ReportRecord(depth=2, nodes=50, score=0.1, pv=(E2E4,))


@pytest.mark.parametrize(("number", "sign"), [(3, 1), (-2, -1), (0, -1)])
def test_a_mate_is_worth_what_a_win_is(number: int, sign: int) -> None:
    found = report(f"depth 9 score mate {number} pv e2e4")
    assert found is not None
    assert (found.mate, found.score) == (number, sign * MATE)


@pytest.mark.parametrize(
    "line",
    [
        "string NNUE evaluation using nothing",
        "string score cp 1 nodes 3",
        "currmove e2e4 currmovenumber 1",
        "",
    ],
)
def test_lines_without_numbers_make_no_report(line: str) -> None:
    assert report(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "depth x score cp y nodes z pv e2e9",
        "depth -1 score cp 99999999999999999999 nodes 999999999999999999999 pv",
        "score nodes depth",
        "score mate nodes \x00",
        "score cp 1.5 nodes 1e9 pv Nf3",
    ],
)
def test_numbers_that_are_none_are_left_out(line: str) -> None:
    assert report(line) == ReportRecord()


def test_a_variation_is_read_as_far_as_it_is_legal() -> None:
    found = report("depth 1 score cp 5 nodes 1 pv e2e4 e7e5 e4e5 b8c6 Nf3 g1f3")
    assert found is not None
    assert found.pv == (E2E4, 52 | 36 << 6, 28 | 36 << 6, 57 | 42 << 6)
    record = MatchRecord(
        game=CHESS.spec,
        versions=(1, 2),
        seed=1,
        opening=(),
        moves=(MoveRecord(E2E4, report=found),),
        scores=(0.5, 0.5),
        termination=Termination.MOVE_LIMIT,
    )
    assert list(frames_of(record))[1].line == ("e4", "e5")


def test_other_games_and_no_limit_are_refused() -> None:
    assert refusal_of("uci:x", CHESS, LIMITS) == ""
    other = find_game("connectfour")
    assert refusal_of("uci:x", other, LIMITS) == "uci plays chess alone, not connectfour"
    assert "need a limit" in refusal_of("uci:x", CHESS, Limits())
    assert refusal_of("uci:x", CHESS, Limits(time="1")) == ""


def test_a_match_of_engines_is_played_and_reported(plain: Path) -> None:
    with seated(plain, {"Seed": 1, "Talk": "true"}, {"Seed": 2}) as seats:
        pids = []
        for seed in range(2):
            record = play_match(
                MatchSetup(game=CHESS, versions=(1, 2), opening=(), limits=LIMITS, seed=seed), seats
            )
            assert record.fault_seat is None
            assert record.moves[0].report == ReportRecord(
                depth=1, nodes=20, score=0.25, seldepth=2, nps=20000, tbhits=0, time_ms=1
            )
            assert record.moves[1].report is None
            pids.append([seat.pid for seat in seats if isinstance(seat, EngineSeat)])
    assert pids[0] == pids[1], "engines are kept between matches"


FAULTS = {
    "exit": (Termination.CRASH, "exited with status 3"),
    "crash": (Termination.CRASH, "SIGSEGV"),
    "illegal": (Termination.ILLEGAL_MOVE, "illegal move 'a1a1' in rnbq"),
    "none move": (Termination.ILLEGAL_MOVE, "has no move ('(none)') in rnbq.*, which is not over"),
    "null": (Termination.ILLEGAL_MOVE, "has no move ('0000') in rnbq"),
    "empty": (Termination.ILLEGAL_MOVE, "'bestmove' without a move"),
    "garbage": (Termination.ILLEGAL_MOVE, "illegal move '\ufffd'"),
    "late": (Termination.TIME_FORFEIT, r"it moved \d+\.\d+ s after it was told to stop"),
    "hang": (Termination.TIME_FORFEIT, "it did not move when told to stop either"),
    "flood": (Termination.CRASH, "flooded its output"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_engine_loses_for_the_reason_it_gave(
    plain: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    termination, detail = FAULTS[fault]
    if fault == "late":
        monkeypatch.setattr("league.seats.engine.engine_seat.HURRY_S", PATIENCE_S)
    seat = len(fault) % 2
    is_late = termination is Termination.TIME_FORFEIT
    record = play(plain, seat, SHORT if is_late else LIMITS, Fault=fault, At=2)
    assert (record.termination, record.fault_seat) == (termination, seat), record.detail
    assert re.search(detail.replace("(", r"\(").replace(")", r"\)"), record.detail), record.detail
    assert len(record.moves) == 2 + seat
    # A bot that fails at once must not use up its whole time.
    assert record.wall_ns < PATIENCE_S * 1e9
    assert "> go movetime 100" in record.log


def test_a_second_answer_is_none_to_the_next_question(plain: Path) -> None:
    record = play(plain, 0, Fault="twice", At=2)
    assert (record.fault_seat, len(record.moves)) == (None, LIMITS.max_plies)


def test_a_second_answer_that_comes_late_is_none_either() -> None:
    script = [
        ("^uci$", "uciok"),
        ("^isready$", "readyok"),
        ("^go movetime", "bestmove e2e4\nSLEEP 0.05\nbestmove e2e4"),
        ("^go depth", "bestmove g1f3"),
    ]
    later = CHESS.position("e4 e5")
    history = [CHESS.initial().parse("e4"), CHESS.position("e4").parse("e5")]
    seat = make_seat(engine("uci", script), LIMITS)
    try:
        seat.start()
        for _ in range(2):
            seat.new_match(CHESS, 0, 1, ())
            seat.ask(CHESS.initial(), (), MoveBudget(move_s=ENDLESS_S))
            answer = seat.ask(later, history, MoveBudget(depth=1, cap_s=ENDLESS_S))
            assert answer.wire == later.parse("Nf3")
    finally:
        seat.stop()


def test_an_engine_that_says_nothing_unasked_is_soon_trusted() -> None:
    greeting = [("^uci$", "uciok"), ("^isready$", "readyok")]
    for stray, is_trusted in (("", True), ("\ninfo string done", False)):
        seat = make_seat(engine("uci", [*greeting, ("^go", f"bestmove e2e4{stray}")]), LIMITS)
        try:
            seat.start()
            seat.new_match(CHESS, 0, 1, ())
            for _ in range(SYNCHRONISED + 1):
                seat.ask(CHESS.initial(), (), MoveBudget(move_s=ENDLESS_S))
            last = seat.log.rpartition("> position")[2]
        finally:
            seat.stop()
        assert ("> isready" not in last) is is_trusted


def test_the_log_has_what_the_engine_wrote_and_what_was_said(plain: Path) -> None:
    record = play(plain, 0, Fault="crash", At=1)
    assert record.log.splitlines()[0] == "about to fail"
    asked = ["> position startpos", "> isready", "> go movetime 100", "< readyok"]
    assert record.log.splitlines()[-4:] == asked


@pytest.mark.parametrize(
    ("options", "detail"),
    [
        ({"Sed": 1}, "offers no option 'Sed' (did you mean 'Seed'?)"),
        (
            {"Hashes": 1},
            "no option 'Hashes' (known: At, Fault, Line, Note, Ponder, Seed, Talk, Wipe)",
        ),
        ({"Seed": 1000001}, "option Seed=1000001: expected a whole number from 0 to 1000000"),
        ({"Seed": "x"}, "option Seed=x: expected a whole number"),
        ({"Talk": "yes"}, "option Talk=yes: expected true or false"),
        ({"Fault": "lat"}, "expected one of 'none', 'late', 'hang', 'exit', 'crash', 'illegal'"),
        ({"Wipe": "now"}, "option Wipe=now: expected no value, as it is a button: 'Wipe='"),
        ({"Note": "a\nquit"}, "expected one line of text"),
    ],
)
def test_options_are_checked_against_what_is_offered(
    plain: Path, options: dict[str, object], detail: str
) -> None:
    with seated(plain, options) as seats, pytest.raises(SeatFault) as fault:
        seats[0].start()
    assert detail in fault.value.detail


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"seed": 7}, "setoption name Seed value 7"),
        ({"TALK": "True"}, "setoption name Talk value true"),
        ({"Fault": "None Move"}, "setoption name Fault value none move"),
        ({"Wipe": ""}, "setoption name Wipe"),
        ({"Note": "two words"}, "setoption name Note value two words"),
        ({"Note": ""}, "setoption name Note value <empty>"),
    ],
)
def test_options_are_set_as_the_engine_names_them(
    plain: Path, options: dict[str, object], line: str
) -> None:
    with seated(plain, options) as seats:
        seats[0].start()
        assert f"> {line}" in seats[0].log.splitlines()


def test_chess960_is_refused_where_the_engine_has_no_option_for_it(plain: Path) -> None:
    game = find_game("chess?chess960=true")
    with seated(plain, {}) as seats:
        seats[0].start()
        with pytest.raises(SeatFault, match="offers no option UCI_Chess960"):
            seats[0].new_match(game, 0, 1, ())


@pytest.mark.slow
def test_a_program_that_speaks_no_uci_is_said_to(tmp_path: Path) -> None:
    limits = replace(LIMITS, start_s=0.3)
    seat = make_seat(plain_bot(Path("/bin/cat")), limits)
    with pytest.raises(SeatFault, match="did not answer 'uci' with 'uciok' within"):
        seat.start()
    seat.stop()


def moves_of(line: str) -> list[int | str]:
    """Return the moves of a line from the first position."""
    state, moves = CHESS.initial(), list[int | str]()
    for text in line.split():
        moves.append(state.parse(text))
        state = state.play(moves[-1])
    return moves


PONDERS = [
    ("^uci$", "option name Ponder type check\nuciok"),
    ("^is", "readyok"),
    ("^go p", "info depth 3"),
    ("^go wtime 6", "bestmove e2e4 ponder e7e5"),
    ("^go", "bestmove g1f3"),
    ("hit", "info depth 7 score cp 1\nbestmove g1f3"),
    ("^stop", "bestmove a2a3"),
]
PLACE = ["position startpos moves e2e4 c7c5"]
"""Where the match is after another reply than the engine expects."""

CLOCKS = MoveBudget(
    left_s=(60.0, 60.0), increments_s=(1.0, 1.0), grace_s=ENDLESS_S, clock=clock("60+1")
)
"""Under it the engine plays e4, and expects e5."""


@pytest.mark.parametrize(
    ("line", "asked", "depth"),
    [
        ("e4 e5", ["ponderhit"], 7),
        (
            "e4 c5",
            ["stop", *PLACE, "isready", "go wtime 50000 btime 60000"],
            None,
        ),
    ],
)
def test_an_engine_ponders_about_the_reply_that_it_expects(
    line: str, asked: list[str], depth: int | None
) -> None:
    limits = replace(LIMITS, move_s=None, time="60+1", may_ponder=True)
    seat = make_seat(engine("uci", PONDERS), limits)
    assert isinstance(seat, EngineSeat)
    try:
        seat.start()
        assert "> setoption name Ponder value true" in seat.log
        seat.new_match(CHESS, 0, 1, ())
        first = seat.ask(CHESS.initial(), [], CLOCKS)
        said = [each[2:] for each in seat.log.splitlines() if each.startswith("> ")]
        assert said[-2] == "position " + told("e4 e5")[-1]
        assert re.fullmatch(r"go ponder wtime 6\d{4} btime 60000 winc 1000 binc 1000", said[-1])
        state = CHESS.position(line)
        later = MoveBudget(left_s=(50.0, 60.0), grace_s=ENDLESS_S)
        second = seat.ask(state, moves_of(line), later)
        said = [each[2:] for each in seat.log.splitlines() if each.startswith("> ")]
        assert said[-len(asked) :] == asked
        assert second.wire == state.parse("Nf3")
        assert (second.report.depth if second.report else None) == depth
        seat.rest()
        seat.new_match(CHESS, 0, 1, ())
        assert seat.ask(CHESS.initial(), [], CLOCKS).wire == first.wire
        seat.rest()
        assert seat.log.endswith("> stop")
        seat.new_match(CHESS, 0, 1, ())
        assert seat.ask(CHESS.initial(), [], CLOCKS).wire == first.wire
    finally:
        seat.stop()


def test_an_engine_ponders_by_the_clock_of_the_next_period() -> None:
    script = [*PONDERS[:3], ("^go", "bestmove e2e4 ponder e7e5")]
    limits = replace(LIMITS, move_s=None, time="1/60+1:5/30d2", may_ponder=True)
    seat = make_seat(engine("uci", script), limits)
    try:
        seat.start()
        seat.new_match(CHESS, 0, 1, ())
        clocks = Clocks([limits] * 2)
        answer = seat.ask(CHESS.initial(), [], clocks.budget(0))
        clocks.spend(0, answer.wall_ns)
        left_ms = int(clocks.budget(0).left_s[0] * 1000)
        assert 80_000 < left_ms < 93_000
        assert seat.log.splitlines()[-1] == (
            f"> go ponder wtime {left_ms} btime 60000 winc 2000 binc 1000 movestogo 5"
        )
    finally:
        seat.stop()


@pytest.mark.parametrize(
    "limits", [replace(LIMITS, may_ponder=False), replace(LIMITS, move_s=None, nodes=9)]
)
def test_without_leave_or_time_no_engine_ponders(limits: Limits) -> None:
    seat = make_seat(engine("uci", PONDERS), replace(limits, may_ponder=limits.nodes is not None))
    assert isinstance(seat, EngineSeat)
    try:
        seat.start()
        seat.new_match(CHESS, 0, 1, ())
        seat.ask(CHESS.initial(), [], CLOCKS)
        assert "onder value" not in seat.log
        assert "go ponder" not in seat.log
    finally:
        seat.stop()


@pytest.mark.slow
def test_pondering_engines_play_whole_matches(plain: Path) -> None:
    game = CHESS.with_options({"fen": "8/8/8/3k4/8/8/8/RK6 w - - 0 1"})
    limits = replace(LIMITS, move_s=None, time="1h", may_ponder=True, max_plies=60)
    seats = [make_seat(plain_bot(plain, Seed=seed), limits) for seed in (1, 2)]
    hits = misses = 0
    try:
        for _ in range(3):
            setup = MatchSetup(game=game, versions=(1, 2), opening=(), limits=limits, seed=1)
            record = play_match(setup, seats)
            assert record.termination in (Termination.MOVE_LIMIT, Termination.RULES)
            for seat in seats:
                assert isinstance(seat, EngineSeat)
                talk = seat.log
                hits += talk.count("> ponderhit")
                misses += talk.count("> stop")
                seat.rest()
    finally:
        for seat in seats:
            seat.stop()
    assert hits
    assert misses
