"""Repeat one move of a stored match: the same version, history, seed and limits."""

from dataclasses import dataclass, replace

from games.support.errors import MoveError
from games.support.game import CHANCE
from games.support.moves import decode_move
from league.analysis.replay import Replay
from league.match.clocks import Clocks
from league.match.seeds import seed_of
from league.model.errors import SetupError
from league.model.records import Isolation, Limits, ReportRecord, Termination
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.seats.seat import SeatFault, SeatKilled
from league.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Repro:
    """The bot's move this time, next to the stored one.

    `answered` and `stored` are move texts, '' if there was none; `fault` and `stored_fault` then
    say what went wrong. `ply` is less than requested if the bot failed before it.
    """

    bot: str
    seat: int
    ply: int
    board: str
    answered: str
    stored: str
    fault: Termination | None
    stored_fault: Termination | None
    detail: str
    wall_ns: int
    report: ReportRecord | None
    log: str

    @property
    def is_same(self) -> bool:
        """Whether the move equals the stored one, or both are faults."""
        return (self.answered, self.fault) == (self.stored, self.stored_fault)


def repeat(
    store: Store,
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
    record, frames = replay.record, replay.frames
    if replay.is_imported:
        raise SetupError(f"match {replay.row.id} was imported: no bot of this league moved in it")
    last = len(frames) - 1 + (record.fault_seat is not None)
    if ply is None and record.fault_seat is None:
        # The last ply may be luck's.
        ply = replay.last_asked
    chosen = last if ply is None else ply
    first = len(record.opening) + 1
    if not first <= chosen <= last:
        raise SetupError(
            f"no bot was asked at ply {chosen} of match {replay.row.id}: "
            + (f"choose from {first} to {last}" if first <= last else "it has no moves of bots")
        )
    before = frames[chosen - 1].state
    number = before.to_move if chosen < len(frames) else record.fault_seat
    if number == CHANCE:
        raise SetupError(
            f"ply {chosen} of match {replay.row.id} was a chance event, not a bot's move"
        )
    if number is None:
        raise SetupError(f"match {replay.row.id} was over at ply {chosen}")
    limits = [_changed(each, move_s, isolation) for each in replay.seat_limits]
    environment = BotEnvironment.of(store.path, [record.game])
    seat = make_seat(store.version(record.versions[number]), limits[number], environment)
    clocks = Clocks(limits)
    history = record.wires
    answer, fault, text, at = None, None, "", chosen
    try:
        seat.start()
        seat.new_match(before.game, number, seed_of(record.seed, number), record.opening)
        for frame in frames[len(record.opening) : chosen]:
            if frame.record is not None and frame.seat is not None and not frame.is_luck:
                clocks.spend(frame.seat, frame.record.wall_ns)
            if frame.state.to_move == number:
                before = frame.state
                at = frame.ply + 1
                answer = seat.ask(before, history[: frame.ply], clocks.budget(number))
        text = before.text(decode_move(before, answer.wire)) if answer else ""
    except SeatFault as error:
        answer, fault = None, error
    except OSError as error:
        raise SetupError(f"can't start {replay.names[number]!r} here: {error}") from None
    except SeatKilled as error:
        answer, fault = None, SeatFault(Termination.CRASH, str(error))
    except MoveError as error:
        fault = SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}")
    finally:
        log = seat.log
        seat.stop()
    return Repro(
        bot=replay.names[number],
        seat=number,
        ply=at,
        board=before.render(),
        answered=text,
        stored=frames[at].move if at < len(frames) else "",
        fault=fault.termination if fault else None,
        stored_fault=None if at < len(frames) else record.termination,
        detail=fault.detail if fault else "",
        wall_ns=answer.wall_ns if answer else 0,
        report=answer.report if answer else None,
        log=log,
    )


def _changed(limits: Limits, move_s: float | None, isolation: Isolation | None) -> Limits:
    if move_s is not None:
        limits = replace(limits, move_s=move_s, time="")
    return limits if isolation is None else replace(limits, isolation=isolation)
