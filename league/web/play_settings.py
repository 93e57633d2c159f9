"""The settings of a match that a person plays, read from a form."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.support.errors import OptionError, UnknownNameError
from games.support.game import Game
from games.support.options import Option, split_options
from games.support.specs import GAMES, find_game
from league.analysis.standings import newest_standings
from league.api.sessions import registered_version, session_of
from league.match.session import Session
from league.model.errors import SetupError, UnknownRowError
from league.model.records import IMPORTED
from league.seats.bot_specs import usual_game
from league.store.rows import BotRow
from league.store.store import StoreReader

LIMITS: Mapping[str, tuple[str, float | None, int | None]] = {
    "100ms": ("0.1 s per move", 0.1, None),
    "300ms": ("0.3 s per move", 0.3, None),
    "1s": ("1 s per move", 1.0, None),
    "3s": ("3 s per move", 3.0, None),
    "10s": ("10 s per move", 10.0, None),
    "30s": ("30 s per move", 30.0, None),
    **{f"depth{depth}": (f"depth {depth}", None, depth) for depth in (1, 2, 3, 4, 5, 6, 8)},
}
"""The limits of a bot by name: label, seconds for each move, plies of depth."""

USUAL = "1s"

STRENGTHS = ("strong", "medium", "weak")
"""The names of the thirds of the opponents, by rating."""

FIRST_GAME = "tictactoe"

TWO_PEOPLE = ""
"""The opponent if people take all seats."""


@dataclass(frozen=True, slots=True)
class PlayOpponent:
    """A bot that can be played against, with its rating in the game; None without matches."""

    bot: BotRow
    rating: float | None
    strength: str


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """The settings of a new match; `game` is a spec, and `limit` a key of `LIMITS`."""

    game: str
    against: str
    seat: int
    limit: str


def settings_in(store: StoreReader, given: Mapping[str, str]) -> PlaySettings:
    """Return the settings in a form; raise `InputError`."""
    game = game_in(store, given)
    limit = given.get("limit", USUAL)
    if limit not in LIMITS:
        raise UnknownNameError("limit", limit, LIMITS)
    seat = _seat(game, given.get("seat", "0"))
    return PlaySettings(game.spec, given.get("against", TWO_PEOPLE), seat, limit)


def game_in(store: StoreReader, given: Mapping[str, str]) -> Game:
    """Return the game that a form names, with its options; raise `InputError`."""
    spec = given.get("game", FIRST_GAME)
    name, _, tail = spec.partition("?")
    is_played = spec in store.totals.games_played()
    # No other game: a spec may name a file, and loading it would run it.
    if name not in GAMES.names() and not is_played:
        raise UnknownRowError(f"no game {spec[:80]!r} here", "game", spec)
    game = find_game(spec if is_played else name)
    wanted = {} if is_played else split_options(tail, "&")
    named = {each.name: f"option.{each.name}" for each in game.options}
    wanted |= {name: given[key].strip() for name, key in named.items() if key in given}
    chosen = {}
    for each in game.options:
        text = wanted.pop(each.name, text_of(game, each))
        if text != text_of(game, each):
            _require_no_file(each, text)
            chosen[each.name] = text
    return game.with_options({**chosen, **wanted})


def session_for(
    store: StoreReader,
    settings: PlaySettings,
    isolation: str = "auto",
    memory_mb: int | None = None,
) -> Session:
    """Return the session of a match, not yet begun; raise `InputError`."""
    version, game = None, find_game(settings.game)
    _, move_s, depth = LIMITS[settings.limit]
    if settings.against != TWO_PEOPLE:
        row = store.bots.get(settings.against)
        if not is_for(row, game):
            raise SetupError(f"bot {row.name!r} does not play {game.title}")
        # Only bots of the league: a spec may name a file, and loading it would run it.
        version = registered_version(store, settings.against)
    how: dict[str, Any] = {"move_time": move_s, "depth": depth, "isolation": isolation}
    return session_of(store.path, game.spec, version, settings.seat, memory_mb=memory_mb, **how)


def opponents_in(store: StoreReader, game: Game) -> list[PlayOpponent]:
    """List the bots that may play a game, the strongest first; those without a rating are last."""
    rows = (
        newest_standings(store, game.spec).rows if game.spec in store.totals.games_played() else []
    )
    ratings = {row.name: row.rating for row in rows if row.rank}
    bots = [each for each in store.bots.all() if is_for(each, game)]
    rated = sorted(
        (each for each in bots if each.name in ratings), key=lambda each: -ratings[each.name]
    )
    found = [
        PlayOpponent(each, ratings[each.name], STRENGTHS[len(STRENGTHS) * place // len(rated)])
        for place, each in enumerate(rated)
    ]
    return found + [PlayOpponent(each, None, "") for each in bots if each.name not in ratings]


def usual_opponent(opponents: Sequence[PlayOpponent]) -> str:
    """Return the name of a bot in the middle of those that have a rating, else the first one."""
    rated = [each for each in opponents if each.rating is not None]
    chosen = rated[len(rated) // 2 :] or opponents
    return chosen[0].bot.name if chosen else TWO_PEOPLE


def is_for(bot: BotRow, game: Game) -> bool:
    """Whether a bot may play a game, by what it is registered for and what its protocol plays."""
    spec, name = bot.versions[-1].spec, game.spec.partition("?")[0]
    if spec == IMPORTED:
        return False
    only = usual_game(spec)
    named = {each.partition("?")[0] for each in bot.games}
    return (not named or name in named) and (not only or only == name)


def text_of(game: Game, option: Option) -> str:
    """Write the value of an option as a form does."""
    value = game.values[option.name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _seat(game: Game, text: str) -> int:
    if text == "random":
        return random.randrange(game.seats)
    if text not in map(str, range(game.seats)):
        raise SetupError(f"seat {text[:20]!r}: expected 0 to {game.seats - 1}, or random")
    return int(text)


def _require_no_file(option: Option, text: str) -> None:
    """Raise `OptionError` where a text could name a file of this machine."""
    if option.kind is not str or option.choices or option.name == "fen":
        return
    if not text.replace("-", "").replace("_", "").isalnum() or Path(text).exists():
        raise OptionError(f"option {option.name}={text[:40]!r}: no files here", option.name)
