"""`league resume`."""

import click

from league.cli.console import note
from league.cli.options import db_option, json_option
from league.cli.play_tournament import play_out, run_options
from league.cli.standings import show_standings


@click.command("resume")
@click.argument("tournament", type=int, required=False)
@run_options
@db_option
@json_option
def command(
    tournament: int | None,
    workers: int | None,
    executor: str,
    starts: int | None,
    no_pin: bool,
    log_file: str | None,
    quiet: bool,
    db: str,
    as_json: bool,
) -> None:
    """Play what a tournament lacks: the newest unfinished one, or the one given.

    \b
    Example:
      league resume 3
    """
    from league.store.store import open_store
    from league.tournament.create import unfinished

    with open_store(db) as store:
        row = unfinished(store, tournament)
        if not quiet:
            note(f"tournament {row.id}: {row.progress} matches are played")
        play_out(
            store,
            row,
            db,
            workers=workers,
            starts=starts,
            is_pinned=not no_pin,
            log_file=log_file,
            is_quiet=quiet or as_json,
            executor=executor,
        )
        show_standings(
            store, game=row.config.game, tournament=row.id, as_json=as_json, is_csv=False
        )
