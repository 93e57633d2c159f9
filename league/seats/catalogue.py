"""Which kind of seat a bot's spec asks for: `uci:stockfish` the protocol of that name."""

import importlib
import pkgutil
from functools import cache
from typing import cast

from games.contract import Game
from league.records import BotVersion, Limits
from league.seats import protocols
from league.seats.engine import EngineSeat
from league.seats.python import PythonSeat


@cache
def protocol_names() -> tuple[str, ...]:
    """List the protocols: the modules of `league.seats.protocols`, each with a class `SEAT`."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(protocols.__path__)))


def protocol_of(spec: str) -> str:
    """Return the protocol that a spec begins with; '' where it names a Python bot."""
    head, colon, _ = spec.partition(":")
    return head if colon and head in protocol_names() else ""


@cache
def find(protocol: str) -> type[EngineSeat]:
    """Return the seat class of a protocol."""
    module = importlib.import_module(f"{protocols.__name__}.{protocol}")
    return cast(type[EngineSeat], module.SEAT)


def usual_game(spec: str) -> str:
    """Return the one game that bots of that spec are for, '' where there is none such."""
    protocol = protocol_of(spec)
    return find(protocol).plays if protocol else ""


def refusal_of(spec: str, game: Game, limits: Limits) -> str:
    """Say why a bot of that spec can't play `game` under `limits`; '' where nothing is known."""
    protocol = protocol_of(spec)
    return find(protocol).refusal(game, limits) if protocol else ""


def make_seat(version: BotVersion, limits: Limits) -> EngineSeat | PythonSeat:
    """Return a seat for the bot; nothing is started yet."""
    protocol = protocol_of(version.spec)
    return (find(protocol) if protocol else PythonSeat)(version, limits)
