"""`league bench`."""

import random
from typing import TYPE_CHECKING, Any

import click

from games.support.game import Game
from games.support.moves import draw_move
from games.support.specs import find_game
from league.cli.console import note, print_answer
from league.cli.heartbeat import heartbeat
from league.cli.option_types import MOVE_TIME
from league.cli.options import json_option, read_lines
from league.cli.pictures import write
from league.model.errors import SetupError

if TYPE_CHECKING:
    from league.analysis.own_search import Route


@click.command("bench")
@click.argument("game")
@click.option(
    "--bots",
    required=True,
    metavar="SPECS",
    help="Built-in bots or Python files, separated by commas.",
)
@click.option("--moves", multiple=True, metavar="TEXT", help="A position, by the moves to it.")
@click.option("--file", "path", metavar="FILE", help="A file with a position on each line.")
@click.option("--random", "count", type=click.IntRange(1), help="Number of random positions.")
@click.option(
    "--plies",
    type=click.IntRange(0),
    default=6,
    show_default=True,
    help="Plies to each random position.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of the positions and of the bots.",
)
@click.option("--move-time", type=MOVE_TIME, help="Time for each answer [none].")
@click.option("--svg", "picture", metavar="FILE", help="Plot the nodes of each bot to FILE.")
@json_option
def command(
    game: str,
    bots: str,
    seed: int,
    move_time: float | None,
    picture: str | None,
    as_json: bool,
    **where: Any,
) -> None:
    """Compare searches on the same positions: nodes, time, value.

    Without --moves, --file or --random it takes the initial position. Each line of a file is a
    position in the game's notation, or the moves that lead to it. Text after a semicolon or a # is
    ignored. A Python file is a bot of your own: its nodes are the root and its calls of 'play',
    unless it reports them.

    \b
    Examples:
      league bench connectfour --bots minimax:depth=5,pvs:depth=5,mtdf:depth=5
      league bench tictactoe --bots minimax,mtdf --moves "b2 a1" --move-time 1m
      league bench connectfour --bots mine.py,alphabeta:depth=3 --random 5
      league bench othello --bots alphabeta:depth=3,pvs:depth=3 --random 20
    """
    from league.analysis.compare_searches import endless_of
    from league.api.tools import compare_positions

    rules = find_game(game)
    told = ""

    def progress(done: int, total: int) -> None:
        nonlocal told
        told = f"{done} of {total} answers"
        if done == 0 and move_time is None and (endless := endless_of(rules, bots)):
            note(
                f"no limit: {', '.join(endless)} may search to the end of the game; give it a "
                f"depth, as in {endless[0]}{',' if ':' in endless[0] else ':'}depth=5, or "
                "--move-time 1s"
            )

    positions = _positions(rules, seed=seed, **where)
    with heartbeat(lambda: told):
        found = compare_positions(game, bots, positions, move_time, seed, progress)
    if picture is not None:
        from games.support.drawing import draw_bars

        labels = [each["bot"] for each in found.to_dict()["bots"]]
        nodes = [sum(answer.nodes or 0 for answer in answers) for answers in found.value]
        write(draw_bars(f"Nodes searched: {rules.title}", labels, nodes), picture)
    print_answer(found, as_json)


def _positions(
    rules: Game,
    *,
    moves: tuple[str, ...],
    path: str | None,
    count: int | None,
    plies: int,
    seed: int,
) -> "list[tuple[str, Route]]":
    from league.analysis.own_search import Route

    texts = list(moves)
    if path is not None:
        lines = read_lines(path)
        texts += filter(None, (line.partition("#")[0].partition(";")[0].strip() for line in lines))
    found = [(text, Route.to(rules, text)) for text in texts]
    for number in range(count or 0):
        source = random.Random(f"{seed}:{number}")
        state, route, newest = rules.initial(), Route(rules), None
        for ply in range(plies + 1):
            if state.outcome() is not None:
                break
            newest = route if state.to_move >= 0 else newest
            if ply < plies:
                move = draw_move(state, source)
                route, state = route.then(state, move), state.play(move)
        if newest is None:
            raise SetupError(f"{rules.spec} has no position for a bot within {plies} plies")
        found.append((f"random {number + 1}", newest))
    return found or [("the first position", Route(rules))]
