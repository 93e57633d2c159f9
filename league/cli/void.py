"""`league void`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from league.cli.options import db_option, json_option

if TYPE_CHECKING:
    from league.api.voids import Voids
    from league.store.store import Store


@click.argument("numbers", nargs=-1, type=click.IntRange(1), metavar="[NUMBER]...")
@click.option("--reason", required=True, help="Why; everybody can read it.")
@click.option("--bot", default="", help="All matches of this bot, or of one version: mine@2.")
@click.option("--tournament", type=int, help="All matches of this tournament.")
@click.option(
    "--machine", default="", help="All matches that this machine of 'league work' played."
)
@click.option("--since", default="", metavar="DATE|SPAN", help="All since 2026-03-31, or 2h ago.")
@click.option("--until", default="", metavar="DATE|SPAN", help="Until then; that day included.")
@click.option("--faults", is_flag=True, help="Only those that ended by a bot's fault.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@db_option
@json_option
def void_matches(
    numbers: tuple[int, ...],
    reason: str,
    bot: str,
    tournament: int | None,
    machine: str,
    since: str,
    until: str,
    faults: bool,
    yes: bool,
    db: str,
    as_json: bool,
    voids_of: "Callable[[Store], Voids] | None" = None,
) -> None:
    """Void matches that a bug spoiled; they are played again.

    Give the numbers of matches, or choose them by the options. The whole encounter of each match is
    void, because an encounter is the unit of statistics. Void matches count for nothing. Their
    encounters are played again with the same openings and seeds, except those of bots that have
    left the tournament. Pause the season or the tournament first.

    \b
    Examples:
      league void 12 15 --reason "the referee's clock was wrong"
      league void --bot rooks@2 --since 2h --faults --reason "a full disk"
    """
    from league.api.voids import Voids, VoidSelection
    from league.cli.console import confirm, print_answer
    from league.store.store import open_store

    selection = VoidSelection(
        numbers=numbers,
        bot=bot,
        tournament=tournament,
        machine=machine,
        since=since,
        until=until,
        faults_only=faults,
    )
    with open_store(db) as store:
        voids = (voids_of or Voids)(store)
        choice = voids.choose(selection)
        if not yes:
            confirm(f"Void {choice}?")
        # Those that were counted, and no match that has ended meanwhile.
        made = voids.void(VoidSelection(numbers=choice.matches), reason)
    print_answer(made, as_json)


command = click.command("void")(void_matches)
