"""`league perft`."""

import time

import click

from games.support.game import State
from games.support.specs import find_game
from league.cli.console import print_json, print_table
from league.cli.options import json_option, with_options


@click.command("perft")
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, 60))
@click.option("--position", metavar="TEXT", help="Start there: moves, or the game's notation.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game.")
@click.option("--divide", "is_divided", is_flag=True, help="Also count each first move.")
@json_option
def command(
    game: str,
    depth: int,
    position: str | None,
    options: tuple[str, ...],
    is_divided: bool,
    as_json: bool,
) -> None:
    """Count the lines of play of GAME, up to DEPTH plies.

    Use it to test a game's rules against published numbers. A line that ends earlier is not
    counted. A pass counts as a ply, and so does every outcome of a chance event.

    \b
    Examples:
      league perft connectfour 6
      league perft connectfour 4 --option columns=8 --position 443
      league perft chess 3 --divide
    """
    from games.support.perft import divide

    rules = find_game(with_options(game, options))
    state = rules.initial() if position is None else rules.position(position)
    counts = _counted(state, depth, is_silent=as_json)
    parts = divide(state, depth) if is_divided else []
    if as_json:
        from msgspec import UNSET

        from league.interchange.documents.games import Perft, PerftCount

        divided = dict(parts) if is_divided else UNSET
        lines = [PerftCount(depth=ply, lines=count) for ply, count in enumerate(counts, 1)]
        print_json(Perft(game=rules.spec, position=position, counts=lines, divide=divided))
    elif parts:
        click.echo()
        print_table((f"at depth {depth}, begun by", "lines"), parts, right=("lines",))


def _counted(state: State, depth: int, is_silent: bool) -> list[int]:
    """Count ply by ply, so that the lesser depths are shown while the greatest is counted."""
    from games.support.perft import perft

    counts = []
    if not is_silent:
        click.echo("depth           lines    seconds      lines/s")
    for ply in range(1, depth + 1):
        begin = time.perf_counter()
        counts.append(perft(state, ply))
        took = max(time.perf_counter() - begin, 1e-9)
        if not is_silent:
            # Of a handful of lines no rate is worth showing.
            rate = f"{counts[-1] / took:>13,.0f}" if took > 0.001 else ""
            click.echo(f"{ply:>5}  {counts[-1]:>14,}  {took:>9.3f}{rate}")
    return counts
