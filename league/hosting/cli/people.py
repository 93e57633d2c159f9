"""`league people`: the people of a hosted league."""

import csv
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from league.cli.lazy_group import SectionedGroup
from league.cli.options import db_option, json_option
from league.hosting.model.errors import PeopleError

if TYPE_CHECKING:
    from league.hosting.api.people import Invited

ROSTER_MAX = 8 << 20
"""A roster has at most so many bytes."""


@click.group("people", cls=SectionedGroup)
def command() -> None:
    """Add, list, invite and remove the people of a hosted league.

    \b
    Examples:
      league people add ada --team rooks
      league people import roster.csv --links links.csv
    """


@command.command("add")
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
def add(login: str, role: str, team: str, name: str, email: str, db: str, as_json: bool) -> None:
    """Add a person, and print the one-time link for them.

    The person sets a password with the link. It works once, within 14 days.

    \b
    Examples:
      league people add ada --team rooks --email ada@example.org
      league people add grace --role organiser
    """
    from league.cli.console import note, print_json
    from league.hosting.api.people import People, local_links
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db) as store:
        invited = People(store).add(login, role=role, team=team, name=name, email=email)
        warning = local_links(store)
    if as_json:
        print_json(invited)
        return
    note(f"added {invited.person.login}; this link works once, for 14 days:")
    click.echo(invited.link)
    if warning:
        note(f"warning: {warning}")


@command.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--links",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the one-time links to a CSV file that you alone can read.",
)
@db_option
@json_option
def import_roster(file: Path, links: Path | None, db: str, as_json: bool) -> None:
    """Add the people of a CSV file, all or none.

    The first line names the columns: login, and any of name, email, team and role. Missing teams
    are created. People who already exist are updated and get no new link; 'league people link
    --pending' makes new links. If any line has a fault, nobody is added.

    \b
    Examples:
      league people import roster.csv --links links.csv
      league people import roster.csv --json
    """
    from league.cli.console import note, print_json, print_table
    from league.hosting.api.people import People, local_links
    from league.hosting.store.host_store import open_host_store

    text = read_text(file)
    with open_host_store(db) as store, open_links(links) as write:
        people = People(store)
        invited = people.import_roster(text)
        new = [each for each in invited if each.is_new]
        write(new)
        named = {each.person.id for each in invited if not each.is_new}
        waiting = sum(each.id in named for each in people.pending())
        warning = local_links(store) if new else ""
    if as_json:
        print_json(invited)
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


@command.command("list")
@db_option
@json_option
def list_people(db: str, as_json: bool) -> None:
    """List the people with their teams.

    \b
    Examples:
      league people list
      league people list --json
    """
    from league.cli.console import print_answer
    from league.hosting.api.people import People
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db, read_only=True) as store:
        print_answer(People(store).everybody(), as_json)


@command.command("show")
@click.argument("login")
@db_option
@json_option
def show(login: str, db: str, as_json: bool) -> None:
    """Show what is stored about a person.

    \b
    Example:
      league people show ada
    """
    from league.cli.console import print_answer
    from league.hosting.api.people import People
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db, read_only=True) as store:
        print_answer(People(store).show(login), as_json)


@command.command("link")
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
def link(login: str | None, pending: bool, links: Path | None, db: str, as_json: bool) -> None:
    """Print a new one-time link of a person.

    The new link replaces the earlier one and works once, within 14 days. It also serves people who
    have forgotten their password. Setting a new password ends all their sessions.

    \b
    Examples:
      league people link ada
      league people link --pending --links links.csv
    """
    from league.cli.console import note, print_json, print_table
    from league.hosting.api.people import People, local_links
    from league.hosting.store.host_store import open_host_store

    if pending == (login is not None):
        raise click.UsageError("give LOGIN or --pending")
    if links is not None and not pending:
        raise click.UsageError("--links goes with --pending")
    with open_host_store(db) as store, open_links(links) as write:
        people = People(store)
        invited = [people.link(login)] if login is not None else people.pending_links()
        write(invited)
        if invited and (warning := local_links(store)):
            note(f"warning: {warning}")
    if as_json:
        print_json(invited)
    elif login is not None:
        click.echo(invited[0].link)
    elif links is not None:
        where = f": their links are in {links}" if invited else ""
        note(f"{len(invited)} have never signed in{where}")
    else:
        rows = [(each.person.login, each.team or "–", each.link) for each in invited]
        print_table(("login", "team", "link"), rows)


@command.command("disable")
@click.argument("login")
@db_option
@json_option
def disable(login: str, db: str, as_json: bool) -> None:
    """Keep a person from signing in; nothing is deleted.

    The person is signed out everywhere, and their personal tokens stop working.

    \b
    Example:
      league people disable ada
    """
    _admit(login, db, as_json, is_active=False)


@command.command("enable")
@click.argument("login")
@db_option
@json_option
def enable(login: str, db: str, as_json: bool) -> None:
    """Let a disabled person sign in again.

    The earlier password and personal tokens work again.

    \b
    Example:
      league people enable ada
    """
    _admit(login, db, as_json, is_active=True)


def _admit(login: str, db: str, as_json: bool, *, is_active: bool) -> None:
    """Let a person sign in, or keep them from it."""
    from league.cli.console import note, print_answer
    from league.hosting.api.people import People
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db) as store:
        people = People(store)
        person = people.enable(login) if is_active else people.disable(login)
        if as_json:
            print_answer(people.show(person.login), as_json)
    note(f"{person.login} is {'enabled' if is_active else 'disabled'}")


@command.command("remove")
@click.argument("login")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@db_option
@json_option
def remove(login: str, yes: bool, db: str, as_json: bool) -> None:
    """Delete a person and what is stored about them.

    Deletes login, name, email address, password, sessions and tokens. The team and its bot stay.
    The audit log keeps the actions without the person's name.

    \b
    Example:
      league people remove ada
    """
    from games.support.printable import printable
    from league.cli.console import note, print_json
    from league.hosting.api.people import People
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db) as store:
        people = People(store)
        found = people.show(people.find(login).login)
        if not yes:
            try:
                click.confirm(printable(f"Delete {login!r} for good?"), abort=True, err=True)
            except click.Abort:
                if sys.stdin.isatty():
                    raise
                raise click.UsageError("no answer: give --yes to confirm") from None
        people.remove(login)
    if as_json:
        print_json(found.to_dict())
    note(f"{login} is deleted")


@command.command("rename-team")
@click.argument("old")
@click.argument("new")
@db_option
@json_option
def rename_team(old: str, new: str, db: str, as_json: bool) -> None:
    """Give a team and its bot another name.

    \b
    Example:
      league people rename-team rooks knights
    """
    from league.cli.console import note, print_json
    from league.hosting.api.people import People
    from league.hosting.documents import RenamedTeam
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db) as store:
        people = People(store)
        before, team = store.people.team(old).name, people.rename_team(old, new)
    if as_json:
        print_json(RenamedTeam(team=team.name, before=before))
    note(f"{before} is {team.name} now")


@command.command("audit")
@click.argument("login", required=False)
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=50,
    show_default=True,
    help="Entries to show, the newest ones.",
)
@db_option
@json_option
def audit(login: str | None, limit: int, db: str, as_json: bool) -> None:
    """List the audit log: who did what, and when.

    The newest entry comes first. With LOGIN, the list has only what that person did and what was
    done to them.

    \b
    Examples:
      league people audit
      league people audit ada --json
    """
    from league.cli.console import print_answer
    from league.hosting.api.people import People
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db, read_only=True) as store:
        print_answer(People(store).audit(limit, login=login), as_json)


def read_text(path: Path) -> str:
    """Return the text of a roster; raise `PeopleError` if it can't be read."""
    try:
        with path.open("rb") as file:
            data = file.read(ROSTER_MAX + 1)
        if len(data) > ROSTER_MAX:
            raise PeopleError(f"{str(path)!r} is too long: expected at most 8 MB")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PeopleError(f"{str(path)!r} is not UTF-8: save it as 'CSV UTF-8'") from None
    except OSError as error:
        raise PeopleError(f"can't read {str(path)!r}: {error.strerror}") from None


@contextmanager
def open_links(path: Path | None) -> Iterator[Callable[[Sequence["Invited"]], None]]:
    """Open a file for links before anybody is added, and yield what writes them.

    Nobody else can read the file. Without a path or a link nothing is written.
    """
    if path is None:
        yield lambda invited: None
        return
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise PeopleError(f"{str(path)!r} exists: give another name to --links") from None
    except OSError as error:
        raise PeopleError(f"can't write {str(path)!r}: {error.strerror}") from None
    is_kept = False
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:

            def write(invited: Sequence["Invited"]) -> None:
                nonlocal is_kept
                is_kept = bool(invited)
                _write(file, invited)

            yield write
    except BaseException:
        is_kept = False
        raise
    finally:
        if not is_kept:
            path.unlink(missing_ok=True)


def _write(file: TextIO, invited: Sequence["Invited"]) -> None:
    from league.interchange.exports.csv import cell

    rows = csv.writer(file)
    rows.writerow(("login", "name", "email", "team", "link"))
    for each in invited:
        person = each.person
        rows.writerow(
            [*map(cell, (person.login, person.name, person.email, each.team or "")), each.link]
        )
