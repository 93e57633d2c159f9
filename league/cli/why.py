"""`league why`."""

import shlex

import click

from league.cli.console import clean, print_json
from league.cli.options import db_option, json_option


@click.command("why")
@click.argument("match", type=int, required=False)
@db_option
@json_option
def command(match: int | None, db: str, as_json: bool) -> None:
    """Say why MATCH (or the newest) ended as it did, and how to see it again.

    \b
    Example:
      league why 17
    """
    from league.analysis.loss_report import loss_report
    from league.analysis.replay import load_replay
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        replay = load_replay(store, match)
    reason = loss_report(replay)
    command_line = reason.command
    if command_line and db != "league.db":
        command_line += f" --db {shlex.quote(db)}"
    if as_json:
        from league.interchange.documents.matches import reason_document

        print_json(reason_document(replay, command_line))
        return
    click.echo(clean(replay.title))
    for sentence in reason.sentences:
        click.echo(clean(sentence))
    click.echo(f"\n{reason.board}")
    if reason.log.strip():
        click.echo("\nThe end of its log:")
        for line in reason.log.strip().splitlines()[-30:]:
            click.echo(f"  {clean(line)}")
    if command_line:
        click.echo(f"\nTo play that move again:\n  {command_line}")
