"""Repeat one move of a stored match: the same version, history, seed and limits."""

from dataclasses import dataclass, replace
from typing import Annotated

from games.support.errors import MoveError
from games.support.game import CHANCE, State
from games.support.moves import decode_move
from games.support.view import asked_about
from league.analysis.replay import Replay
from league.match.clocks import Clocks
from league.match.seeds import seed_of
from league.model.document import BotLabel, Count, Id, SeatNumber, about, document
from league.model.errors import SetupError
from league.model.records import Isolation, Limits, ReportRecord, Termination
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.seats.seat import Seat, SeatAnswer, SeatFault, SeatKilled, SeatUnavailable
from league.store.store import StoreReader


@document(
    "RepeatedMove",
    "bot seat ply answered stored fault stored_fault detail wall_ns report log is_same",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Repro:
    """A bot's move when it is asked again, beside the stored one.

    `ply` is less than requested if the bot failed before it.
    """

    bot: BotLabel
    seat: SeatNumber
    ply: Id
    board: str
    answered: Annotated[str, about("a move, empty if there was none")]
    stored: Annotated[str, about("a move, empty if there was none")]
    fault: Termination | None
    stored_fault: Termination | None
    detail: str
    wall_ns: Count
    report: ReportRecord | None
    log: str

    @property
    def is_same(self) -> bool:
        """Whether the move equals the stored one, or both are faults."""
        return (self.answered, self.fault) == (self.stored, self.stored_fault)


def repeat(
    store: StoreReader,
    replay: Replay,
    ply: int | None,
    move_s: float | None = None,
    isolation: Isolation | None = None,
) -> Repro:
    """Ask the bot that moved at `ply` (from 1) again, after replaying its earlier moves.

    None is the last ply of the match. The clocks show what they showed then; `move_s` overrides the
    tournament's time and clocks, `isolation` its level. Raises `SetupError` if no bot moved at that
    ply.
    """
    if replay.is_imported:
        raise SetupError(f"match {replay.row.id} was imported: no bot of this league moved in it")
    record, frames = replay.record, replay.frames
    chosen, number = _asked_at(replay, ply)
    limits = [_changed(each, move_s, isolation) for each in replay.seat_limits]
    environment = BotEnvironment.of(store.path, [record.game])
    version = store.bots.version(record.versions[number])
    if replay.tuned:
        version = version.with_options(replay.tuned[number])
    seat = make_seat(version, limits[number], environment)
    attempt = _Attempt(chosen, frames[chosen - 1].state)
    try:
        seat.start()
        game = attempt.state.game
        seat.new_match(game, number, seed_of(record.seed, number), record.opening)
        attempt.play(seat, number, replay, Clocks(limits))
    except SeatFault as error:
        attempt.answer, attempt.fault = None, error
    except OSError as error:
        raise SetupError(f"can't start {replay.names[number]!r} here: {error}") from None
    except SeatUnavailable as error:
        raise SetupError(f"can't ask {replay.names[number]!r}: {error}") from None
    except SeatKilled as error:
        attempt.answer, attempt.fault = None, SeatFault(Termination.CRASH, str(error))
    except MoveError as error:
        attempt.fault = SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}")
    finally:
        log = seat.log
        seat.stop()
    at, answer, fault = attempt.ply, attempt.answer, attempt.fault
    return Repro(
        bot=replay.names[number],
        seat=number,
        ply=at,
        board=attempt.state.render(),
        answered=attempt.text,
        stored=frames[at].move if at < len(frames) else "",
        fault=fault.termination if fault else None,
        stored_fault=None if at < len(frames) else record.termination,
        detail=fault.detail if fault else "",
        wall_ns=answer.wall_ns if answer else 0,
        report=answer.report if answer else None,
        log=log,
    )


def _asked_at(replay: Replay, ply: int | None) -> tuple[int, int]:
    """Return the ply to repeat and the seat that was asked there; raise `SetupError` for none.

    A ply beyond the last move is the one at which a bot failed.
    """
    record, frames, match = replay.record, replay.frames, replay.row.id
    first = len(record.opening) + 1
    last = len(frames) - 1 + (record.fault_seat is not None)
    if ply is None:
        # The last ply may be luck's.
        ply = replay.last_asked if record.fault_seat is None else last
    chosen = last if ply is None else ply
    if not first <= chosen <= last:
        raise SetupError(
            f"no bot was asked at ply {chosen} of match {match}: "
            + (f"choose from {first} to {last}" if first <= last else "it has no moves of bots")
        )
    seat = frames[chosen - 1].state.to_move if chosen < len(frames) else record.fault_seat
    if seat == CHANCE:
        raise SetupError(f"ply {chosen} of match {match} was a chance event, not a bot's move")
    if seat is None:
        raise SetupError(f"match {match} was over at ply {chosen}")
    return chosen, seat


@dataclass(slots=True)
class _Attempt:
    """The bot's last request: its ply and position, and the answer in text or the fault."""

    ply: int
    state: State
    answer: SeatAnswer | None = None
    text: str = ""
    fault: SeatFault | None = None

    def play(self, seat: Seat, number: int, replay: Replay, clocks: Clocks) -> None:
        """Ask for the moves of a seat up to the ply; raise as the seat does, or `MoveError`."""
        record, wires = replay.record, replay.record.wires
        for frame in replay.frames[len(record.opening) : self.ply]:
            if frame.record is not None and frame.seat is not None and not frame.is_luck:
                clocks.spend(frame.seat, frame.record.wall_ns)
            if frame.state.to_move == number:
                self.state, self.ply = frame.state, frame.ply + 1
                told = asked_about(self.state, number, wires[: frame.ply])
                self.answer = seat.ask(*told, clocks.budget(number))
        if self.answer:
            self.text = self.state.text(decode_move(self.state, self.answer.wire))


def _changed(limits: Limits, move_s: float | None, isolation: Isolation | None) -> Limits:
    if move_s is not None:
        limits = replace(limits, move_s=move_s, time="")
    return limits if isolation is None else replace(limits, isolation=isolation)
