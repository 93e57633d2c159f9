"""`league people link`."""

import click

from league.cli.options import db_option, json_option


@click.command("link")
@click.argument("login", required=False)
@click.option("--pending", is_flag=True, help="Everybody who has never signed in.")
@db_option
@json_option
def command(login: str | None, pending: bool, db: str, as_json: bool) -> None:
    """Print a new one-time link of a person.

    The new link replaces the earlier one and works once, within 14 days. It also serves people who
    have forgotten their password. Setting a new password ends all their sessions.

    \b
    Examples:
      league people link ada
      league people link --pending
    """
    from league.api.people import People, invited_documents
    from league.cli.console import print_json, print_table
    from league.store.store import open_store

    if pending == (login is not None):
        raise click.UsageError("give LOGIN or --pending")
    with open_store(db) as store:
        people = People(store)
        invited = [people.link(login)] if login is not None else people.pending_links()
    if as_json:
        print_json(invited_documents(invited))
    elif login is not None:
        click.echo(invited[0].link)
    else:
        rows = [(each.person.login, each.team or "–", each.link) for each in invited]
        print_table(("login", "team", "link"), rows)
