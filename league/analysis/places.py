"""What bots scored, in words: won, drawn and lost, or places among more than two sides."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from games.support.errors import InputError
from games.support.specs import find_game
from league.match.scores import places_of, places_to_show
from league.model.number_format import ordinal
from league.store.rows import MatchRow

WDL = "+W =D −L"
"""The head of a column of wins, draws and losses."""


class ResultCounts(Protocol):
    """Results of a bot; `places` counts the matches by place, () in a game of two sides."""

    @property
    def wins(self) -> int:
        """The matches in which it beat all others."""

    @property
    def draws(self) -> int:
        """The matches that it neither won nor lost."""

    @property
    def losses(self) -> int:
        """The matches in which it beat nobody."""

    @property
    def places(self) -> tuple[int, ...]:
        """The matches in which it came first, second and so on."""


def of_two_sides(name: str) -> Callable[[ResultCounts], int | None]:
    """Return what takes a count of results, None where places tell them."""
    return lambda row: None if row.places else getattr(row, name)


def counts_named(row: ResultCounts) -> list[tuple[str, int]]:
    """Return how often a bot won, drew and lost, or by place, each with its name."""
    if not row.places:
        return [("won", row.wins), ("drawn", row.draws), ("lost", row.losses)]
    return [(ordinal(place), count) for place, count in enumerate(row.places, 1)]


def record_told(row: ResultCounts) -> str:
    """Write the results of a bot: `+9 =3 −0`, or `9/3/0` by place."""
    if not row.places:
        return f"+{row.wins} ={row.draws} −{row.losses}"
    return "/".join(map(str, row.places))


def record_head(rows: Iterable[ResultCounts]) -> str:
    """Return the head of a column of `record_told`: `+W =D −L`, or `1st/2nd/3rd`."""
    most = max((len(row.places) for row in rows), default=0)
    return "/".join(ordinal(place) for place in range(1, most + 1)) or WDL


def sum_of_places(rows: Iterable[ResultCounts]) -> tuple[int, ...]:
    """Add up places; () unless all rows are of games with the same number of sides above two."""
    found = [row.places for row in rows]
    if len({len(each) for each in found}) != 1:
        return ()
    return tuple(map(sum, zip(*found, strict=True)))


def result_told(scores: Sequence[float], sides: Sequence[int]) -> str:
    """Write the result of a match: `1 – 0`, or `1st – 3rd – 2nd` among more than two sides."""
    places = places_to_show(scores, sides)
    return " – ".join(map(ordinal, places) if places else (f"{score:g}" for score in scores))


def payoffs_told(game: str, utilities: Sequence[float] | None) -> str:
    """Write what a match was worth to each seat: `+2 – −2 chips`; '' if the game only says who won.

    Also '' of a match that did not end by the rules, or whose game is gone.
    """
    if utilities is None:
        return ""
    try:
        unit = find_game(game).payoff_unit
    except InputError:
        return ""
    told = " – ".join(f"{each:+g}".replace("-", "−") for each in utilities)
    return f"{told} {unit}" if unit else ""


def sides_of_match(row: MatchRow) -> Sequence[int]:
    """Return the sides of a match by seat; () if each plays for itself, or the game is lost."""
    if len(row.versions) > 2:
        with suppress(InputError):
            return find_game(row.game).sides
    return ()


def match_places(row: MatchRow) -> tuple[int, ...]:
    """Return the place of each seat of a match from 1; the seats of a side share its place."""
    return places_of(row.scores, sides_of_match(row))


def match_result(row: MatchRow) -> str:
    """Write the result of a match as `result_told` does."""
    return result_told(row.scores, sides_of_match(row))
