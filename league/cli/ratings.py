"""`league ratings`."""

import csv
import sys
from datetime import UTC, datetime

import click

from games.support.specs import find_game
from league.cli.console import print_json, print_table
from league.cli.options import db_option, json_option
from league.render.text.printable import clean


@click.group("ratings")
def command() -> None:
    """Keep ratings over time: compute them again, or list a bot's.

    \b
    Examples:
      league ratings recompute
      league ratings history mine --system elo
    """


@command.command("recompute")
@click.option("--game", help="One game only.")
@click.option("--system", "chosen", multiple=True, help="Or others than fitted and elo.")
@db_option
@json_option
def recompute(game: str | None, chosen: tuple[str, ...], db: str, as_json: bool) -> None:
    """Throw all kept ratings away, and compute them from the matches again.

    \b
    Example:
      league ratings recompute --game connectfour
    """
    from league.analysis.rating_history import KEPT, system_of, update
    from league.store.store import open_store

    with open_store(db) as store:
        only = find_game(game).spec if game else None
        systems = [system_of(store, spec) for spec in chosen or KEPT]
        store.count_totals()
        store.drop_snapshots(only)
        done = [
            (each, system.name, update(store, each, system))
            for each in ([only] if only else store.games_played())
            for system in systems
        ]
    if as_json:
        from league.interchange.documents.ratings import Recomputed

        print_json(
            [Recomputed(game=each, system=name, snapshots=count) for each, name, count in done]
        )
        return
    for each, name, count in done:
        click.echo(clean(f"{each}: {count} snapshots of {name}"))
    if not done:
        click.echo("no matches yet: 'league run --game GAME --bots all' plays some")


@command.command("history")
@click.argument("bot")
@click.option("--game", help="One game only.")
@click.option("--system", default="fitted", show_default=True, help="Or elo, glicko2, …")
@db_option
@json_option
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV.")
def history(bot: str, game: str | None, system: str, db: str, as_json: bool, is_csv: bool) -> None:
    """List the ratings that BOT had, as they were kept.

    Fitted ratings are kept at the end of each tournament, live ones after 1, 2, … 99, 100, 110, …
    matches of all bots.

    \b
    Example:
      league ratings history mine --game connectfour --csv
    """
    from league.analysis.rating_history import system_of
    from league.interchange.documents.ratings import rating_documents
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        only = [find_game(game).spec] if game else store.games_played()
        digits = system_of(store, system).digits
        found = rating_documents(store, only, system, bot)
        labels = store.labels(sorted({row.version for row in found}))
    if as_json:
        print_json(found)
    elif is_csv:
        from league.interchange.documents.document import to_dict

        writer = csv.writer(sys.stdout)
        head = ("game", "bot", "version", "tournament", "as_of_match", "at", "matches")
        writer.writerow((*head, "rating", "error"))
        for row in found:
            writer.writerow(to_dict(row).values())
    elif not found:
        click.echo("nothing kept yet: 'league ratings recompute' computes it from the matches")
    else:
        print_table(
            ("game", "bot", "tournament", "until (UTC)", "matches", "rating", "±95%"),
            [
                (
                    row.game,
                    labels[row.version],
                    row.tournament,
                    f"{datetime.fromtimestamp(row.at, UTC):%Y-%m-%d %H:%M}",
                    row.matches,
                    f"{row.rating:.{digits}f}",
                    "–" if row.error is None else f"±{row.error:.{digits}f}",
                )
                for row in found
            ],
            right=("tournament", "matches", "rating", "±95%"),
        )
