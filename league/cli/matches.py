"""`league matches`."""

import click

from games.support.errors import UnknownNameError
from games.support.specs import find_game
from league.cli.console import print_json, print_table
from league.cli.options import db_option, json_option
from league.cli.pool_options import pool_options
from league.model.records import Termination


@click.command("matches")
@pool_options
@click.option("--bot", help="Matches of this bot.")
@click.option("--termination", help="Ended so: 'rules', 'time forfeit', 'crash', …")
@click.option("--faults", is_flag=True, help="Ended by a bot's fault.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0)
@db_option
@json_option
def command(
    game: str | None,
    tournament: int | None,
    bot: str | None,
    termination: str | None,
    faults: bool,
    limit: int,
    offset: int,
    db: str,
    as_json: bool,
) -> None:
    """List matches, newest first; their numbers are what replay and why take.

    \b
    Example:
      league matches --bot mine --faults
    """
    from league.store.store import open_store

    kinds = [str(kind) for kind in Termination]
    if termination and termination not in kinds:
        raise UnknownNameError("termination", termination, kinds)
    with open_store(db, read_only=True) as store:
        found = store.matches(
            game=find_game(game).spec if game else None,
            tournament=tournament,
            bot=store.bot(bot).name if bot else None,
            termination=Termination(termination) if termination else None,
            faults_only=faults,
            limit=limit,
            offset=offset,
        )
    if as_json:
        from league.interchange.documents.matches import MatchSummary

        print_json([MatchSummary.of(row) for row in found])
        return
    if not found:
        click.echo("no such matches")
        return
    print_table(
        ("id", "game", "bots", "score", "plies", "end"),
        [
            (
                row.id,
                row.game,
                " – ".join(str(each) for each in row.versions),
                " – ".join(f"{score:g}" for score in row.scores),
                row.plies,
                row.termination
                if row.fault_seat is None
                else f"{row.termination} of {row.versions[row.fault_seat]}",
            )
            for row in found
        ],
        right=("id", "plies"),
    )
