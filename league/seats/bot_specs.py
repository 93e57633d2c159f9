"""The kind of seat that a bot's spec needs: `uci:stockfish` the protocol of that name."""

from collections.abc import Sequence
from functools import lru_cache

from bots.support.specs import BOTS, is_built_in
from games.support.catalogue import Catalogue, subclass_of
from games.support.game import Game
from league.model.errors import SetupError
from league.model.records import BotVersion, Limits
from league.seats.bot_seat import BotKind, BotSeat, ProtocolSeat
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import SeatFault, SeatKilled

_THREADS = ("threads", "cores")
"""The options for the number of threads in UCI and in the protocol of xboard."""

PROTOCOLS: Catalogue[type[ProtocolSeat]] = Catalogue(
    kind="protocol",
    package="league.seats.protocols",
    attribute="SEAT",
    group="botleague.protocols",
    is_part=subclass_of(ProtocolSeat),
)


def protocol_of(spec: str) -> str:
    """Return the protocol that a spec begins with; '' for a Python bot."""
    head, colon, _ = spec.partition(":")
    # The address of a server is a spec.
    head = "http" if head == "https" else head
    return head if colon and head.isidentifier() and PROTOCOLS.has(head) else ""


def kind_of(spec: str) -> BotKind:
    """Return how a bot of that spec plays."""
    return _seat_class(spec).kind


@lru_cache(maxsize=1024)
def is_model(spec: str) -> bool:
    """Whether a bot of that spec is a language model; fast, as it is asked of every match."""
    return kind_of(spec) is BotKind.MODEL


def usual_game(spec: str) -> str:
    """Return the only game that bots of that spec play; '' if there is more than one."""
    if spec.startswith("axelrod:"):
        return "dilemma"
    protocol = protocol_of(spec)
    return PROTOCOLS.find(protocol).plays if protocol else ""


def refusal_of(spec: str, game: Game, limits: Limits) -> str:
    """Return why a bot of that spec can't play `game` under `limits`; '' if no reason is known."""
    protocol = protocol_of(spec)
    if not protocol:
        return BOTS.find(spec).refusal(game) if is_built_in(spec) else ""
    kind = PROTOCOLS.find(protocol)
    if game.has_secrets and not kind.carries_views:
        return f"{protocol} can't say what a seat sees of {game.title}: Python and JSON lines can"
    return kind.refusal(game, limits)


def require_able(name: str, spec: str, game: Game, limits: Limits) -> None:
    """Raise `SetupError` for a bot that can't play `game` under `limits`, by its `refusal_of`."""
    if refusal := refusal_of(spec, game, limits):
        raise SetupError(f"bot {name!r} can't play: {refusal}")


def start_limit_s(spec: str, limits: Limits) -> float:
    """Return the seconds that a bot of that spec has to start, and again for each match."""
    return _seat_class(spec).start_limit_s(limits)


def threads_of(version: BotVersion) -> int:
    """Return how many threads the options of an engine ask for; 1 if they do not say."""
    given = (value for name, value in version.options.items() if name.casefold() in _THREADS)
    text = next(given, "").strip()
    return max(1, int(text)) if text.isdecimal() and len(text) < 5 else 1


def lack_of(
    version: BotVersion, games: Sequence[Game], limits: Limits, environment: BotEnvironment
) -> str:
    """Start a program and return what it lacks for one of `games`; '' if no reason is known.

    It is not started for games from their usual position.
    """
    needy = [game for game in games if game.values.get("fen") or game.values.get("chess960")]
    if not needy or not protocol_of(version.spec):
        return ""
    seat = make_seat(version, limits, environment)
    if not isinstance(seat, ProtocolSeat):
        return ""
    try:
        seat.start()
        return next(filter(None, map(seat.lack, needy)), "")
    except (SeatFault, SeatKilled, OSError):
        # It may start when it plays; if not, it loses its matches and the reason is stored.
        return ""
    finally:
        seat.stop()


def make_seat(
    version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
) -> BotSeat:
    """Return a seat for the bot, not yet started."""
    return _seat_class(version.spec)(version, limits, environment)


def _seat_class(spec: str) -> type[BotSeat]:
    protocol = protocol_of(spec)
    return PROTOCOLS.find(protocol) if protocol else PythonSeat
