"""`league repro`."""

import click

from league.cli.console import clean, print_json
from league.cli.option_types import DURATION
from league.cli.options import db_option, json_option
from league.cli.play_tournament import end_strays_at_last


@click.command("repro")
@click.argument("match", type=int)
@click.option("--ply", type=click.IntRange(1), help="Which move, from 1 [the one that ended it].")
@click.option("--move-time", type=DURATION, help="Another limit than the tournament's.")
@click.option(
    "--isolation", type=click.Choice(["none", "limits", "sandbox"]), help="[the tournament's]"
)
@db_option
@json_option
def command(
    match: int,
    ply: int | None,
    move_time: float | None,
    isolation: str | None,
    db: str,
    as_json: bool,
) -> None:
    """Play one move of MATCH again: the same version of the bot, history and seed.

    \b
    Example:
      league repro 17 --ply 12
    """
    from league.analysis.replay import load_replay
    from league.analysis.repro import repeat
    from league.seats.process.isolation import resolve
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        replay = load_replay(store, match)
        level, _ = resolve(isolation or replay.limits.isolation)
        end_strays_at_last()
        found = repeat(store, replay, ply, move_time, level)
    if as_json:
        from league.interchange.documents.matches import RepeatedMove

        print_json(RepeatedMove.of(found))
        return
    click.echo(f"{clean(found.bot)} at ply {found.ply}, seat {found.seat}\n\n{found.board}\n")
    if found.log.strip():
        click.echo("Its log:")
        for line in found.log.strip().splitlines():
            click.echo(f"  {clean(line)}")
        click.echo()
    if found.fault:
        click.echo(f"This time: {found.fault}: {clean(found.detail)}")
    else:
        report = found.report
        told = f", depth {report.depth}, score {report.score}" if report else ""
        click.echo(f"This time: {clean(found.answered)} in {found.wall_ns / 1e6:.1f} ms{told}")
    click.echo(f"Stored:    {clean(found.stored) or found.stored_fault}")
    click.echo("the same" if found.is_same else "different")
