"""Practice: unrated matches that a team asks for against a bot of the season.

They are in tables of their own, so that nothing of them counts for ratings, standings or marks.
"""

import logging
import secrets
from contextlib import suppress
from dataclasses import replace

from games.support.errors import suggestion
from games.support.game import Game
from games.support.specs import find_game
from league.analysis.replay import Replay, movers_of
from league.execution.live_feed import LiveFeed
from league.execution.worker import MakeSeat, MatchJob, Worker
from league.hosting.model.errors import RefusedChallengeError
from league.hosting.model.people import Person, Team, TeamStanding
from league.hosting.model.season import (
    Challenge,
    Season,
    SeasonSettings,
    SeasonState,
    SubmissionState,
)
from league.hosting.season.freeze import is_frozen
from league.hosting.season.legs import limits_of
from league.hosting.season.room import shortage
from league.hosting.store.challenges import ChallengeMatch
from league.hosting.store.host_store import HostStore
from league.match.openings import DrawnOpenings
from league.match.own_texts import with_own_texts
from league.match.seeds import seed_of
from league.model.clock import now_ms
from league.model.errors import SetupError, UnavailableError, UnknownRowError
from league.model.names import normal_name
from league.model.records import Isolation, Limits, MatchKey, MatchRecord
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.store.rows import MatchRow

NAME = "practice"

TRIES = 2
"""So often a match is tried if the league fails to play it."""

CRASHED = (
    "the league's checker ended twice while it played this: challenge the bot again, or ask the "
    "organiser"
)

VOID = "the league could not play this: ask the organiser, whose log of the checks says why"

CLOSED = "submissions are closed, and with them challenges"

_log = logging.getLogger(__name__)


def rivals_of(store: HostStore, season: Season, at_ms: int) -> dict[str, int]:
    """Return the bots that can be challenged at a time, each with its newest playing version.

    While the standings are frozen these are the house bots alone: the strength of others is hidden.
    """
    found = {}
    for name in season.settings.house_bots:
        with suppress(UnknownRowError):
            house = store.bots.get(name)
            found[house.name] = house.versions[-1].id
    if not is_frozen(season, at_ms / 1000):
        for each in store.seasons.contenders():
            if active := each.active(1):
                found[each.bot] = active[-1]
    return found


def check_may_ask(
    store: HostStore, season: Season | None, person: Person | None, at_ms: int
) -> Team:
    """Return the team for which a person may challenge bots now.

    Raises `RefusedChallengeError`; whether the day's challenges are used up is not looked at.
    """
    if person is None or not person.is_active:
        raise RefusedChallengeError("sign in to challenge a bot")
    if person.team is None:
        raise RefusedChallengeError("you belong to no team: ask the organiser to add you to one")
    if season is None or not _is_open(season, at_ms):
        raise RefusedChallengeError(CLOSED)
    if not season.settings.challenges_per_day:
        raise RefusedChallengeError("challenges are turned off in this season")
    if reason := shortage(store):
        raise RefusedChallengeError(reason)
    team = store.people.team(person.team)
    if team.standing is not TeamStanding.ACTIVE:
        raise RefusedChallengeError(f"team {team.name!r} is {team.standing}: its bot does not play")
    waiting = [each for each in SubmissionState if not each.is_decided]
    if team.bot is None and not store.submissions.page(team=team.id, limit=1, states=waiting):
        raise RefusedChallengeError("your team has no bot yet: submit one first")
    return team


def ask(
    store: HostStore, season: Season | None, person: Person | None, rival: str, at_ms: int
) -> Challenge:
    """Keep a challenge of the bot `rival`, to be played later.

    It is played by the version that is the team's newest then, so one that still waits for its
    check counts. Raises `RefusedChallengeError`, `UnknownRowError` if no such bot plays, and
    `SetupError` for the team's own bot.
    """
    team = check_may_ask(store, season, person, at_ms)
    assert season is not None, "checked"  # noqa: S101
    known = rivals_of(store, season, at_ms)
    name = _named(rival, known)
    if name not in known:
        frozen = ""
        if is_frozen(season, at_ms / 1000):
            frozen = ": the standings are frozen, so only house bots can be challenged"
        told = f"no bot {rival!r} to challenge{frozen}{suggestion(rival, known)}"
        raise UnknownRowError(told, "bot", rival)
    bot = store.bots.get(name)
    if bot.id == team.bot:
        raise SetupError(f"{name!r} is your own bot: challenge another one")
    a_day = season.settings.challenges_per_day
    return store.challenges.add(team.id, bot.id, secrets.randbits(53), at_ms, a_day)


def play_next(
    store: HostStore,
    season: Season,
    *,
    worker: str = NAME,
    isolation: Isolation = Isolation.SANDBOX,
    make: MakeSeat = make_seat,
) -> Challenge | None:
    """Play one match of the challenge whose turn it is, and return the challenge as it is then.

    None if there is none to play: submissions come first, and no match begins while the season is
    paused or the disk is full. Raises `UnavailableError` if the database can't be reached; the
    challenge waits again then.
    """
    if not _is_open(season, now_ms()):
        store.challenges.fail_open(CLOSED)
        return None
    if season.state is SeasonState.PAUSED or shortage(store):
        return None
    claimed = store.challenges.claim(worker)
    if claimed is None:
        return None
    try:
        _play(store, season, claimed, worker, isolation, make)
    except RefusedChallengeError as error:
        store.challenges.fail(claimed, worker, str(error))
    except UnavailableError:
        with suppress(UnavailableError):
            store.challenges.release([worker])
        raise
    except Exception:
        _log.exception("challenge %d failed", claimed.id)
        store.challenges.requeue([worker], most=TRIES, message=VOID)
    return store.challenges.get(claimed.id)


def keep_match(
    store: HostStore, claimed: Challenge, worker: str, record: MatchRecord, *, is_last: bool
) -> bool:
    """HostStore a match of a challenge, without what the team that asked for it may not see.

    False if the checker no longer has the challenge.
    """
    own = [each for each in record.versions if each == claimed.version]
    shown = with_own_texts(record, own, movers_of)
    return store.challenges.save_match(claimed, worker, shown, is_last=is_last)


def replay_of(store: HostStore, challenge: Challenge, match: ChallengeMatch) -> Replay:
    """Return a match of a challenge as a replay; its number is that within the challenge."""
    record = match.record
    labels = store.bots.labels(record.versions)
    row = MatchRow(
        id=match.number,
        tournament_id=0,
        key=MatchKey(0, match.number - 1),
        game=record.game,
        versions=tuple(labels[each] for each in record.versions),
        scores=record.scores,
        termination=record.termination,
        fault_seat=record.fault_seat,
        utilities=record.utilities,
        stand_ins=None,
        plies=len(record.opening) + len(record.moves),
        wall_ms=record.wall_ns // 1_000_000,
        finished_at=match.finished_at,
    )
    return Replay(row=row, record=record, limits=Limits(move_s=challenge.move_s))


def points_of(challenge: Challenge, match: ChallengeMatch) -> float:
    """Return the points of the team's bot in a match: 1 for a win, 0.5 for a draw."""
    return match.record.scores[match.record.versions.index(challenge.version or 0)]


def _is_open(season: Season, at_ms: int) -> bool:
    closes_at = season.settings.closes_at
    return season.takes_submissions and (closes_at is None or at_ms < closes_at * 1000)


def _named(name: str, known: dict[str, int]) -> str:
    """Return the known bot that a name means, whatever its capitals; else the name."""
    wanted = normal_name(name).casefold() if name.strip() else ""
    return next((each for each in known if each.casefold() == wanted), name)


def _play(
    store: HostStore,
    season: Season,
    claimed: Challenge,
    worker: str,
    isolation: Isolation,
    make: MakeSeat,
) -> None:
    settings, game = season.settings, find_game(season.settings.game)
    begun = claimed if claimed.version else _begun(store, season, claimed)
    seatings = _seatings(game, begun)
    job = _job(store, settings, game, begun, seatings[claimed.played], isolation)
    player = Worker(BotEnvironment.of(store.path, [game.spec]), LiveFeed(), make)
    try:
        (result,) = player.play([job])
    finally:
        player.stop()
    if result.match is None:
        _log.warning("challenge %d: %s", claimed.id, result.void)
        store.challenges.requeue([worker], most=TRIES, message=VOID)
        return
    is_last = claimed.played + 1 == len(seatings)
    if not keep_match(store, begun, worker, result.match.record(), is_last=is_last):
        _log.warning("challenge %d is played by another checker now", claimed.id)


def _begun(store: HostStore, season: Season, claimed: Challenge) -> Challenge:
    """Fix which versions play; raise `RefusedChallengeError` if a bot no longer plays."""
    most = season.settings.active_versions
    own = next((each for each in store.seasons.contenders() if each.team == claimed.team), None)
    active = () if own is None else own.active(most)
    if not active:
        raise RefusedChallengeError(f"team {claimed.team_name!r} has no version that plays")
    rival = rivals_of(store, season, now_ms()).get(claimed.rival)
    if rival is None:
        raise RefusedChallengeError(f"{claimed.rival!r} does not play any more")
    return store.challenges.begin(claimed.id, active[-1], rival, season.settings.move_s)


def _seatings(game: Game, challenge: Challenge) -> list[tuple[int, ...]]:
    """List the versions by seat of each match: the team's bot has each side of the game once."""
    own, rival = challenge.version or 0, challenge.rival_version or 0
    return [
        tuple(own if each == side else rival for each in game.sides)
        for side in dict.fromkeys(game.sides)
    ]


def _job(
    store: HostStore,
    settings: SeasonSettings,
    game: Game,
    challenge: Challenge,
    seating: tuple[int, ...],
    isolation: Isolation,
) -> MatchJob:
    versions = store.bots.versions(seating)
    openings = DrawnOpenings(game, game.random_plies, challenge.seed)
    return MatchJob(
        key=MatchKey(0, challenge.played),
        tournament=0,
        game=game.spec,
        versions=tuple(versions[each] for each in seating),
        opening=openings[0].moves,
        limits=replace(limits_of(settings, isolation), move_s=challenge.move_s),
        seed=seed_of(challenge.seed, challenge.played),
    )
