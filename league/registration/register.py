"""Registering bots: take a snapshot, check it, store it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from games.support.game import Game
from games.support.moves import WireMove
from games.support.references import split_reference
from games.support.specs import find_game
from league.match.openings import DrawnOpenings
from league.match.play import MatchSetup, MatchVoid, play_match
from league.match.seeds import seed_of
from league.model.errors import CheckError, NameInUseError, UnknownRowError
from league.model.names import check_name
from league.model.records import IMPORTED, BotVersion, Isolation, Limits, MatchRecord
from league.registration.source_snapshot import take_snapshot
from league.seats.bot_specs import make_seat, refusal_of, usual_game
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import Seat, SeatFault, SeatKilled
from league.store.store import Store

CHECK_MATCHES = 3
CHECK_LIMITS = Limits(move_s=1.0, depth=4, nodes=1000, start_s=10.0)
"""A second per move; bots that obey depth or nodes finish sooner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a check: how a bot did in matches against itself."""

    game: str
    matches: int
    moves: int
    slowest_s: float
    mean_s: float


def check(
    version: BotVersion,
    games: Sequence[Game],
    isolation: Isolation = Isolation.LIMITS,
    environment: BotEnvironment = NO_ENVIRONMENT,
) -> list[Checked]:
    """Let the bot play itself in each game; raise `CheckError` if it fails to load or play."""
    limits = replace(CHECK_LIMITS, isolation=isolation)
    return [_check_in(version, game, environment, limits) for game in games]


class Registration(NamedTuple):
    """A registered version, whether it is new, and how it did in the check."""

    version: BotVersion
    is_new: bool
    checks: tuple[Checked, ...] = ()


def register(
    store: Store,
    name: str,
    spec: str,
    *,
    options: dict[str, str],
    games: Sequence[str] = (),
    is_checked: bool = True,
) -> Registration:
    """Register the bot of a spec as `register_version` does."""
    return register_version(
        store, take_snapshot(name, spec, options), games=games, is_checked=is_checked
    )


def register_version(
    store: Store,
    version: BotVersion,
    *,
    games: Sequence[str] = (),
    is_checked: bool = True,
    isolation: Isolation = Isolation.LIMITS,
) -> Registration:
    """Register a bot, or a new version of it.

    `games` are specs; none means any game (or the only game of its protocol); the check of a bot
    for any game uses Connect Four, and isolates it by `isolation`. Raises every kind of
    `LeagueError` before anything is written.
    """
    check_name(version.name)
    usual = usual_game(version.spec)
    played = [find_game(each) for each in games or ([usual] if usual else [])]
    specs = [game.spec for game in played]
    known = _known(store, version.name, version)
    if known is not None and known.is_same_as(version):
        return Registration(version=store.register(version, specs), is_new=False)
    tried = played or [find_game("connectfour")]
    environment = BotEnvironment.of(store.path, [game.spec for game in tried])
    checks = tuple(check(version, tried, isolation, environment)) if is_checked else ()
    return Registration(version=store.register(version, specs), is_new=True, checks=checks)


def _known(store: Store, name: str, version: BotVersion) -> BotVersion | None:
    """Return the newest version with that name; refuse a name that another bot has."""
    try:
        bot = store.bot(name)
    except UnknownRowError:
        return None
    newest = store.version(bot.versions[-1].id)
    if newest.spec == IMPORTED:
        # The imported bot is now real: its own results belong to a new version.
        return None
    if _origin(newest) != _origin(version):
        raise NameInUseError(
            f"name {name!r} is in use by a bot made from {newest.spec!r}: "
            "choose another, or retire that one first",
            name,
        )
    return newest


def _origin(version: BotVersion) -> str:
    return version.spec if version.folder else split_reference(version.spec)[0]


def _check_in(
    version: BotVersion, game: Game, environment: BotEnvironment, limits: Limits
) -> Checked:
    if refusal := refusal_of(version.spec, game, limits):
        raise CheckError(f"{version.spec!r}: {refusal}", version.spec)
    seats = [
        make_seat(replace(version, id=seat), limits, environment) for seat in range(game.seats)
    ]
    openings = DrawnOpenings(game, game.opening_plies, seed=1)
    try:
        records = [
            _play_check(version, game, seats, openings[number].moves, limits, number)
            for number in range(CHECK_MATCHES)
        ]
    finally:
        for seat in seats:
            seat.stop()
    times = [move.wall_ns / 1e9 for record in records for move in record.moves]
    return Checked(
        game=game.spec,
        matches=len(records),
        moves=len(times),
        slowest_s=max(times),
        mean_s=sum(times) / len(times),
    )


def _play_check(
    version: BotVersion,
    game: Game,
    seats: Sequence[Seat],
    opening: Sequence[WireMove],
    limits: Limits,
    number: int,
) -> MatchRecord:
    try:
        # Start one alone: two bots that both fail to start void the match without a reason.
        seats[0].start()
        seats[0].new_match(game, 0, number, opening)
        record = play_match(
            MatchSetup(
                game=game,
                versions=[0] * game.seats,
                opening=opening,
                limits=limits,
                seed=seed_of(number, "check"),
            ),
            seats,
        )
    except (SeatFault, SeatKilled) as fault:
        raise CheckError(f"{version.spec!r} {fault}", version.spec) from None
    except MatchVoid as void:
        raise CheckError(f"{version.spec!r} can't play {game.spec}: {void}", version.spec) from None
    if record.termination.is_fault:
        ply = len(record.opening) + len(record.moves) + 1
        raise CheckError(
            f"{version.spec!r} failed in a trial match of {game.spec} at ply {ply}: "
            f"{record.termination}: {record.detail}",
            version.spec,
        )
    return record
