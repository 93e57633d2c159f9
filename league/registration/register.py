"""Registering bots: take a snapshot, check it, store it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, NamedTuple, TypeAlias

from games.support.references import split_reference
from games.support.specs import find_game
from games.support.trial import tried_game
from league.model.document import about, document
from league.model.errors import CheckError, NameInUseError, UnknownRowError
from league.model.names import check_name, check_unlike, normal_name
from league.model.records import IMPORTED, BotVersion, Limits
from league.registration.check import CHECKED_IN, Checked, check
from league.registration.source_snapshot import take_snapshot
from league.registration.trial import LOG_LINES, USUAL, TrialSetup
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import kind_of, make_seat, protocol_of, usual_game
from league.seats.process.environment import BotEnvironment
from league.seats.seat import SeatFault, SeatKilled, SeatUnavailable
from league.store.store import Store

Warnings: TypeAlias = Annotated[
    tuple[str, ...], about("problems that may make it lose, although it plays")
]


@document(
    "Registered",
    "bot=version.name version=version.number spec=version.spec options=version.options "
    "digest=version.digest is_new warnings",
)
class Registration(NamedTuple):
    """The version that `league register` made, or found."""

    version: BotVersion
    is_new: bool
    checks: tuple[Checked, ...] = ()

    @property
    def warnings(self) -> Warnings:
        """Each warning of the check once."""
        return tuple(dict.fromkeys(text for trial in self.checks for text in trial.warnings))


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
    trial: TrialSetup = USUAL,
    may_change_form: bool = False,
) -> Registration:
    """Register a bot, or a new version of it.

    A new version comes from the same file; if it `may_change_form`, from any file, folder, zip or
    web server.

    `games` are specs; none means any game (or the only game of its protocol); the `trial` of a bot
    for any game is in Connect Four. Raises every kind of `LeagueError` before
    anything is written.
    """
    version = replace(version, name=checked_name(store, version.name))
    usual = usual_game(version.spec)
    played = [tried_game(each) for each in games or ([usual] if usual else [])]
    specs = [game.spec for game in played]
    known = _known(store, version, may_change_form)
    if known is not None and known.is_same_as(version):
        return Registration(version=store.bots.register(version, specs), is_new=False)
    tried = played or [find_game(CHECKED_IN)]
    environment = BotEnvironment.of(store.path, [game.spec for game in tried])
    checks = tuple(check(version, tried, trial, environment)) if is_checked else ()
    for each in checks:
        version = replace(version, title=each.version.title, author=each.version.author)
    return Registration(version=store.bots.register(version, specs), is_new=True, checks=checks)


def checked_name(store: Store, name: str, renamed: str = "") -> str:
    """Return a name in NFC; raise `NameInUseError` if a bot can't get it.

    `renamed` is the bot that is to get it, '' for a new one: it may look like its old name. A bot
    whose name comes from an imported file keeps it. Commas are for those alone ("Carlsen, Magnus"):
    in lists of bots they separate the names.
    """
    name = normal_name(name)
    if "," in name:
        raise NameInUseError(f"bad name {name!r}: a comma separates names in lists of bots", name)
    names = [bot.name for bot in store.bots.all(include_retired=True) if bot.name != renamed]
    if renamed or name not in names:
        check_name(name)
        # The store compares without case itself.
        check_unlike(name, (other for other in names if other.casefold() != name.casefold()))
    return name


def register_program(
    store: Store,
    version: BotVersion,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
) -> Registration:
    """Register a program that only has to start, also under the name of another program.

    It starts under `limits`. Raises `CheckError` if it does not start or does not take its options.
    """
    version = replace(version, name=checked_name(store, version.name))
    newest = None
    with suppress(UnknownRowError):
        newest = store.bots.version(store.bots.get(version.name).versions[-1].id)
        if newest.spec != IMPORTED and not protocol_of(newest.spec):
            raise NameInUseError(
                f"name {version.name!r} is in use by a bot made from {newest.spec!r}: "
                "choose another with name=",
                version.name,
            )
    usual = usual_game(version.spec)
    games = [find_game(usual).spec] if usual else []
    seat = make_seat(version, limits, BotEnvironment.of(store.path, games))
    try:
        seat.start()
    except (SeatFault, SeatKilled, SeatUnavailable) as fault:
        log = [f"  | {line}" for line in seat.output.splitlines()[-LOG_LINES:]]
        raise CheckError("\n".join([f"{version.spec!r} {fault}", *log]), version.spec) from None
    finally:
        seat.stop()
    kept = store.bots.register(seat.version, games)
    return Registration(version=kept, is_new=newest is None or kept.id != newest.id)


def _known(store: Store, version: BotVersion, may_change_form: bool) -> BotVersion | None:
    """Return the newest version with that name; refuse a name that another bot has."""
    name = version.name
    try:
        bot = store.bots.get(name)
    except UnknownRowError:
        return None
    newest = store.bots.version(bot.versions[-1].id)
    if newest.spec == IMPORTED:
        # The imported bot is now real: its own results belong to a new version.
        return None
    is_changed = may_change_form and _has_form(newest) and _has_form(version)
    if not is_changed and _origin(newest) != _origin(version):
        raise NameInUseError(
            f"name {name!r} is in use by a bot made from {newest.spec!r}: register that for a new "
            "version, choose another name, or 'league rename' the other bot first",
            name,
        )
    return newest


def _has_form(version: BotVersion) -> bool:
    return bool(version.files) or kind_of(version.spec) is BotKind.SERVER


def _origin(version: BotVersion) -> str:
    return version.spec if protocol_of(version.spec) else split_reference(version.spec)[0]
