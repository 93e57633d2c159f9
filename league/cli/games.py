"""`league games`."""

from typing import TYPE_CHECKING

import click

from games.support.errors import GameError
from games.support.game import Game
from games.support.printable import cut, printable
from games.support.specs import GAMES, find_game
from league.cli.console import print_json, print_table, show
from league.cli.options import json_option

if TYPE_CHECKING:
    from league.interchange.documents.games import OpenSpielGame


TITLE_MAX = 26
"""The longest title in the table of OpenSpiel's games, for a terminal of 80 columns."""


@click.command("games")
@click.argument("name", required=False)
@click.option("--all", "is_all", is_flag=True, help="List OpenSpiel's games too.")
@json_option
def command(name: str | None, is_all: bool, as_json: bool) -> None:
    """List the games, or show one with its options and evaluations.

    A game of your own, such as mygame.py, is tried out: the rule that it breaks
    is named with its line.

    \b
    Examples:
      league games
      league games connectfour
      league games mygame.py
      league games --all
    """
    if name and is_all:
        raise click.UsageError("--all lists games: it takes no NAME")
    if name:
        from games.support.trial import THOROUGH_S, try_out

        game = find_game(name)
        plies = try_out(game, THOROUGH_S) if game.origin else 0
        if as_json:
            from league.interchange.documents.games import Game as GameDocument

            print_json(GameDocument.of(game))
        else:
            _show(game, plies)
        return
    if as_json:
        from league.interchange.documents.games import AllGames, game_documents

        listed = game_documents(GAMES.names())
        print_json(AllGames(games=listed, openspiel=_openspiel()) if is_all else listed)
        return
    found, why_not = _loaded()
    _list(found)
    for text in why_not:
        click.echo(printable(text))
    if is_all:
        _list_openspiel()
    show(["'league games NAME' shows a game with its options and evaluations"])


def _loaded() -> tuple[list[Game], list[str]]:
    """Return the games that can be played here, and why others can't."""
    found, why_not = [], []
    for name in GAMES.names():
        try:
            found.append(find_game(name))
        except GameError as error:
            why_not.append(str(error))
    return found, why_not


def _list(found: list[Game]) -> None:
    rows = [
        (
            game.origin or game.name,
            game.title,
            game.seats,
            _yes(game.has_chance),
            _yes(game.has_secrets),
        )
        for game in found
    ]
    print_table(("game", "title", "seats", "chance", "secrets"), rows, right=("seats",))


def _show(game: Game, plies: int) -> None:
    luck = ", with luck" if game.has_chance else ""
    luck += ", with secrets" if game.has_secrets else ""
    click.echo(f"{game.title}: {game.seats} seats ({', '.join(game.seat_names)}){luck}\n")
    click.echo(printable(game.initial().render(), keep_lines=True))
    values = game.values
    for each in game.options:
        chosen = "none" if values[each.name] is None else values[each.name]
        click.echo(f"  {each.name}={chosen}  {each.help} ({each.range()})")
    if plies:
        click.echo(f"  tried out in {plies} plies of random play: it keeps to the contract")
    for evaluation in game.evaluations:
        click.echo(f"  evaluation {evaluation.name}: {evaluation.help}")
    click.echo(f"  position: {printable(game.position_help)}")
    if game.options:
        head = game.spec.partition("?")[0]
        click.echo(f"\nOptions are part of the game's name: {head}?{game.options[0].name}=…")


def _openspiel() -> "list[OpenSpielGame] | None":
    """Return all of OpenSpiel's games, None where the package is missing."""
    from games.openspiel import rules
    from league.interchange.documents.games import OpenSpielGame

    try:
        return [OpenSpielGame.of(each) for each in rules.survey()]
    except GameError:
        return None


def _list_openspiel() -> None:
    """Print two tables, for one of all columns would not fit a terminal of 80."""
    from games.openspiel import rules

    try:
        survey = rules.survey()
    except GameError:
        click.echo("OpenSpiel's games need open_spiel: pip install 'botleague[openspiel]'")
        return
    ready = [each for each in survey if each.is_playable]
    rest = [each for each in survey if not each.is_playable]
    prefix = rules.PREFIX
    print_table(
        ("game", "title", "seats", "chance"),
        [
            (each.name, cut(each.title, TITLE_MAX), _seats(each.seats), _yes(each.has_chance))
            for each in ready
        ],
        right=("seats",),
        title=f"OpenSpiel's games: {len(ready)} can be played here",
    )
    print_table(
        ("game", "seats", "chance", "why not"),
        [
            (
                each.name.removeprefix(prefix),
                _seats(each.seats),
                _yes(each.has_chance),
                each.why_not,
            )
            for each in rest
        ],
        right=("seats",),
        title=f"OpenSpiel's games: {len(rest)} can't, and why not",
    )


def _seats(seats: tuple[int, int]) -> str:
    low, high = seats
    return str(low) if low == high else f"{low}–{high}"


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
