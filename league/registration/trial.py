"""The trial before a bot is registered or plays: matches against itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.support.game import Game
from games.support.moves import WireMove
from league.match.openings import DrawnOpenings
from league.match.play import MatchSetup, MatchVoid, play_match
from league.match.seeds import seed_of
from league.model.errors import CheckError
from league.model.records import BotVersion, Isolation, Limits, MatchRecord, Termination
from league.registration.opened_files import opened_in, opened_text
from league.seats.bot_specs import make_seat, protocol_of, refusal_of
from league.seats.engine.engine_seat import EngineSeat
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import SeatFault, SeatKilled

CHECKED_IN = "connectfour"
"""The game in which a bot for any game is tried."""

CHECK_MATCHES = 3
HURRIED = Limits(move_s=0.1, start_s=10.0)
"""The default limits of bots in a tournament."""

CHECK_LIMITS = replace(HURRIED, grace_s=0.95, depth=4, nodes=1000)
"""The default limit, since a bot may use all of its clock; a slower one fails after a second."""

FIRST_PLIES = 6
"""Number of plies of the trial match at the default limit."""

LOG_LINES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a trial: how a bot did in matches against itself.

    `first_s` is the most that it took for its first move in a match. It `is_late` at the default
    limit if it loses on time there. `opened` are the files that it opened and that are not its own,
    `notes` what its author should know about how it was loaded.
    """

    game: str
    matches: int
    moves: int
    slowest_s: float
    mean_s: float
    first_s: float
    is_late: bool = False
    opened: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what may make the bot lose though it plays, or play otherwise than meant."""
        others = (*self.notes, *self.opened)
        if not self.is_late:
            return others
        limit_s = HURRIED.move_s or 0.0
        needed_s = max(self.slowest_s, limit_s + HURRIED.grace_s)
        enough_ms = 100 * (int(15 * needed_s) + 1)
        late = (
            f"it loses on time at the default limit of {limit_s * 1e3:.0f} ms a move: it needs "
            f"{needed_s * 1e3:.0f} ms; make it faster, or run with --move-time {enough_ms}ms"
        )
        return (late, *others)


def check(
    version: BotVersion,
    games: Sequence[Game],
    isolation: Isolation = Isolation.LIMITS,
    environment: BotEnvironment = NO_ENVIRONMENT,
) -> list[Checked]:
    """Let the bot play itself in each game; raise `CheckError` if it fails to load or play."""
    limits = replace(CHECK_LIMITS, isolation=isolation)
    watched = replace(environment, watches_files=True)
    return [_check_in(version, game, watched, limits) for game in games]


def fault_in(version: BotVersion, game: Game, limits: Limits, environment: BotEnvironment) -> str:
    """Return what goes wrong in the first plies of a match against itself; '' for nothing.

    A move that takes too long does not count: these limits may be shorter than those of the match.
    """
    trial = _Trial(version, game, environment, limits)
    try:
        trial.play(replace(limits, max_plies=FIRST_PLIES), 0, is_timed=False)
    except CheckError as error:
        return str(error)
    finally:
        trial.stop()
    return ""


def _check_in(
    version: BotVersion, game: Game, environment: BotEnvironment, limits: Limits
) -> Checked:
    if refusal := refusal_of(version.spec, game, limits):
        raise CheckError(f"{version.spec!r}: {refusal}", version.spec)
    trial = _Trial(version, game, environment, limits)
    try:
        records = [trial.play(limits, number) for number in range(CHECK_MATCHES)]
        hurried = replace(HURRIED, isolation=limits.isolation, max_plies=FIRST_PLIES)
        is_late = trial.is_late(hurried)
    finally:
        trial.stop()
    times = [move.wall_ns / 1e9 for record in records for move in record.moves]
    firsts = [move.wall_ns / 1e9 for record in records for move in record.moves[: game.seats]]
    return Checked(
        game=game.spec,
        matches=len(records),
        moves=len(times),
        slowest_s=max(times),
        mean_s=sum(times) / len(times),
        first_s=max(firsts),
        is_late=is_late,
        opened=opened_text(version, opened_in(trial.seats)),
        notes=tuple({seat.note for seat in trial.seats if seat.note}),
    )


class _Trial:
    """A bot in every seat of a game."""

    def __init__(
        self, version: BotVersion, game: Game, environment: BotEnvironment, limits: Limits
    ) -> None:
        self.version = version
        self.game = game
        self.openings = DrawnOpenings(game, game.opening_plies, seed=1)
        self.seats: list[EngineSeat | PythonSeat] = [
            make_seat(replace(version, id=seat), limits, environment) for seat in range(game.seats)
        ]

    def stop(self) -> None:
        """Stop all processes."""
        for seat in self.seats:
            seat.stop()

    def play(self, limits: Limits, number: int, *, is_timed: bool = True) -> MatchRecord:
        """Play a match; raise `CheckError` if the bot fails, by time only if it `is_timed`."""
        spec, game = self.version.spec, self.game
        opening = self.openings[number].moves
        try:
            # Start one alone: two bots that both fail to start void the match without a reason.
            self.seats[0].start()
            self.seats[0].new_match(game, 0, number, opening)
            record = self._match(limits, number, opening)
        except (SeatFault, SeatKilled) as fault:
            is_silent = getattr(fault, "termination", None) is Termination.TIME_FORFEIT
            raise self._failure(f"{spec!r} {fault}", is_silent=is_silent) from None
        except MatchVoid as void:
            raise self._failure(f"{spec!r} can't play {game.spec}: {void}") from None
        is_free = not is_timed and record.termination is Termination.TIME_FORFEIT
        if record.termination.is_fault and not is_free:
            ply = len(record.opening) + len(record.moves) + 1
            raise self._failure(
                f"{spec!r} failed in a trial match of {game.spec} at ply {ply}: "
                f"{record.termination}: {record.detail}",
                in_match=True,
            )
        return record

    def is_late(self, limits: Limits) -> bool:
        """Whether the bot loses on time in the first plies under these limits."""
        # A process that has moved before hides a first move that loads for long.
        self.stop()
        opening = self.openings[0].moves
        try:
            record = self._match(limits, 0, opening)
        except MatchVoid:
            return False
        return record.termination is Termination.TIME_FORFEIT

    def _match(self, limits: Limits, number: int, opening: Sequence[WireMove]) -> MatchRecord:
        seed = seed_of(number, "check")
        versions = [0] * self.game.seats
        setup = MatchSetup(
            game=self.game, versions=versions, opening=opening, limits=limits, seed=seed
        )
        return play_match(setup, self.seats)

    def _failure(self, text: str, *, is_silent: bool = False, in_match: bool = False) -> CheckError:
        """Return an error that names missing files, and shows the end of a program's errors.

        Of a program that is silent and writes no error, it shows what was said before.
        """
        log: list[str] = []
        if protocol_of(self.version.spec):
            told = next((seat.output for seat in self.seats if seat.output), "")
            told = self.seats[0].log if is_silent and not told else told
            log = told.splitlines()[-LOG_LINES:]
        opened = opened_text(self.version, opened_in(self.seats))
        lines = [*(f"  {each}" for each in opened), *(f"  | {line}" for line in log)]
        return CheckError("\n".join([text, *lines]), self.version.spec, in_match=in_match)
