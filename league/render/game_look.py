"""The look of a stored game: its title, and the colours of its seats.

Only games of the catalogue are asked. A match may come from a file of rules, which a page of lists
must neither read nor run.
"""

from functools import lru_cache
from pathlib import PurePath

from games.support.errors import InputError
from games.support.game import Game
from games.support.seat_colours import SEAT_COLOURS
from games.support.specs import GAMES, find_game


def title_of(spec: str) -> str:
    """Return the game's title with the options that are not the default ones.

    >>> title_of("mnk?columns=9&rows=9")
    'Gomoku (columns 9, rows 9)'
    >>> title_of("rules/nim.py:Nim")
    'Nim'
    """
    name, _, options = spec.partition("?")
    game = built_in(name)
    head, colon, member = name.rpartition(":")
    title = game.title if game else member if colon and member else PurePath(name).stem or name
    if head == "openspiel":
        title = member.replace("_", " ").capitalize()
    told = ", ".join(each.replace("=", " ", 1) for each in options.split("&") if each)
    return f"{title} ({told})" if told else title


def colours_in(spec: str, seats: int) -> tuple[str, ...]:
    """Return the colour of each seat, by seat, as a name of `SEAT_COLOURS`."""
    game = built_in(spec)
    found = game.seat_colours if game else ()
    return (*found, *SEAT_COLOURS)[:seats]


def seat_names_in(spec: str, seats: int) -> tuple[str, ...]:
    """Return what each seat is called, by seat: its number where the rules are not known here."""
    game = built_in(spec)
    found = game.seat_names if game else ()
    return (*found, *(f"seat {seat + 1}" for seat in range(len(found), seats)))[:seats]


def has_pictures(spec: str) -> bool:
    """Whether positions of the game can be drawn here: its rules are of the catalogue."""
    return built_in(spec) is not None


@lru_cache(maxsize=256)
def built_in(spec: str) -> Game | None:
    """Return a game of the catalogue with its options; None for any other."""
    name = spec.partition("?")[0]
    try:
        # A game with options may need a file of its own: a layout, a tree.
        return find_game(spec) if GAMES.built_in(name) else None
    except InputError:
        return GAMES.built_in(name)
