"""`league explain`."""

import click

from games.support.game import State, play_texts
from games.support.printable import printable
from games.support.specs import find_game
from league.cli.console import note, print_answer, usage_errors
from league.cli.option_types import MATCH
from league.cli.options import db_option, json_option
from league.cli.pictures import write


@click.command("explain")
@click.option("--game", metavar="SPEC", help="The game to search in.")
@click.option("--moves", metavar="TEXT", help="Search after these moves.")
@click.option("--position", metavar="TEXT", help="Search from here: moves, or the game's notation.")
@click.option("--match", type=MATCH, metavar="ID", help="Search in a stored match instead.")
@click.option(
    "--ply", type=click.IntRange(0), help="Search after this many plies [before the last move]."
)
@click.option(
    "--bot",
    metavar="BOT",
    help="minimax or alphabeta with options, or a Python file [alphabeta:depth=3].",
)
@click.option(
    "--cut",
    type=click.Choice(["equality", "strict"]),
    default="equality",
    show_default=True,
    help="Cut off when a value reaches a bound, or only when it passes it.",
)
@click.option("--fold", type=click.IntRange(0), help="Number of plies of the tree to print.")
@click.option(
    "--svg", metavar="FILE", type=click.Path(dir_okay=False), help="Draw the tree to FILE."
)
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write a page that steps through the search.",
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
    """Show a search: its windows, values and cutoffs.

    Prints the tree; --svg draws it, and --html writes a page that steps through the search. In a
    stored match it shows the search of the bot to move, if that is minimax, alphabeta or a bot of
    your own.

    Of a bot of your own, a Python file, it counts the calls of 'play' and prints the tree that they
    walk; it sees no values, but what the bot reports.

    \b
    Examples:
      league explain --game connectfour --moves "4 4 3" --bot alphabeta:depth=3
      league explain --game connectfour --bot mine.py --fold 2
      league explain --match 17 --bot mine.py
      league explain --game 'tree?file=ghosts' --html ghosts.html
      league explain --match 17 --ply 4 --svg search.svg
    """
    from league.analysis.own_search import is_own
    from league.api.league import League
    from league.api.tools import Explanation, OwnExplanation, explain_state

    found: Explanation | OwnExplanation
    if match is None:
        state, title = _position(game, moves, position, ply)
        with usage_errors():
            if bot and is_own(bot):
                found = League.explain_own(game or "", bot, moves or position or "")
            else:
                found = explain_state(state, title, bot or "", cut)
    else:
        if game or moves is not None or position is not None:
            raise click.UsageError("--match brings its game and moves: give it alone")
        with League(db, read_only=True) as league, usage_errors():
            stored = league.match(match)
            if is_own(bot) if bot else stored.is_own(ply):
                found = stored.explain_own(ply, bot=bot or "")
            else:
                found = stored.explain(ply, bot=bot or "", cut_on=cut)
    if isinstance(found, OwnExplanation):
        if svg or html:
            raise click.UsageError(
                "--svg and --html draw the search of minimax and alphabeta: "
                "of a search of your own they see no values"
            )
    else:
        for path, draw in ((svg, found.to_svg), (html, found.to_html)):
            if path is not None:
                write(draw(), path)
                note(f"{path} written")
    if as_json:
        print_answer(found, as_json)
    elif fold is not None or (svg is None and html is None):
        click.echo(printable(found.to_text(fold), keep_lines=True))


def _position(
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
