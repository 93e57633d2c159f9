"""The commands of `league host` that direct a season."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING

import click

from league.cli.options import db_option, json_option
from league.cli.void import command as void_of_any_league
from league.cli.void import void_matches

if TYPE_CHECKING:
    from league.api.voids import Voids
    from league.hosting.api.host import Host
    from league.hosting.model.people import Team
    from league.hosting.model.season import Season
    from league.store.store import Store


@click.command("init")
@click.option("--game", required=True, help="The game, as in connectfour.")
@click.option("--name", default="League", show_default=True, help="The season's name.")
@click.option("--closes", default="", metavar="TIME", help="When submissions close.")
@click.option("--move-time", default="", metavar="DURATION", help="Time for each move [1s].")
@click.option(
    "--house-bots", default="", metavar="NAMES", help="Bots as steps to pass, as in random,greedy."
)
@click.option("--url", default="", help="The address by which browsers reach the league.")
@click.option("--port", type=click.IntRange(1, 65535), help="The --port of 'league host' [8000].")
@click.option("--organiser", default="", metavar="LOGIN", help="Your login [your user name].")
@click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="Another setting (repeat).")
@db_option
@json_option
def init(
    game: str,
    name: str,
    closes: str,
    move_time: str,
    house_bots: str,
    url: str,
    port: int | None,
    organiser: str,
    more: tuple[str, ...],
    db: str,
    as_json: bool,
) -> None:
    """Begin a season, and print the organiser's one-time link.

    Creates the database if it is missing. The link works once, within 14 days, while 'league host'
    runs. 'league host settings' shows all other settings.

    House bots play from the start. Authors see which of them their bot has passed.

    \b
    Examples:
      league host init --game connectfour --name "AI 2026"
      league host init --game othello --closes 2026-12-20T23:59 --move-time 500ms
      league host init --game chess --url https://games.example.org
      league host init --game connectfour --house-bots random,greedy
    """
    from league.cli.console import note, print_json
    from league.hosting.api.host import Host
    from league.hosting.documents import BegunSeason
    from league.hosting.model.extra import check_extra
    from league.hosting.store.host_store import open_host_store

    check_extra()
    words = {"name": name, "game": game, **read_words(more)}
    given = {"closes": closes, "move-time": move_time, "house-bots": house_bots}
    words |= {key: value for key, value in given.items() if value}
    own = organiser or _user_name()
    with open_host_store(db, create=True) as store:
        host = Host(store)
        season = host.begin(words, url=url, port=port)
        invited = host.first_organiser(own)
    login, link = (invited.person.login, invited.link) if invited else (None, None)
    if as_json:
        print_json(BegunSeason(season=season.id, organiser=login, link=link))
        return
    start = "league host" if port is None else f"league host --port {port}"
    note(f"season {season.settings.name!r} of {season.settings.game} begins; start {start!r}")
    if not season.settings.house_bots:
        note("no house bots: 'league host settings house-bots=random,greedy' adds steps to pass")
    if link:
        note(f"{login} sets a password here; the link works once, for 14 days:")
        click.echo(link)


def _user_name() -> str:
    """Return the name of whoever runs the command; a container may run without one."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the first is that of Python before 3.13
        text = "this machine does not know your user name: give a login by --organiser"
        raise click.UsageError(text) from None


@click.command("settings")
@click.argument("changes", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--yes", is_flag=True, help="Do not ask before another game.")
@db_option
@json_option
def settings(changes: tuple[str, ...], yes: bool, db: str, as_json: bool) -> None:
    """Show the settings of the season, or change some.

    Either all changes are made or none. A running host applies them at once; changes to the game's
    limits apply from the next leg. The game can change until a submission is accepted.

    \b
    Examples:
      league host settings
      league host settings closes=2026-12-20T23:59 freeze=2d
      league host settings 'marks=plays: 1 point; first: 3 points'
    """
    from league.cli.console import confirm, print_answer
    from league.hosting.api.host import Host
    from league.hosting.store.host_store import open_host_store

    words = read_words(changes)
    with open_host_store(db) as store:
        host = Host(store)
        if (undone := host.game_change(words)) and not yes:
            confirm(f"{undone[:1].upper()}{undone[1:]}. Change the game?")
        if words:
            host.change_settings(words)
        print_answer(host.settings(), as_json)


@click.command("status")
@db_option
@json_option
def status(db: str, as_json: bool) -> int:
    """Show the season, the queue, the processes and the machine.

    The exit code is 1 if a process has failed, no match can be played, or no 'league host' is
    running.

    \b
    Example:
      league host status
    """
    from league.cli.console import print_answer
    from league.hosting.api.host import Host
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db, read_only=True) as store:
        found = Host(store).status()
        print_answer(found, as_json)
    return 1 if found.value.fault or found.value.trouble else 0


@click.command("pause")
@db_option
def pause(db: str) -> None:
    """Start no more matches; submissions are still received and checked.

    Matches in play end first. 'league host resume' continues the season.

    \b
    Example:
      league host pause
    """
    _change_season(db, lambda host: host.pause())


@click.command("resume")
@db_option
def resume(db: str) -> None:
    """Start matches again after a pause.

    The season continues where it was paused.

    \b
    Example:
      league host resume
    """
    _change_season(db, lambda host: host.resume())


@click.command("close")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@db_option
def close(yes: bool, db: str) -> None:
    """Close submissions now and play the final.

    Submissions already received are still checked, and play in the final if they are accepted.
    'league host reopen' undoes it until the results are published.

    \b
    Examples:
      league host close
      league host close --yes
    """
    from league.cli.console import confirm, note
    from league.hosting.api.host import Host
    from league.hosting.store.host_store import open_host_store
    from league.hosting.text.host import season_line

    with open_host_store(db) as store:
        host = Host(store)
        if not yes:
            name = host.season.settings.name
            confirm(f"Close submissions to {name!r} now, and then play the final?")
        click.echo(season_line(host.close()))
    note("'league host reopen' takes submissions again, until the results are published")


@click.command("reopen")
@click.option("--yes", is_flag=True, help="Do not ask before a final is cancelled.")
@db_option
def reopen(yes: bool, db: str) -> None:
    """Take submissions again, until the results are published.

    Set another closing time first, if it is over: 'league host settings closes=…'. A final that has
    begun is cancelled and counts for nothing. The next one begins again from the start.

    \b
    Example:
      league host reopen
    """
    from league.cli.console import confirm
    from league.hosting.api.host import Host
    from league.hosting.store.host_store import open_host_store
    from league.hosting.text.host import season_line

    with open_host_store(db) as store:
        host = Host(store)
        if host.season.final is not None and not yes:
            confirm("The final has begun. Take submissions again, and cancel it?")
        click.echo(season_line(host.open()))


@click.command("publish")
@db_option
def publish(db: str) -> None:
    """Publish the results of the final.

    Before that, only organisers see them, unless the setting publish-at-once is on.

    \b
    Example:
      league host publish
    """
    _change_season(db, lambda host: host.publish())


@click.command("announce")
@click.argument("text")
@db_option
def announce(text: str, db: str) -> None:
    """Post a notice on the home page and in the feed.

    \b
    Example:
      league host announce "The deadline moves to Sunday."
    """
    from league.cli.console import note
    from league.hosting.api.host import Host
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db) as store:
        Host(store).announce(text)
    note("announced")


@click.command("suspend")
@click.argument("team")
@click.option("--reason", required=True, help="The reason that the team is given.")
@db_option
def suspend(team: str, reason: str, db: str) -> None:
    """Take a team's bot out until its next submission.

    The team gets a notice with the reason. 'league host reinstate' undoes it.

    \b
    Example:
      league host suspend rooks --reason "it floods its log"
    """
    _change_team(db, lambda host: host.suspend(team, reason))


@click.command("withdraw")
@click.argument("team")
@click.option("--reason", required=True, help="The reason that the team is given.")
@db_option
def withdraw(team: str, reason: str, db: str) -> None:
    """Take a team out of the season at its own request.

    Its results stay. 'league host reinstate' undoes it.

    \b
    Example:
      league host withdraw rooks --reason "you asked for it"
    """
    _change_team(db, lambda host: host.withdraw(team, reason))


@click.command("disqualify")
@click.argument("team")
@click.option("--reason", required=True, help="The reason that the team is given.")
@db_option
def disqualify(team: str, reason: str, db: str) -> None:
    """Exclude a team.

    Its results stay, and it can submit nothing. 'league host reinstate' undoes it.

    \b
    Example:
      league host disqualify rooks --reason "it copies bishops"
    """
    _change_team(db, lambda host: host.disqualify(team, reason))


@click.command("reinstate")
@click.argument("team")
@click.option("--reason", default="", help="The reason that the team is given.")
@db_option
def reinstate(team: str, reason: str, db: str) -> None:
    """Let a team play again, whatever took it out.

    The team gets a notice.

    \b
    Example:
      league host reinstate rooks --reason "a mistake of ours"
    """
    _change_team(db, lambda host: host.reinstate(team, reason))


def read_words(given: Sequence[str]) -> dict[str, str]:
    """Return settings by key; fail with a usage error where '=' lacks."""
    found: dict[str, str] = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{each!r}: expected KEY=VALUE, as in move-time=500ms")
        found[key.strip()] = value
    return found


def _change_season(db: str, change: "Callable[[Host], Season]") -> None:
    """Change the season, and print how it stands."""
    from league.hosting.api.host import Host
    from league.hosting.store.host_store import open_host_store
    from league.hosting.text.host import season_line

    with open_host_store(db) as store:
        click.echo(season_line(change(Host(store))))


def _change_team(db: str, change: "Callable[[Host], Team]") -> None:
    """Change the standing of a team, and say it."""
    from league.cli.console import note
    from league.hosting.api.host import Host
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db) as store:
        found = change(Host(store))
    note(f"team {found.name!r} is {found.standing}")


def _host_voids(store: "Store") -> "Voids":
    from league.hosting.api.voids import HostVoids
    from league.hosting.store.host_store import HostStore

    return HostVoids(HostStore.over(store))


void = copy(void_of_any_league)
void.help = (void.help or "").replace("league void", "league host void")
void.callback = partial(void_matches, voids_of=_host_voids)

SECTIONS = {
    "Before": (init, settings),
    "Season": (status, pause, resume, close, reopen, publish, void, announce),
    "Teams": (suspend, withdraw, disqualify, reinstate),
}
"""The commands, by their headings in the help."""
