"""`league tournaments`."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from league.cli.options import db_option, json_option

if TYPE_CHECKING:
    from league.store import TournamentRow


@click.command("tournaments")
@db_option
@json_option
def command(db: str, as_json: bool) -> None:
    """List the tournaments, newest first.

    \b
    Example:
      league tournaments
    """
    from league.cli.console import print_json, print_table
    from league.store import open_store

    with open_store(db, read_only=True) as store:
        found = sorted(store.tournaments(), key=lambda row: -row.id)
    if as_json:
        print_json(
            [
                {
                    "tournament": row.id,
                    "config": asdict(row.config),
                    "total": row.total,
                    "played": row.played,
                    "is_finished": row.is_finished,
                    "state": str(row.state),
                    "stop_reason": row.stop_reason,
                    "created_at": row.created_at,
                }
                for row in found
            ]
        )
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


def _state(row: "TournamentRow") -> str:
    """Say how a tournament stands."""
    if row.state != "open":
        return str(row.state)
    return "stopped" if row.stop_reason else "unfinished"
