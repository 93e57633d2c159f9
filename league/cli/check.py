"""`league check`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from games.support.specs import find_game
from league.cli.console import clean, note, print_json
from league.cli.option_types import DURATION
from league.cli.options import isolation_option, json_option, pairs
from league.cli.play_tournament import environment_of
from league.model.errors import CheckError

if TYPE_CHECKING:
    from league.registration.check import CheckFinding
    from league.registration.register import Checked

_SIGNS = {True: "ok  ", False: "FAIL", None: "-   "}


@click.command("check")
@click.argument("spec")
@click.option("--game", "games", multiple=True, help="A game to try it in (repeat).")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@click.option("--folder", type=click.Path(), help="Where a command runs; else here.")
@click.option(
    "--move-time", type=DURATION, default="100ms", show_default=True, help="The short time."
)
@isolation_option
@json_option
def command(
    spec: str,
    games: tuple[str, ...],
    options: tuple[str, ...],
    folder: str | None,
    move_time: float,
    isolation: str,
    as_json: bool,
) -> None:
    """Try a bot out without registering it.

    Starts it in a process of its own and lets it play in every seat against the bot 'random', at
    first without hurry, then with --move-time for each move. Prints what held and what did not,
    with what to do; the exit code is 1 when anything failed.

    \b
    Examples:
      league check mine.py
      league check iterative:depth=4 --game tictactoe --game connectfour
      league check exec:'node bot.js' --game connectfour
    """
    from league.registration.check import examine
    from league.registration.source_snapshot import take_snapshot
    from league.seats.bot_specs import usual_game
    from league.seats.process.isolation import resolve

    version = take_snapshot("check", spec, pairs(options), Path(folder) if folder else None)
    level, _ = resolve(isolation)
    chosen = [find_game(name) for name in games or (usual_game(spec) or "connectfour",)]
    environment = environment_of("league.db", [game.spec for game in chosen])
    told, failed, total = [], 0, 0
    for game in chosen:
        if not as_json:
            click.echo(f"{game.title}:")
        findings = []
        for finding in examine(version, game, move_time, level, environment):
            findings.append(finding)
            if not as_json:
                _show(finding)
        failures = sum(each.is_passed is False for each in findings)
        failed, total = failed + failures, total + len(findings)
        told.append((game.spec, not failures, findings))
    if as_json:
        from league.interchange.documents.bots import CheckedGame

        print_json(
            [CheckedGame(game=name, is_fit=is_fit, findings=each) for name, is_fit, each in told]
        )
    if failed:
        raise CheckError(f"{spec!r} failed at {failed} of {total} points", spec)
    if not as_json:
        click.echo(f"{spec} is fit to play")


def _show(finding: "CheckFinding") -> None:
    click.echo(f"{_SIGNS[finding.is_passed]} {finding.demand:<36} {clean(finding.detail)}".rstrip())
    if finding.hint:
        click.echo(f"     to do: {finding.hint}")
    for line in finding.log:
        click.echo(f"     | {clean(line)}")


def show_checked(found: "Sequence[Checked]") -> None:
    """Say what a check at registration found, a line for each game."""
    for each in found:
        note(
            f"checked in {each.game}: {each.matches} matches against itself, "
            f"{each.moves} legal moves, {each.mean_s * 1e3:.0f} ms a move, "
            f"slowest {each.slowest_s * 1e3:.0f} ms"
        )
