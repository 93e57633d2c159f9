"""The matches that a statistic is about: a game's, a tournament's, or each game's in turn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from games.support.specs import find_game
from league.analysis.sentences import interval_of
from league.cli.console import cut, print_table
from league.cli.options import F
from league.model.errors import SetupError
from league.ratings.head_to_head import ScoreShare

if TYPE_CHECKING:
    from league.store.store import Store

OPENINGS = 10

PART_MAX = 27
"""A longer name of a part of the matches is cut, so that its line keeps within 80 columns."""


def pool_options(function: F) -> F:
    """Add `--game` and `--tournament`."""
    one = click.option("--tournament", type=int, help="One tournament only.")(function)
    return click.option("--game", help="One game only.")(one)


def games_of(store: "Store", game: str | None, tournament: int | None) -> list[str]:
    """Return the games to tell of: the one that was chosen, or all that were played.

    Raises `SetupError` where nothing was, `UnknownRowError` for a tournament that isn't there.
    """
    if tournament is not None:
        return [store.tournament(tournament).config.game]
    chosen = [find_game(game).spec] if game else list(store.games_played())
    if not chosen:
        raise SetupError("no matches yet: 'league run --game GAME --bots all' plays some")
    return chosen


def where(game: str, tournament: int | None) -> str:
    """Say which matches those are."""
    return game if tournament is None else f"{game}, tournament {tournament}"


def print_openings(head: str, openings: "Sequence[ScoreShare]") -> None:
    """Print what was scored from the least even openings; `openings` come in that order."""
    print_parts(head, openings[:OPENINGS])
    if len(openings) > OPENINGS:
        click.echo(f"  the least even {OPENINGS} of {len(openings):,} openings\n")


def print_parts(head: str, parts: Sequence[ScoreShare]) -> None:
    """Print what was scored in each part of the matches."""
    print_table(
        (head, "matches", "won", "drawn", "lost", "score", "95%"),
        [
            (
                cut(part.name, PART_MAX),
                part.head_to_head.matches,
                part.head_to_head.wins,
                part.head_to_head.draws,
                part.head_to_head.losses,
                f"{part.head_to_head.score:.1%}",
                interval_of(part.head_to_head),
            )
            for part in parts
        ],
        right=("matches", "won", "drawn", "lost", "score", "95%"),
    )
