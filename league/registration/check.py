"""Trying bots out: for `league check`, for a registration, and before a tournament."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.support.game import Game
from league.match.play import MatchVoid
from league.model.records import BotVersion, Limits, Termination
from league.registration.finding import CheckFinding
from league.registration.move_times import MoveTimes
from league.registration.trial import USUAL, Trial, TrialSetup, seats_of
from league.registration.trial_match import played, told
from league.seats.bot_specs import make_seat
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import SeatFault, SeatKilled, SeatUnavailable

CHECKED_IN = "connectfour"
"""The game in which a bot for any game is tried."""

FIRST_PLIES = 6
"""Number of plies of a trial before a tournament."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a trial that a bot has passed, with what may make it lose though it plays.

    `version` has the title and the author that an engine has told.
    """

    game: str
    times: MoveTimes
    version: BotVersion
    warnings: tuple[str, ...] = ()


def examine(
    version: BotVersion,
    game: Game,
    setup: TrialSetup = USUAL,
    environment: BotEnvironment = NO_ENVIRONMENT,
) -> Iterator[CheckFinding]:
    """Yield the points of a bot's trial in a game as each is known.

    The bot plays every seat against the built-in bot `random`, then itself; then, in a new process,
    every seat with no other limit than the time for a move. Raises `CheckError` if its protocol
    can't play the game.
    """
    trial = Trial(version, game, setup, environment)
    try:
        yield from trial.findings()
    finally:
        trial.stop()


def check(
    version: BotVersion,
    games: Sequence[Game],
    setup: TrialSetup = USUAL,
    environment: BotEnvironment = NO_ENVIRONMENT,
) -> list[Checked]:
    """Try the bot in each game; raise `CheckError` at the first point that would lose a match."""
    return [_checked(version, game, setup, environment) for game in games]


def _checked(
    version: BotVersion, game: Game, setup: TrialSetup, environment: BotEnvironment
) -> Checked:
    trial, warnings = Trial(version, game, setup, environment), []
    try:
        for finding in trial.findings():
            if finding.is_passed is False and finding.loses_matches:
                raise trial.refusal(finding)
            warnings.append(finding.warning)
    finally:
        trial.stop()
    return Checked(
        game=game.spec,
        times=trial.times,
        version=trial.seat.version,
        warnings=tuple(filter(None, warnings)),
    )


def start_fault(version: BotVersion, limits: Limits, environment: BotEnvironment) -> str:
    """Name a bot and say why it does not start; '' if it does."""
    seat = make_seat(version, limits, environment)
    try:
        seat.start()
    except SeatUnavailable as lack:
        return str(lack)
    except (SeatFault, SeatKilled, OSError) as fault:
        return f"bot {version.name!r}: {version.spec!r} {fault}"
    finally:
        seat.stop()
    return ""


def fault_in(version: BotVersion, game: Game, limits: Limits, environment: BotEnvironment) -> str:
    """Return what goes wrong in the first plies of a match against itself; '' for nothing.

    A move that takes too long does not count: these limits may be shorter than those of the match.
    """
    seats = seats_of(version, game, limits, environment)
    try:
        # Start one alone: two bots that both fail to start void the match without a reason.
        seats[0].start()
        seats[0].new_match(game, 0, 0, ())
        record = played(game, seats, replace(limits, max_plies=FIRST_PLIES), 0)
    except (SeatFault, SeatKilled) as fault:
        return f"{version.spec!r} {fault}"
    except MatchVoid as void:
        return f"{version.spec!r} can't play {game.spec}: {void}"
    finally:
        for seat in seats:
            seat.stop()
    if not record.termination.is_fault or record.termination is Termination.TIME_FORFEIT:
        return ""
    return f"{version.spec!r} failed in a trial match of {game.spec}: {told(record)}"
