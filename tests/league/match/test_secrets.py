"""Matches of games with secrets: what reaches a bot's process, and simultaneous moves."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from games.support.game import State
from games.support.moves import WireMove
from games.support.specs import find_game
from games.support.view import View
from league.execution.live_feed import LiveFeed
from league.execution.worker import MatchJob, Worker
from league.match.play import MatchSetup, play_match
from league.model.records import (
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    Termination,
)
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat, refusal_of
from league.seats.process.bot_process import BotProcess
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatAnswer, SeatKilled
from tests.league.in_process import InProcessSeat, Script
from tests.waiting import ENDLESS_S

LIMITS = Limits(move_s=ENDLESS_S, start_s=ENDLESS_S)

PASSES = "def choose(view, clock):\n    return 0\n"

ILLEGAL = "def choose(view, clock):\n    return 99\n"

TELLS = """
def choose(view, clock):
    print(view.seat, view.to_move, view.events, view.legal_moves(), view.cells(), view.render())
    return view.legal_moves()[len(view.events) % len(view.legal_moves())]
"""

TELLS_CLOCKS = """
def choose(view, clock):
    print(clock.remaining_s, clock.increments_s)
    return view.legal_moves()[0]
"""

PLAYS_ON = """
def choose(view, clock):
    return view.play(0)
"""


def bot(folder: Path, name: str, text: str, number: int) -> BotVersion:
    """Return a bot made of that text."""
    path = folder / f"{name}.py"
    path.write_text(text)
    version = take_snapshot(name, str(path), {})
    return BotVersion(
        version.name, version.spec, files=version.files, digest=version.digest, id=number
    )


def played(
    spec: str, bots: list[BotVersion], *seeds: int, limits: Limits = LIMITS
) -> Iterator[MatchRecord]:
    """Play a match with each of the seeds."""
    seats = [make_seat(each, limits) for each in bots]
    game = find_game(spec)
    try:
        for seed in seeds:
            setup = MatchSetup(game=game, versions=[1, 2], opening=(), limits=limits, seed=seed)
            yield play_match(setup, seats)
    finally:
        for seat in seats:
            seat.stop()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[bytes]]:
    """All bytes that are written to each process."""
    found: dict[int, list[bytes]] = {}
    write = BotProcess.write

    def record(self: BotProcess, data: bytes, deadline_ns: int) -> None:
        found.setdefault(id(self), []).append(data)
        write(self, data, deadline_ns)

    monkeypatch.setattr(BotProcess, "write", record)
    return found


def test_what_a_seat_may_not_know_changes_no_byte_that_is_sent_to_it(
    tmp_path: Path, written: dict[int, list[bytes]]
) -> None:
    sent: dict[str, set[bytes]] = {}
    deals = set()
    bots = [bot(tmp_path, "a", PASSES, 1), bot(tmp_path, "b", PASSES, 2)]
    for number, record in enumerate(played("kuhn", bots, *range(25))):
        if not number:
            # The bots are loaded.
            for messages in written.values():
                messages.clear()
            continue
        deals.add(record.notation)
        own = record.notation.split()
        for seat, messages in enumerate(filter(None, written.values())):
            # Its own seed, the number of a question and the time when its clock ends differ.
            told = re.sub(rb'"seed":\d+|\[\d+,|\d{12,}', b"", b"".join(messages))
            messages.clear()
            sent.setdefault(f"{seat} has {own[seat]}", set()).add(told)
    assert len(deals) == 6
    assert len(sent) == 6
    assert all(len(each) == 1 for each in sent.values())


def test_a_bot_sees_its_own_card_and_the_bets(tmp_path: Path) -> None:
    (record,) = played("kuhn", [bot(tmp_path, "a", TELLS, 1), bot(tmp_path, "b", TELLS, 2)], 2)
    first, second, *bets = record.notation.split()
    assert bets[:2] == ["bet", "pass"]
    assert f"0 0 ('you have {first}',) (0, 1) () you have {first}" in record.log
    assert f"1 1 ('you have {second}', 'First: bet') (0, 1)" in record.log
    assert f"have {second}" not in record.log.partition("seat 1")[0]


def test_a_choice_is_not_seen_before_all_have_chosen(tmp_path: Path) -> None:
    bots = [bot(tmp_path, "a", TELLS, 1), bot(tmp_path, "b", TELLS, 2)]
    (record,) = played("rps?rounds=3", bots, 5)
    assert record.termination is Termination.RULES
    assert record.notation == "rock rock paper paper scissors scissors"
    for seat in (0, 1):
        told = re.findall(rf"^{seat} {seat} (\(.*?\)) \(0, 1, 2\)", record.log, re.MULTILINE)
        assert told == ["()", "('rock rock',)", "('rock rock', 'paper paper')"]


def order_of_questions(first: int, second: int) -> list[int]:
    """Return the seats of 400 questions in pairs, of bots that always choose the same."""
    asked: list[int] = []

    def script(choice: int) -> Script:
        def move(state: State) -> int:
            assert isinstance(state, View)
            assert state.seat is not None
            asked.append(state.seat)
            return choice

        return Script(move=move)

    for seed in range(10):
        setup = MatchSetup(
            game=find_game("rps"), versions=[1, 2], opening=(), limits=LIMITS, seed=seed
        )
        version = BotVersion("scripted", "scripted")
        play_match(setup, [InProcessSeat(version, script(each)) for each in (first, second)])
    return asked


def test_who_is_asked_first_depends_on_no_choice() -> None:
    asked = order_of_questions(0, 0)
    assert len(asked) == 400
    assert all({*pair} == {0, 1} for pair in zip(asked[::2], asked[1::2], strict=True))
    # Within three standard deviations of a half, and as often after either.
    firsts = asked[::2]
    assert 70 < sum(firsts) < 130
    changes = [before != after for before, after in pairwise(firsts)]
    assert 70 < sum(changes) < 130
    assert all(order_of_questions(*each) == asked for each in ((2, 0), (0, 1), (1, 1)))


def test_a_seat_that_tries_a_taken_square_tries_again(tmp_path: Path) -> None:
    bots = [bot(tmp_path, "a", PASSES.replace("0", "view.legal_moves()[0]"), 1)] * 2
    (record,) = played("phantom_tictactoe", bots, 5)
    assert record.notation.startswith("a3 a3 b3 b3 c3 ")


def test_a_clock_does_not_tell_how_often_the_other_seat_has_moved(tmp_path: Path) -> None:
    bots = [bot(tmp_path, f"b{seat}", TELLS_CLOCKS, seat + 1) for seat in (0, 1)]
    limits = Limits(time="1000+60", start_s=ENDLESS_S)
    (record,) = played("phantom_tictactoe", bots, 5, limits=limits)
    told = re.findall(r"\((\d+)\S*, (\d+)\S*\) \(60.0, 60.0\)", record.log)
    assert len(told) == len(record.moves)
    # Its own clock has grown with its own moves, and it is told the same for the other one.
    assert {own for own, _ in told} > {"1000", "1059"}
    assert all(own == other for own, other in told)


@pytest.mark.parametrize(
    ("texts", "scores", "at_fault"),
    [
        ((ILLEGAL, PASSES), (0.0, 1.0), 0),
        ((PASSES, ILLEGAL), (1.0, 0.0), 1),
        ((ILLEGAL, ILLEGAL), (0.0, 0.0), 0),
    ],
)
def test_who_fails_at_the_same_time_loses_whatever_the_order(
    texts: tuple[str, str], scores: tuple[float, float], at_fault: int, tmp_path: Path
) -> None:
    bots = [bot(tmp_path, f"b{seat}", text, seat + 1) for seat, text in enumerate(texts)]
    for seed in range(4):
        (record,) = played("rps", bots, seed)
        assert record.termination is Termination.ILLEGAL_MOVE
        assert (record.scores, record.fault_seat) == (scores, at_fault)
        assert record.moves == ()


def test_a_bot_that_wants_to_look_further_is_told_why_it_can_not(tmp_path: Path) -> None:
    (record,) = played("kuhn", [bot(tmp_path, "a", PLAYS_ON, 1), bot(tmp_path, "b", PASSES, 2)], 1)
    assert record.termination is Termination.CRASH
    assert "Kuhn poker hides a part of the position" in record.detail
    assert "view.sample(random)" in record.detail


@pytest.mark.parametrize("spec", ["alphabeta", "minimax", "mcts", "iterative", "nodelist"])
def test_searches_of_whole_positions_are_refused(spec: str) -> None:
    told = refusal_of(spec, find_game("kuhn"), LIMITS)
    assert told == f"{spec} searches whole positions, and Kuhn poker does not show them"


@pytest.mark.parametrize("spec", ["uci:stockfish", "ugi:./bot", "gtp:gnugo"])
def test_protocols_without_views_are_refused(spec: str) -> None:
    told = refusal_of(spec, find_game("kuhn"), LIMITS)
    protocol = spec.partition(":")[0]
    assert told == (
        f"{protocol} can't say what a seat sees of Kuhn poker: Python and JSON lines can"
    )


LINES = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"id": asked["id"], "protocol": 1, "board": True}
    if asked["type"] == "move":
        told = [asked["events"], asked["legal"], asked["board"], "moves" in asked, "fen" in asked]
        answer = {"id": asked["id"], "move": asked["legal"][-1]}
        answer["report"] = {"text": json.dumps(told), "pv": ["bet", "bet"]}
    print(json.dumps(answer), flush=True)
"""


def test_a_program_gets_views_as_json_lines(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(LINES)
    command = f"exec:{sys.executable} {tmp_path}/bot.py"
    assert refusal_of(command, find_game("kuhn"), LIMITS) == ""
    bots = [BotVersion("lines", command, folder=str(tmp_path), id=number) for number in (1, 2)]
    (record,) = played("kuhn", bots, 4)
    first, second, *bets = record.notation.split()
    assert bets == ["bet", "bet"]
    reports = [move.report for move in record.moves if move.report]
    assert [json.loads(report.text) for report in reports] == [
        [[f"you have {first}"], ["pass", "bet"], f"you have {first}", False, False],
        [
            [f"you have {second}", "First: bet"],
            ["pass", "bet"],
            f"you have {second}\nFirst: bet",
            False,
            False,
        ],
    ]
    assert [report.pv for report in reports] == [(), ()]


def test_a_match_that_is_played_again_finds_no_bot_that_knows_its_luck() -> None:
    told: list[str] = []

    class Passes(InProcessSeat):
        """A bot that always passes; in the second seat, it is killed at its first move."""

        def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
            """Pass, or be killed."""
            told.append(f"{state.to_move} is asked")
            if state.to_move == 1 and told.count("1 is asked") == 1:
                raise SeatKilled("was killed")
            return SeatAnswer(0, wall_ns=0, cpu_ns=0, over_ns=0)

        def stop(self) -> None:
            """Forget all."""
            told.append(f"{self._version.id - 1} is stopped")

    worker = Worker(NO_ENVIRONMENT, LiveFeed(), lambda version, *rest: Passes(version))
    (result,) = worker.play([kuhn_job()])
    assert result.match is not None
    again = told.index("0 is asked", 1)
    assert {*told[:again]} == {"0 is asked", "1 is asked", "0 is stopped", "1 is stopped"}
    assert told[again:] == ["0 is asked", "1 is asked"]


def kuhn_job() -> MatchJob:
    """Return a match between two random bots."""
    return MatchJob(
        key=MatchKey(0, 0),
        tournament=1,
        game="kuhn",
        versions=tuple(BotVersion("random", "random", id=number) for number in (1, 2)),
        opening=(),
        limits=LIMITS,
        seed=1,
    )


def test_who_watches_a_match_with_secrets_sees_none_before_the_end() -> None:
    class Spy(LiveFeed):
        """Keeps what a feed is given."""

        given: tuple[object, ...] = ()

        def begin(self, *told: object) -> None:
            """Keep it."""
            self.given = told

    feed = Spy()
    worker = Worker(BotEnvironment(), feed)
    try:
        (result,) = worker.play([kuhn_job()])
    finally:
        worker.stop()
    assert result.match is not None
    assert result.match.answers >= 2
    assert feed.given == (MatchKey(0, 0), (), ())
