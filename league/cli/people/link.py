"""`league people link`."""

from pathlib import Path

import click

from league.cli.options import db_option, json_option


@click.command("link")
@click.argument("login", required=False)
@click.option("--pending", is_flag=True, help="Everybody who has never signed in.")
@click.option(
    "--links",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the links of --pending to a CSV file that you alone can read.",
)
@db_option
@json_option
def command(login: str | None, pending: bool, links: Path | None, db: str, as_json: bool) -> None:
    """Print a new one-time link of a person.

    The new link replaces the earlier one and works once, within 14 days. It also serves people who
    have forgotten their password. Setting a new password ends all their sessions.

    \b
    Examples:
      league people link ada
      league people link --pending --links links.csv
    """
    from league.api.people import People, invited_documents, local_links
    from league.cli.console import note, print_json, print_table
    from league.cli.people.link_file import open_links
    from league.store.store import open_store

    if pending == (login is not None):
        raise click.UsageError("give LOGIN or --pending")
    if links is not None and not pending:
        raise click.UsageError("--links goes with --pending")
    with open_store(db) as store, open_links(links) as write:
        people = People(store)
        invited = [people.link(login)] if login is not None else people.pending_links()
        write(invited)
        if invited and (warning := local_links(store)):
            note(f"warning: {warning}")
    if as_json:
        print_json(invited_documents(invited))
    elif login is not None:
        click.echo(invited[0].link)
    elif links is not None:
        where = f": their links are in {links}" if invited else ""
        note(f"{len(invited)} have never signed in{where}")
    else:
        rows = [(each.person.login, each.team or "–", each.link) for each in invited]
        print_table(("login", "team", "link"), rows)
