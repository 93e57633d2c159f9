"""`league compare`."""

import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from games.support.game import Game, State
from games.support.moves import draw_move
from games.support.specs import find_game
from league.cli.console import cut, print_json, print_table
from league.cli.option_types import DURATION
from league.cli.options import json_option
from league.cli.pictures import write
from league.model.errors import SetupError
from league.model.number_format import short_score

if TYPE_CHECKING:
    from league.analysis.compare_searches import ComparedSearch

BAR = 24
BOTS_SHOWN = 34


@click.command("compare")
@click.argument("game")
@click.option("--bots", required=True, metavar="SPECS", help="Built-in bots, by commas.")
@click.option("--moves", multiple=True, metavar="TEXT", help="A position, by the moves to it.")
@click.option("--file", "path", metavar="FILE", help="A file with a position on each line.")
@click.option("--random", "count", type=click.IntRange(1), help="So many random positions.")
@click.option("--plies", type=click.IntRange(0), default=6, show_default=True, help="Of those.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--move-time", type=DURATION, help="Time for each answer [none].")
@click.option("--svg", "picture", metavar="FILE", help="Plot the nodes of each bot.")
@json_option
def command(
    game: str,
    bots: str,
    moves: tuple[str, ...],
    path: str | None,
    count: int | None,
    plies: int,
    seed: int,
    move_time: float | None,
    picture: str | None,
    as_json: bool,
) -> None:
    """Give the same positions of GAME to several built-in bots, and count their nodes.

    Without --moves, --file or --random it is the first position. A line of a file is a position as
    the game writes it, or the moves to it; what follows a semicolon or a # is left out.

    \b
    Examples:
      league compare connectfour --bots minimax:depth=5,alphabeta:depth=5,mtdf
      league compare tictactoe --bots minimax,mtdf --moves "b2 a1"
      league compare othello --bots alphabeta:depth=3,pvs:depth=3 --random 20
    """
    from league.analysis.compare_searches import compare, entrants_of

    rules = find_game(game)
    labels, entrants = zip(*entrants_of(bots), strict=True)
    positions = _positions(rules, moves=moves, path=path, count=count, plies=plies, seed=seed)
    is_shown = not as_json and sys.stderr.isatty()

    def progress(done: int, total: int) -> None:
        if is_shown:
            click.echo(f"\r{done} of {total} answers", nl=False, err=True)

    found = compare(entrants, [state for _, state in positions], move_time, seed, progress)
    if is_shown:
        click.echo("\r\x1b[K", nl=False, err=True)
    if picture is not None:
        _plot(rules.title, labels, found, picture)
    if as_json:
        from league.interchange.documents.searches import comparison_document

        names, answers = [name for name, _ in positions], zip(labels, found, strict=True)
        print_json(comparison_document(rules.spec, names, answers))
    elif len(positions) == 1:
        _show_one(labels, found)
    else:
        _show_many(labels, found, len(positions))


def _positions(
    rules: Game,
    *,
    moves: tuple[str, ...],
    path: str | None,
    count: int | None,
    plies: int,
    seed: int,
) -> list[tuple[str, State]]:
    texts = list(moves)
    if path is not None:
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"can't read positions from {path!r}: {error}") from None
        texts += filter(None, (line.partition("#")[0].partition(";")[0].strip() for line in lines))
    found = [(text, rules.position(text)) for text in texts]
    for number in range(count or 0):
        source = random.Random(f"{seed}:{number}")
        walk = [rules.initial()]
        while len(walk) <= plies and walk[-1].outcome() is None:
            walk.append(walk[-1].play(draw_move(walk[-1], source)))
        open_ones = [each for each in walk if each.outcome() is None and each.to_move >= 0]
        if not open_ones:
            raise SetupError(f"{rules.spec} has no position for a bot within {plies} plies")
        found.append((f"random {number + 1}", open_ones[-1]))
    return found or [("the first position", rules.initial())]


def _show_one(labels: Sequence[str], found: "list[list[ComparedSearch]]") -> None:
    answers = [each[0] for each in found]
    print_table(
        ("bot", "depth", "nodes", "seconds", "value", "move", ""),
        [
            (
                cut(label, BOTS_SHOWN),
                "–" if answer.depth is None else answer.depth,
                "–" if answer.nodes is None else f"{answer.nodes:,}",
                f"{answer.seconds:.3f}",
                "–" if answer.value is None else short_score(answer.value),
                answer.move,
                answer.text,
            )
            for label, answer in zip(labels, answers, strict=True)
        ],
        right=("depth", "nodes", "seconds", "value"),
    )
    _bars(labels, [answer.nodes or 0 for answer in answers])


def _show_many(labels: Sequence[str], found: "list[list[ComparedSearch]]", count: int) -> None:
    nodes = [sum(answer.nodes or 0 for answer in answers) for answers in found]
    first = found[0]
    rows = []
    for label, answers, total in zip(labels, found, nodes, strict=True):
        same = sum(mine.value == theirs.value for mine, theirs in zip(answers, first, strict=True))
        seconds = sum(answer.seconds for answer in answers)
        rows.append(
            (
                cut(label, BOTS_SHOWN),
                f"{total:,}",
                f"{total / max(1, nodes[0]):.1%}",
                f"{seconds:.3f}",
                f"{same} of {count}",
            )
        )
    print_table(
        ("bot", "nodes", "of the first's", "seconds", "same value as it"),
        rows,
        right=("nodes", "of the first's", "seconds", "same value as it"),
    )
    _bars(labels, nodes)


def _bars(labels: Sequence[str], nodes: list[int]) -> None:
    """Draw a bar for each bot; ten times the nodes is one step of the scale more."""
    if max(nodes) < 1:
        return
    digits = math.log10(max(nodes)) or 1
    click.echo("nodes, each step of the scale ten times the last")
    for label, count in zip(labels, nodes, strict=True):
        length = round(BAR * math.log10(max(1, count)) / digits)
        click.echo(f"  {cut(label, BOTS_SHOWN):<{BOTS_SHOWN}} {'█' * length} {count:,}")


def _plot(
    title: str, labels: Sequence[str], found: "list[list[ComparedSearch]]", target: str
) -> None:
    from games.support.drawing import draw_bars

    nodes = [sum(answer.nodes or 0 for answer in answers) for answers in found]
    write(draw_bars(f"Nodes searched: {title}", labels, nodes), target)
