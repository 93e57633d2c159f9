"""`league verify`."""

import sys

import click

from league.cli.console import clean, print_json
from league.cli.options import db_option, json_option

SHOWN = 20


@click.command("verify")
@click.option("--tournament", type=int, help="One tournament only.")
@db_option
@json_option
def command(tournament: int | None, db: str, as_json: bool) -> int:
    """Replay every stored match through the rules and say what does not hold.

    Exits with 1 when something does not.

    \b
    Example:
      league verify --tournament 1
    """
    from rich.console import Console
    from rich.progress import Progress

    from league.analysis.verify import verify
    from league.store.store import open_store

    console = Console(stderr=True)
    with (
        open_store(db, read_only=True) as store,
        Progress(console=console, disable=not sys.stderr.isatty(), transient=True) as bar,
    ):
        task = bar.add_task("replaying")
        done, findings = verify(
            store, tournament, lambda done, total: bar.update(task, completed=done, total=total)
        )
        rows = store.tournaments() if tournament is None else [store.tournament(tournament)]
        imported = sum(row.played for row in rows if row.config.is_imported)
    if as_json:
        from league.interchange.documents.matches import Verified, VerifyFault

        found = [VerifyFault.of(each) for each in findings]
        print_json(Verified(matches=done, imported=imported, findings=found))
    else:
        for each in findings[:SHOWN]:
            place = "" if each.match is None else f"match {each.match}: "
            click.echo(place + clean(each.text))
        if len(findings) > SHOWN:
            click.echo(f"… and {len(findings) - SHOWN} more")
        click.echo(f"{done} matches replayed, {len(findings)} findings")
        if imported:
            click.echo(
                f"{imported} of them were imported: what ended them before the rules did, and who "
                "moved, is as their files say"
            )
    return 1 if findings else 0
