"""`league replay`."""

import sys
from typing import TYPE_CHECKING, Literal

import click

from games.support.printable import printable
from league.cli.console import is_interactive, print_json
from league.cli.option_types import MATCH
from league.cli.options import db_option, json_option
from league.cli.pictures import write
from league.render.text.replay import LEFT, cells_of, told_of, widths_of
from league.render.text.table import WIDTH

if TYPE_CHECKING:
    from rich.table import Table

    from league.analysis.replay import Replay


@click.command("replay")
@click.argument("match", type=MATCH, required=False)
@click.option("--ply", type=click.IntRange(0), help="The position after this many plies.")
@click.option("--plain", is_flag=True, help="Print instead of stepping.")
@click.option("--svg", "picture", metavar="FILE", help="Draw the position, or animate the match.")
@click.option(
    "--seen-by", metavar="SEAT", help="With secrets: what a seat saw, by its number, name or bot."
)
@db_option
@json_option
def command(
    match: int | None,
    ply: int | None,
    plain: bool,
    picture: str | None,
    seen_by: str | None,
    db: str,
    as_json: bool,
) -> None:
    """Step through a match: boards, moves, what each bot thought.

    Without a number: the newest match.

    On a terminal, step with the arrow keys; press ? for all keys. With --plain, or in a pipe, it
    prints the final position and the list of moves; with --ply it prints that position only. With
    --svg it draws the position to a file, or the whole match as an animation if --ply is missing.

    \b
    Examples:
      league replay 17
      league replay 17 --ply 12 --plain
      league replay 17 --svg match.svg
      league replay 17 --seen-by mine
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.match(match).replay(show=False, seen_by=seen_by)
    replay = found.value
    last = len(replay.frames) - 1
    if ply is not None and ply > last:
        raise click.BadParameter(
            f"match {replay.row.id} ended after {last} plies", param_hint="'--ply'"
        )
    if picture is not None:
        write(found.to_svg(ply), picture)
    elif as_json:
        print_json(found.to_dict(ply))
    elif plain or not is_interactive():
        _print_plain(replay, ply)
    else:
        from league.cli.replay_screen import ReplayApp
        from league.cli.textual_app import run

        run(ReplayApp(replay, ply or 0))


def _print_plain(replay: "Replay", ply: int | None) -> None:
    """Print one position, or the last one and the list of moves."""
    from rich.console import Console

    frame = replay.frames[-1 if ply is None else ply]
    click.echo(f"{printable(replay.title)}\nply {frame.ply} of {len(replay.frames) - 1}\n")
    click.echo(printable(frame.state.render(), keep_lines=True) + "\n")
    if ply is not None:
        for line in told_of(replay, frame):
            click.echo(printable(line))
        return
    width = None if sys.stdout.isatty() else WIDTH
    console = Console(markup=False, highlight=False, emoji=False, width=width)
    console.print(_moves(replay, console.width))
    click.echo(f"\n{printable(replay.ending)}")


def _moves(replay: "Replay", width: int) -> "Table":
    from rich.table import Table
    from rich.text import Text

    moves = [cells_of(replay, frame) for frame in replay.frames[1:]]
    heads = widths_of(moves, width)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), collapse_padding=True)
    for head in heads:
        justify: Literal["left", "right"] = "left" if head in LEFT else "right"
        table.add_column(Text(head, style="dim"), justify=justify, no_wrap=True)
    for frame, cells in zip(replay.frames[1:], moves, strict=True):
        is_late = frame.record is not None and frame.record.over_ns > 0
        table.add_row(
            *(
                Text(cells[head], style="red" if head == "time" and is_late else "")
                for head in heads
            )
        )
    return table
