"""Setting tournaments up, and finding those that are not finished."""

from collections.abc import Sequence

from games import catalogue
from games.contract import Game
from games.trial import try_out
from league.errors import SetupError, UnknownRowError
from league.records import Isolation, Limits, TournamentConfig
from league.runner import encounters_of
from league.seats.catalogue import refusal_of
from league.seats.isolation import AUTO, resolve
from league.seats.loading import is_catalogue
from league.snapshot import command_changed
from league.store import BotRow, Store, TournamentRow


def create_tournament(
    store: Store,
    game: str,
    bots: Sequence[str],
    rounds: int,
    limits: Limits,
    seed: int,
    opening_plies: int | None = None,
    schedule: str = "roundrobin",
    is_restarted: bool = False,
) -> TournamentRow:
    """Store a new tournament and return it; nothing is played yet.

    `bots` are names, or `["all"]` for every bot that is registered for the game. `opening_plies`
    None takes the game's own default; `is_restarted` starts every bot afresh for each match. Raises
    `LeagueError` when it can't be held so.
    """
    rules = catalogue.find(game)
    if rules.origin:
        try_out(rules)
    found = _entrants(store, rules, bots)
    _refuse_protocols(rules, limits, found)
    entrants = tuple(bot.versions[-1].id for bot in found)
    for version in store.versions(entrants).values():
        if changed := command_changed(version):
            raise SetupError(f"{changed}: register it again, 'league register {version.name} SPEC'")
    plies = rules.opening_plies if opening_plies is None else opening_plies
    config = TournamentConfig(
        rules.spec, entrants, rounds, seed, plies, limits, schedule, rules.digest, is_restarted
    )
    total = len(encounters_of(config, rules)) * rules.seats
    return store.tournament(store.add_tournament(config, total))


def choose_isolation(
    store: Store, game: str, bots: Sequence[str], wanted: str
) -> tuple[Isolation, str]:
    """Return the level that `wanted` means for these bots here, and a line that says so.

    Raises `LeagueError` as `create_tournament` does, and where that level does not work here.
    """
    if wanted == AUTO:
        entrants = [bot.versions[-1].id for bot in _entrants(store, catalogue.find(game), bots)]
        specs = [version.spec for version in store.versions(entrants).values()]
        if all(map(is_catalogue, specs)):
            return Isolation.LIMITS, "isolation: limits (all bots are the league's own)"
    return resolve(wanted)


def unfinished(store: Store, tournament: int | None) -> TournamentRow:
    """Return the tournament of that number, or the newest one that is not finished.

    Raises `UnknownRowError` when there is none.
    """
    if tournament is not None:
        return store.tournament(tournament)
    open_ones = [row for row in store.tournaments() if not row.is_finished]
    if not open_ones:
        raise UnknownRowError("no unfinished tournament: nothing to resume", "tournament", None)
    return max(open_ones, key=lambda row: row.id)


def _entrants(store: Store, game: Game, names: Sequence[str]) -> list[BotRow]:
    if list(names) == ["all"]:
        found = [bot for bot in store.bots() if _is_for(bot, game)]
    else:
        found = [store.bot(name) for name in names]
        _refuse(game, found)
    if len(found) < game.seats:
        raise SetupError(
            f"{len(found)} bot{'s' if len(found) != 1 else ''} can't fill the {game.seats} seats "
            f"of {game.spec}: register more with 'league register NAME SPEC'"
        )
    return found


def _refuse(game: Game, bots: Sequence[BotRow]) -> None:
    names = [bot.name for bot in bots]
    for bot in bots:
        if names.count(bot.name) > 1:
            raise SetupError(f"bot {bot.name!r} is named twice: a tournament needs distinct bots")
        if bot.is_retired:
            raise SetupError(f"bot {bot.name!r} is retired: 'league retire --undo' brings it back")
        if not _is_for(bot, game):
            raise SetupError(
                f"bot {bot.name!r} is registered for {', '.join(bot.games)}, not for {game.spec}: "
                "register it again with --game"
            )


def _refuse_protocols(game: Game, limits: Limits, bots: Sequence[BotRow]) -> None:
    for bot in bots:
        if refusal := refusal_of(bot.versions[-1].spec, game, limits):
            raise SetupError(f"bot {bot.name!r} can't play: {refusal}")


def _is_for(bot: BotRow, game: Game) -> bool:
    # Without the options: a bot for Connect Four plays it on every board.
    name = game.spec.partition("?")[0]
    return not bot.games or name in {each.partition("?")[0] for each in bot.games}
