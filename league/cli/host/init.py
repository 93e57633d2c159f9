"""`league host init`."""

import click

from league.cli.options import db_option, json_option


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
def command(
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
    from league.api.host import Host
    from league.cli.console import note, print_json
    from league.cli.host.words import read_words
    from league.interchange.documents.host import BegunSeason
    from league.store.store import open_store

    words = {"name": name, "game": game, **read_words(more)}
    given = {"closes": closes, "move-time": move_time, "house-bots": house_bots}
    words |= {key: value for key, value in given.items() if value}
    own = organiser or _user_name()
    with open_store(db, create=True) as store:
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
