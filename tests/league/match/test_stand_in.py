"""Moves that a game plays for bots that fail, so that the match goes on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from games.rps import RockPaperScissors, RpsState
from games.support.contract import BrokenError, check_moves
from games.support.game import Game, State
from games.support.moves import WireMove
from league.match.own_texts import HIDDEN_DETAIL, with_own_texts
from league.match.play import FALLS, MatchSetup, play_match
from league.model.records import Limits, MatchRecord, MoveFault, Termination
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat
from league.seats.seat import MoveBudget, Seat, SeatAnswer, SeatFault
from tests.league.seats.firstmove import FirstMove

LIMITS = Limits(move_s=0.2)
SCISSORS = 2


class Lenient(RpsState):
    """Plays scissors for a bot that fails."""

    __slots__ = ()

    def together(self, moves: tuple[int, ...]) -> "Lenient":
        """Play a round."""
        return Lenient(self.game, super().together(moves).rounds)

    def stand_in(self, seat: int) -> int:
        """Play scissors."""
        return SCISSORS


@dataclass(frozen=True)
class LenientGame(RockPaperScissors):
    """Rock, paper, scissors in which faults cost a round."""

    def initial(self) -> Lenient:
        """Return the position before the first round."""
        return Lenient(self, ())


class Failing(FirstMove):
    """Plays rock, and fails in some of its rounds in the ways given."""

    def __init__(self, faults: dict[int, SeatFault | int]) -> None:
        super().__init__()
        self.faults, self.round = faults, 0
        self.starts: list[int] = []

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Note the round."""
        self.starts.append(self.round)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Play rock, or fail."""
        self.round += 1
        failed = self.faults.get(self.round, 0)
        if isinstance(failed, SeatFault):
            raise failed
        return SeatAnswer(failed, wall_ns=1_000_000, cpu_ns=None, over_ns=0)


def late() -> SeatFault:
    """Return the fault of a bot that is late."""
    return SeatFault(Termination.TIME_FORFEIT, "no move in time", wall_ns=300_000_000)


def played(rounds: int, *seats: Seat, game: type[Game] = LenientGame) -> MatchRecord:
    """Play a match of some rounds."""
    setup = MatchSetup(
        game=game(rounds=rounds),  # type: ignore[call-arg]
        versions=(1, 2),
        opening=(),
        limits=LIMITS,
        seed=1,
    )
    return play_match(setup, seats)


def test_a_late_bot_loses_a_round_and_goes_on() -> None:
    bot = Failing({2: late()})
    record = played(3, FirstMove(), bot)
    assert record.notation == "rock rock rock scissors rock rock"
    assert (record.termination, record.fault_seat) == (Termination.RULES, None)
    assert record.utilities == (1.0, -1.0)
    fault = MoveFault(1, Termination.TIME_FORFEIT, "no move in time")
    assert [move.fault for move in record.moves] == [None, None, None, fault, None, None]
    assert record.moves[3].wall_ns == 300_000_000
    assert record.move_faults == [fault]
    assert bot.stopped == 1, "it may still be computing"
    assert bot.starts == [0, 2], "started again with its next question"


def test_an_illegal_move_ends_no_process() -> None:
    bot = Failing({1: 9, 2: 9})
    record = played(3, FirstMove(), bot)
    assert record.notation == "rock scissors rock scissors rock rock"
    told = [str(fault) for fault in record.move_faults]
    assert len(told) == 2
    assert all(each.startswith("illegal move: answered an illegal move 9") for each in told)
    assert (bot.stopped, bot.starts) == (0, [0])


def test_a_bot_that_fails_again_and_again_is_not_asked_any_more() -> None:
    bot = Failing({number: late() for number in range(1, 100)})
    record = played(8, FirstMove(), bot)
    assert bot.round == FALLS + 1
    assert record.notation == " ".join(["rock scissors"] * 8)
    assert record.move_faults[-1].detail == f"is out: it has failed {FALLS + 1} times"
    assert record.scores == (1.0, 0.0)


def test_who_resigns_is_out() -> None:
    bot = Failing({1: SeatFault(Termination.RESIGNATION, "resigned")})
    played(4, FirstMove(), bot)
    assert bot.round == 1


def test_both_may_fail_in_a_round() -> None:
    record = played(2, Failing({1: late()}), Failing({1: late()}))
    assert record.notation == "scissors scissors rock rock"
    assert [fault.seat for fault in record.move_faults] == [0, 1]


class NeverThere(FirstMove):
    """Does not start."""

    def start(self) -> int:
        """Fail."""
        raise SeatFault(Termination.CRASH, "is not there")


def test_a_bot_that_does_not_start_leaves_the_others_their_match() -> None:
    record = played(6, FirstMove(), NeverThere())
    assert record.termination is Termination.RULES
    assert record.notation == " ".join(["rock scissors"] * 6)
    assert record.stand_ins == (0, 6)
    told = [fault.detail for fault in record.move_faults]
    assert told == ["is not there"] * FALLS + [f"is out: it has failed {FALLS + 1} times"] * 3


def test_where_nobody_starts_nobody_has_points() -> None:
    record = played(6, NeverThere(), NeverThere())
    assert (record.termination, record.scores) == (Termination.CRASH, (0.0, 0.0))


def test_other_games_end_with_a_fault() -> None:
    record = played(3, FirstMove(), Failing({2: late()}), game=RockPaperScissors)
    assert (record.termination, record.fault_seat) == (Termination.TIME_FORFEIT, 1)


def test_other_teams_do_not_see_the_details() -> None:
    record = played(3, Failing({1: late()}), Failing({2: late()}))
    told = [fault.detail for fault in with_own_texts(record, [1]).move_faults]
    assert told == ["no move in time", HIDDEN_DETAIL]


def test_a_move_that_is_not_legal_breaks_the_contract() -> None:
    class Wrong(Lenient):
        __slots__ = ()

        def stand_in(self, seat: int) -> int:
            return 7

    check_moves(Lenient(LenientGame(), ()))
    with pytest.raises(BrokenError, match="stand_in"):
        check_moves(Wrong(LenientGame(), ()))


LOOPS_ONCE = """
def choose(view, clock):
    while len(view.events) == 1:
        pass
    return 0
"""


def test_a_process_that_loops_is_ended_and_started_again(tmp_path: Path) -> None:
    path = tmp_path / "loops.py"
    path.write_text(LOOPS_ONCE)
    version = replace(take_snapshot("loops", str(path), {}), id=2)
    seat = make_seat(version, LIMITS)
    try:
        record = played(4, FirstMove(), seat)
    finally:
        seat.stop()
    assert record.notation == "rock rock rock scissors rock rock rock rock"
    assert [fault.termination for fault in record.move_faults] == [Termination.TIME_FORFEIT]
