"""`league people import`."""

from pathlib import Path

import click

from league.cli.options import db_option, json_option


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--links",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the one-time links to a CSV file that you alone can read.",
)
@db_option
@json_option
def command(file: Path, links: Path | None, db: str, as_json: bool) -> None:
    """Add the people of a CSV file, all or none.

    The first line names the columns: login, and any of name, email, team and role. Missing teams
    are created. People who already exist are updated and get no new link; 'league people link
    --pending' makes new links. If any line has a fault, nobody is added.

    \b
    Examples:
      league people import roster.csv --links links.csv
      league people import roster.csv --json
    """
    from league.api.people import People, invited_documents, local_links
    from league.cli.console import note, print_json, print_table
    from league.cli.people.link_file import open_links, read_text
    from league.store.store import open_store

    text = read_text(file)
    with open_store(db) as store, open_links(links) as write:
        people = People(store)
        invited = people.import_roster(text)
        new = [each for each in invited if each.is_new]
        write(new)
        named = {each.person.id for each in invited if not each.is_new}
        waiting = sum(each.id in named for each in people.pending())
        warning = local_links(store) if new else ""
    if as_json:
        print_json(invited_documents(invited))
        return
    if links is None and new:
        rows = [(each.person.login, each.team or "–", each.link) for each in new]
        print_table(("login", "team", "link"), rows)
    where = f"; their links are in {links}" if links is not None and new else ""
    note(f"{len(new)} added, {len(invited) - len(new)} were there already{where}")
    if waiting:
        note(
            f"{waiting} of those who were there have not signed in yet: 'league people link "
            "--pending --links FILE' makes new links for all who have not"
        )
    if warning:
        note(f"warning: {warning}")
