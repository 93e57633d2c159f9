"""`league explain`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from games.support.game import CHANCE, State, play_texts
from games.support.specs import find_game
from league.cli.console import clean, note, print_json
from league.cli.options import db_option, json_option

if TYPE_CHECKING:
    from bots.trace.records import Setting, Trace
    from league.analysis.replay import Replay

NODES_MAX = 2_000_000
"""A search of more nodes than this takes minutes to trace."""


@click.command("explain")
@click.option("--game", metavar="SPEC", help="The game to search in.")
@click.option("--moves", metavar="TEXT", help="Search after these moves.")
@click.option("--position", metavar="TEXT", help="Search there: moves, or the game's notation.")
@click.option("--match", type=int, metavar="ID", help="Search in a stored match instead.")
@click.option("--ply", type=click.IntRange(0), help="After so many plies [before the last move].")
@click.option("--bot", metavar="BOT", help="minimax or alphabeta with options [alphabeta:depth=3].")
@click.option(
    "--cut",
    type=click.Choice(["equality", "strict"]),
    default="equality",
    show_default=True,
    help="Cut off where a value reaches a bound, or only where it passes it.",
)
@click.option("--fold", type=click.IntRange(0), help="Print so many plies of the tree.")
@click.option("--svg", metavar="FILE", type=click.Path(dir_okay=False), help="Draw it there.")
@click.option(
    "--html", metavar="FILE", type=click.Path(dir_okay=False), help="Write a page that steps."
)
@db_option
@json_option
def command(
    game: str | None,
    moves: str | None,
    position: str | None,
    match: int | None,
    ply: int | None,
    bot: str | None,
    cut: str,
    fold: int | None,
    svg: str | None,
    html: str | None,
    db: str,
    as_json: bool,
) -> None:
    """Show how a search went: windows, values, what was cut off, and by what.

    It prints the tree; --svg draws it, and --html writes a page that steps through the search.
    In a stored match it is the search of the bot to move, where that can be explained.

    \b
    Examples:
      league explain --game connectfour --moves "4 4 3" --bot alphabeta:depth=3
      league explain --game 'tree?file=ghosts' --html ghosts.html
      league explain --match 17 --ply 4 --svg search.svg
    """
    from league.render import search

    if match is None:
        state, title = _given(game, moves, position, ply)
        setting = _setting(state, bot, cut)
    else:
        if game or moves is not None or position is not None:
            raise click.UsageError("--match brings its game and moves: give it alone")
        state, title, setting = _stored(db, match, ply, bot, cut)
    trace = _traced(state, setting)
    if svg is not None:
        _write(svg, search.draw_trace(trace, title))
    if html is not None:
        _write(html, search.page_of(trace, title))
    if as_json:
        from league.interchange.documents.searches import search_document

        print_json(search_document(trace, title))
    elif fold is not None or (svg is None and html is None):
        click.echo(clean(search.text_of(trace, title, fold), keep_lines=True))


def _given(
    game: str | None, moves: str | None, position: str | None, ply: int | None
) -> tuple[State, str]:
    """Return the position that the options describe, and its title."""
    if game is None:
        raise click.UsageError("give --game with a game's spec, or --match with a match's number")
    if moves is not None and position is not None:
        raise click.UsageError("give --moves or --position, not both")
    if ply is not None:
        raise click.UsageError("--ply counts the plies of a --match")
    rules = find_game(game)
    if position is not None:
        return rules.position(position), f"{rules.spec} at {position}"
    if moves is not None and moves.strip():
        return play_texts(rules.initial(), moves), f"{rules.spec} after {moves}"
    return rules.initial(), f"{rules.spec} from the start"


def _setting(state: State, bot: str | None, cut: str) -> "Setting":
    from league.render.search.settings import default_setting, setting_of

    return default_setting(state.game, cut) if bot is None else setting_of(state.game, bot, cut)


def _stored(
    db: str, match: int, ply: int | None, bot: str | None, cut: str
) -> tuple[State, str, "Setting"]:
    """Return the position of a stored match, its title, and the search of its bot.

    A bot whose search can't be explained has the default one in its place.
    """
    from league.analysis.replay import load_replay
    from league.render.search.settings import setting_at
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        replay = load_replay(store, match)
        chosen = _ply(replay, ply)
        state = replay.frames[chosen].state
        setting = setting_at(store, replay, chosen, cut) if bot is None else None
    title = f"{replay.title}, after ply {chosen}"
    return state, title, setting or _setting(state, bot, cut)


def _ply(replay: "Replay", ply: int | None) -> int:
    """Return the ply asked for, else that before the last move of a seat."""
    last = len(replay.frames) - 1
    if ply is None:
        moved = [frame.ply for frame in replay.frames[1:] if not frame.is_luck]
        return moved[-1] - 1 if moved else 0
    if ply > last:
        raise click.BadParameter(
            f"match {replay.row.id} ended after {last} plies", param_hint="'--ply'"
        )
    return ply


def _traced(state: State, setting: "Setting") -> "Trace":
    from bots.support.search import Exhausted
    from bots.trace.search import trace

    if state.outcome() is not None:
        raise click.UsageError("the match is over in that position: there is nothing to search")
    if state.to_move == CHANCE:
        raise click.UsageError("luck moves in that position: add its move, or go a ply back")
    try:
        return trace(state, setting, nodes_max=NODES_MAX)
    except Exhausted:
        raise click.UsageError(
            f"the search makes more than {NODES_MAX:,} nodes: "
            f"give it less depth, as in --bot {setting.method}:depth=3"
        ) from None


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(path, error.strerror or str(error)) from None
    note(f"{path} written")
