"""`league people add`."""

import click

from league.cli.options import db_option, json_option


@click.command("add")
@click.argument("login")
@click.option(
    "--role",
    type=click.Choice(["author", "organiser"]),
    default="author",
    show_default=True,
    help="What the person may do.",
)
@click.option("--team", default="", help="The team; it is created if missing.")
@click.option("--name", default="", help="The person's name; organisers alone see it.")
@click.option("--email", default="", help="The address; organisers alone see it.")
@db_option
@json_option
def command(
    login: str, role: str, team: str, name: str, email: str, db: str, as_json: bool
) -> None:
    """Add a person, and print the one-time link for them.

    The person sets a password with the link. It works once, within 14 days.

    \b
    Examples:
      league people add ada --team rooks --email ada@example.org
      league people add grace --role organiser
    """
    from league.api.people import People, invited_documents, local_links
    from league.cli.console import note, print_json
    from league.store.store import open_store

    with open_store(db) as store:
        invited = People(store).add(login, role=role, team=team, name=name, email=email)
        warning = local_links(store)
    if as_json:
        print_json(invited_documents([invited])[0])
        return
    note(f"added {invited.person.login}; this link works once, for 14 days:")
    click.echo(invited.link)
    if warning:
        note(f"warning: {warning}")
