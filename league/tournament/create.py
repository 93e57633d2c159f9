"""Create tournaments, and find unfinished ones."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from bots.support.specs import is_built_in
from games.support.counts import counted
from games.support.errors import UnknownNameError, listed
from games.support.game import Game
from games.support.options import join_options
from games.support.specs import find_game
from games.support.trial import tried_game
from league.formats.schedule import Schedule
from league.formats.specs import make_format
from league.match.adjudication import open_tables
from league.match.openings import (
    Book,
    BookFile,
    pack,
    read_book,
    unpack,
)
from league.model.errors import SetupError, UnknownRowError
from league.model.records import (
    IMPORTED,
    MOVE_S,
    Adjudication,
    Handicap,
    Isolation,
    Limits,
    TournamentConfig,
)
from league.model.tiebreak import Tiebreak
from league.model.time_control import write_span
from league.model.tournament_spec import OF_TOURNAMENT, TournamentSpec
from league.model.tuned_parameter import options_at
from league.registration.source_snapshot import command_changed
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import is_model, kind_of, lack_of, make_seat, require_able
from league.seats.process.environment import BotEnvironment
from league.seats.process.isolation import require, resolve
from league.seats.seat import SeatFault, SeatKilled, SeatUnavailable
from league.store.rows import BotRow, TournamentRow
from league.store.store import Store
from league.tournament.run_options import RunOptions
from league.tournament.settings import check_settings
from league.tournament.tryout import require_playable

ROUNDS_MAX = 100_000
"""The maximum number of rounds if ratings stop the tournament and the user gives no number."""


Value = TypeVar("Value")


def create_tournament(
    store: Store,
    spec: TournamentSpec,
    tell: Callable[[str], None] = lambda line: None,
    options: RunOptions | None = None,
) -> TournamentRow:
    """Store a new tournament and return it; nothing is played yet.

    Before that, `tell` hears which openings of its file are skipped. Raises `LeagueError` if the
    settings make no tournament, or a run with `options` could not play it.
    """
    config, total = prepare_tournament(store, spec, tell)
    if options is not None:
        require_playable(store, config, options)
    return store.tournaments.get(store.tournaments.add(config, total))


def prepare_tournament(
    store: Store, spec: TournamentSpec, tell: Callable[[str], None] = lambda line: None
) -> tuple[TournamentConfig, int | None]:
    """Return the config of a new tournament and its number of matches, None if results decide it.

    Stores what the tournament refers to, but not the tournament. `tell` hears which openings of its
    file are skipped. Raises `LeagueError` if the settings make no tournament.
    """
    check_settings(spec)
    rules = tried_game(spec.game)
    handicaps = _handicaps(spec, rules)
    entrants = checked_entrants(store, rules, spec.limits, spec.bots, handicaps)
    fewest = 1 if spec.parameters else rules.seats
    if len(entrants) < fewest:
        told = left_out(store, spec)
        raise SetupError(
            f"{counted(len(entrants), 'bot')} can't fill the {rules.seats} "
            f"seats of {rules.spec}: register more with 'league register NAME SPEC'"
            + (f"\n{told}" if told else "")
        )
    changed = {
        "limits": replace(
            spec.limits,
            isolation=isolation_of(store, spec, entrants)[0],
            max_plies=spec.limits.max_plies or rules.max_plies,
        ),
        "adjudication": _checked(rules, spec.adjudication),
        "tiebreaks": tuple(map(Tiebreak, spec.tiebreaks)),
    }
    config = TournamentConfig(
        **spec.terms | changed,
        game=rules.spec,
        entrants=entrants,
        rounds=_rounds(spec, len(entrants)) if spec.rounds is None else spec.rounds,
        seed=secrets.randbits(64) if spec.seed is None else spec.seed,
        opening_plies=rules.random_plies if spec.opening_plies is None else spec.opening_plies,
        game_digest=rules.digest,
        handicaps=_by_entrant(store, entrants, handicaps, 1.0),
        starting_ratings=_by_entrant(store, entrants, spec.starting_ratings, 0.0),
    )
    total = Schedule(config, rules).planned
    book = _book(store, spec, rules, config)
    if book.note:
        tell(book.note)
    if book.openings:
        config = replace(config, openings=store.books.keep(pack(book.openings)))
    refuse_unable(store, config, entrants)
    _refuse_parameters(store, config)
    store.settings.draw_salt()
    if rules.source:
        store.rules.keep(rules.source)
    return config, total


def _book(store: Store, spec: TournamentSpec, rules: Game, config: TournamentConfig) -> Book:
    """Return the openings of a file or of an earlier tournament; none if they are drawn."""
    if rules.has_secrets and (spec.openings or config.opening_plies):
        raise SetupError(
            f"{rules.title} begins at its first position, since moves that everybody knows would "
            "tell its secrets: leave out --openings and --opening-plies"
        )
    if spec.has_same_deals and not rules.has_chance:
        raise SetupError(f"{rules.title} has no luck, so nothing to deal again: leave --deals out")
    number = spec.openings.removeprefix(OF_TOURNAMENT)
    if not spec.openings:
        if spec.opening_start is not None:
            raise SetupError("there is no first opening to start at: give --openings FILE")
        if spec.skips_bad_openings:
            raise SetupError("there are no openings to skip: give --openings FILE")
        return Book(())
    if number == spec.openings:
        book = _read_book(spec, rules, config)
    elif number.isdigit():
        text = store.books.get(store.tournaments.get(int(number)).config.openings)
        book = Book(unpack(text) if text else ())
    else:
        raise SetupError(f"openings of tournament {number!r}: write {OF_TOURNAMENT}3")
    begin = (spec.opening_start or 1) - 1
    found = book.openings
    if begin and begin >= len(found):
        raise SetupError(f"there are {len(found)} openings: none has the number {begin + 1}")
    return replace(book, openings=found[begin:] + found[:begin])


def _read_book(spec: TournamentSpec, rules: Game, config: TournamentConfig) -> Book:
    return read_book(
        BookFile(
            path=Path(spec.openings),
            game=rules,
            plies=spec.opening_plies,
            rounds=config.rounds,
            seed=config.seed,
            is_shuffled=spec.is_shuffled,
            skips_bad=spec.skips_bad_openings,
        )
    )


def refuse_unable(store: Store, config: TournamentConfig, entrants: Sequence[int]) -> None:
    """Raise `SetupError` if a bot can't play the tournament, as far as its spec does not say that.

    A program may say so at its start: an engine of xboard's protocol, say, must set up a position
    for openings of positions. Programs are asked for games from a position alone; one that does not
    start is not refused. A web server is refused where all matches have the same luck.
    """
    specs = {config.game}
    if config.openings:
        starts = (opening.game for opening in unpack(store.books.get(config.openings)))
        specs.update([next((spec for spec in starts if spec != config.game), config.game)])
    games = [find_game(spec) for spec in specs]
    for version in store.bots.versions(entrants).values():
        if config.has_same_deals and kind_of(version.spec) is BotKind.SERVER:
            raise SetupError(
                f"bot {version.name!r} can't play with deals=same: nobody can make a web server "
                "forget the match before, which shows what luck brings"
            )
        limits = config.limits_of(version.id)
        environment = BotEnvironment.of(store.path, list(specs))
        if refusal := lack_of(version, games, limits, environment):
            raise SetupError(f"bot {version.name!r} can't play: {refusal}")


def _refuse_parameters(store: Store, config: TournamentConfig) -> None:
    """Raise `SetupError` unless the first bot starts with the ends of its parameters' ranges."""
    if not config.parameters:
        return
    version = store.bots.version(config.entrants[0])
    limits = config.limits_of(version.id)
    environment = BotEnvironment.of(store.path, [config.game])
    for point in zip(*((each.low, each.high) for each in config.parameters), strict=True):
        options = dict(options_at(config.parameters, point))
        seat = make_seat(version.with_options(options), limits, environment)
        try:
            seat.start()
        except (SeatFault, SeatKilled, SeatUnavailable, OSError) as error:
            told = join_options(options, ", ")
            raise SetupError(f"bot {version.name!r} does not start with {told}: {error}") from None
        finally:
            seat.stop()


def checked_entrants(
    store: Store,
    game: Game,
    limits: Limits,
    names: Sequence[str],
    handicaps: Mapping[str, Handicap] = MappingProxyType({}),
) -> tuple[int, ...]:
    """Return the newest versions of bots, or those named; raise `LeagueError` if one can't play."""
    found = _entrants(store, game, names)
    for bot in found:
        own = limits.scaled(handicaps.get(bot.name, 1.0))
        require_able(bot.name, bot.versions[-1].spec, game, own)
        _refuse_late_calls(bot, own)
    entrants = tuple(bot.versions[-1].id for bot in found)
    for version in store.bots.versions(entrants).values():
        if changed := command_changed(version):
            raise SetupError(f"{changed}: register it again, 'league register {version.name} SPEC'")
    return entrants


def _refuse_late_calls(bot: BotRow, limits: Limits) -> None:
    """Raise `SetupError` if a language model has only the usual time: it would pay, and lose."""
    if not is_model(bot.versions[-1].spec):
        return
    if limits.move_s is not None and limits.move_s <= MOVE_S:
        raise SetupError(
            f"bot {bot.name!r} is a language model, which can't answer in "
            f"{write_span(limits.move_s)}: give --move-time 2m"
        )


def isolation_of(
    store: Store, spec: TournamentSpec, entrants: Sequence[int]
) -> tuple[Isolation, tuple[str, ...]]:
    """Return the isolation level of a tournament, and lines that describe it."""
    wanted = spec.limits.isolation
    versions = store.bots.versions(entrants).values()
    if wanted is Isolation.AUTO and all(is_built_in(each.spec) for each in versions):
        return Isolation.LIMITS, ("isolation: limits (all bots are the league's own)",)
    return resolve(wanted)


def _rounds(spec: TournamentSpec, entrants: int) -> int:
    found = make_format(spec.format)
    if spec.is_open_ended and found.is_extensible:
        return ROUNDS_MAX
    return found.default_rounds(entrants)


def _entrants(store: Store, game: Game, names: Sequence[str]) -> list[BotRow]:
    if _means_all(names):
        found = [bot for bot in store.bots.all() if _is_for(bot, game) and not _is_imported(bot)]
    else:
        found = [_bot(store, name) for name in names]
        _refuse(game, found)
    return found


def _bot(store: Store, name: str) -> BotRow:
    """Return a bot; raise `UnknownRowError`, which says of a built-in bot how to register it."""
    try:
        return store.bots.get(name)
    except UnknownRowError:
        if not is_built_in(name.partition(":")[0]):
            raise
        told = f"{name!r} is not registered yet: 'league register NAME {name}' does that"
        raise UnknownRowError(told, "bot", name) from None


def _refuse(game: Game, bots: Sequence[BotRow]) -> None:
    versions = [bot.versions[-1].id for bot in bots]
    for bot in bots:
        if versions.count(bot.versions[-1].id) > 1:
            raise SetupError(f"bot {bot.name!r} is named twice: a tournament needs distinct bots")
        if bot.is_retired:
            raise SetupError(f"bot {bot.name!r} is retired: 'league retire --undo' brings it back")
        if _is_imported(bot):
            raise SetupError(
                f"bot {bot.name!r} has only imported results: "
                f"'league register {bot.name} SPEC' says what plays for it"
            )
        if not _is_for(bot, game):
            raise SetupError(
                f"bot {bot.name!r} is registered for {', '.join(bot.games)}, not for {game.spec}: "
                "register it again with --game"
            )


def _checked(game: Game, adjudication: Adjudication) -> Adjudication:
    """Return it with absolute folder names; raise if it can't end matches of this game.

    Reports tell which of two sides is better; with more sides, a score does not tell who leads.
    """
    draw, win = adjudication.draw, adjudication.win
    sides = len(set(game.sides))
    if (draw or win) and sides != 2:
        raise SetupError(f"scores can't settle {game.spec}: that takes two sides, it has {sides}")
    if draw and draw.move and game.initial().move_number() is None:
        raise SetupError(f"{game.spec} has no move numbers: write after=PLIES for move={draw.move}")
    if draw and draw.is_reset and game.initial().quiet_plies() is None:
        raise SetupError(f"no move of {game.spec} is known to reset a count: leave reset=yes out")
    if draw and win and draw.score >= win.score:
        raise SetupError(
            f"a draw up to score={draw.score:g} and a win from score={win.score:g}: "
            "the win's score must be the greater one"
        )
    if not adjudication.tablebases:
        of_tables = (adjudication.table_pieces, adjudication.table_results)
        if any(of_tables) or adjudication.ignore_fifty:
            raise SetupError("which tablebases? give --tablebases FOLDER")
        return adjudication
    folders = [str(Path(each).absolute()) for each in adjudication.tablebases.split(":")]
    found = replace(adjudication, tablebases=":".join(folders))
    if open_tables(game, found) is None:
        raise SetupError(f"there are no tablebases for {game.spec}: leave --tablebases out")
    return found


def _handicaps(spec: TournamentSpec, game: Game) -> dict[str, Handicap]:
    """Return the factors and the own limits of bots by name."""
    limits = spec.limits
    if spec.handicaps and limits.move_s is None and limits.nodes is None and not limits.time:
        raise SetupError("a handicap is on time or nodes: give --time, --move-time or --nodes")
    for name in spec.handicaps:
        if name in spec.own_limits:
            raise SetupError(f"bot {name!r} has a handicap and limits of its own: give one of them")
    for own in spec.own_limits.values():
        if own.isolation is not None:
            require(own.isolation)
    found: dict[str, Handicap] = {**spec.handicaps, **spec.own_limits}
    controls = [limits.scaled(each).control for each in (1.0, *found.values())]
    hourglasses = [control is not None and control.is_hourglass for control in controls]
    if any(hourglasses) and game.seats != 2:
        raise SetupError(f"an hourglass is for two seats, and {game.spec} has {game.seats}")
    if any(hourglasses) and not all(hourglasses):
        raise SetupError("an hourglass is for all bots: give it with --time, not in --bot-limits")
    return found


def _by_entrant(
    store: Store, entrants: Sequence[int], given: Mapping[str, Value], usual: Value
) -> tuple[Value, ...]:
    """Return what is given by name for each entrant, `usual` for others; () if nothing is."""
    if not given:
        return ()
    names = store.bots.entrant_names(entrants)
    for name in given:
        if name not in names:
            raise UnknownNameError("bot of the tournament", name, names)
    return tuple(given.get(name, usual) for name in names)


def left_out(store: Store, spec: TournamentSpec) -> str:
    """Say which unplayable bots `all` leaves out; '' for none."""
    if not _means_all(spec.bots):
        return ""
    rules = find_game(spec.game)
    found = [bot.name for bot in store.bots.all() if _is_imported(bot) and _is_for(bot, rules)]
    return f"left out, known by imported results alone: {listed(found)}" if found else ""


def _means_all(names: Sequence[str]) -> bool:
    return list(names) == ["all"]


def _is_imported(bot: BotRow) -> bool:
    return bot.versions[-1].spec == IMPORTED


def _is_for(bot: BotRow, game: Game) -> bool:
    # Without the options: a bot for Connect Four plays it on every board.
    name = game.spec.partition("?")[0]
    return not bot.games or name in {each.partition("?")[0] for each in bot.games}
