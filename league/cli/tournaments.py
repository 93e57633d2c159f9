"""`league tournaments`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from league.cli.console import print_json, print_table
from league.cli.options import db_option, json_option
from league.render.text.printable import clean
from league.store.rows import TournamentRow

if TYPE_CHECKING:
    from league.store.store import Store


@click.command("tournaments")
@click.argument("tournament", type=int, required=False)
@db_option
@json_option
def command(tournament: int | None, db: str, as_json: bool) -> None:
    """List the tournaments, newest first, or show TOURNAMENT with its settings.

    \b
    Examples:
      league tournaments
      league tournaments 3
    """
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        if tournament is not None:
            _show(store, store.tournament(tournament), as_json)
            return
        found = store.tournaments()[::-1]
    if as_json:
        from league.interchange.documents.tournaments import TournamentSummary

        print_json([TournamentSummary.of(row) for row in found])
        return
    if not found:
        click.echo("no tournaments yet: 'league run --game GAME --bots all' runs one")
        return
    print_table(
        ("id", "game", "format", "bots", "rounds", "played", "state", "begun (UTC)"),
        [
            (
                row.id,
                row.config.game,
                row.config.format,
                len(row.config.entrants),
                row.config.rounds,
                row.progress,
                _state(row),
                f"{datetime.fromtimestamp(row.created_at, UTC):%Y-%m-%d %H:%M}",
            )
            for row in found
        ],
        right=("id", "bots", "rounds", "played"),
    )
    for row in found:
        if row.stop_reason:
            click.echo(f"tournament {row.id}: {row.stop_reason}")


def _show(store: "Store", row: TournamentRow, as_json: bool) -> None:
    import tomli_w

    from league.interchange.documents.document import to_dict
    from league.interchange.documents.tournaments import tournament_document

    found = tournament_document(store, row)
    if as_json:
        print_json(found)
        return
    why = f" ({row.stop_reason})" if row.stop_reason else ""
    click.echo(clean(f"tournament {row.id}: {_state(row)}{why}, {row.progress} matches"))
    if found.says:
        click.echo(clean(found.says))
    click.echo("\n" + clean(tomli_w.dumps(to_dict(found.settings)), keep_lines=True), nl=False)


def _state(row: TournamentRow) -> str:
    """Say how a tournament stands."""
    if row.state != "open":
        return str(row.state)
    return "stopped" if row.stop_reason else "unfinished"
