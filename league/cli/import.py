"""`league import`."""

from typing import TYPE_CHECKING

import click

from league.cli.console import clean, note, print_json, reading_progress
from league.cli.option_types import RENAMING
from league.cli.options import db_option, json_option

if TYPE_CHECKING:
    from league.interchange.import_pgn import Imported

NAMES_TOLD = 10


@click.command("import")
@click.argument("files", metavar="FILE.pgn...", nargs=-1, required=True)
@click.option("--game", required=True, help="The game they are of: chess.")
@click.option(
    "--as", "names", type=RENAMING, multiple=True, help="NAME in the file is BOT here (repeat)."
)
@db_option
@json_option
def command(
    files: tuple[str, ...], game: str, names: tuple[tuple[str, str], ...], db: str, as_json: bool
) -> None:
    """Take the matches of PGN files into the league.

    Each file becomes a tournament of the format import. Moves are replayed through the rules, and
    games that do not hold are left out. A name that is no bot's becomes a bot that only has
    results; for one that is, they count for its newest version. A file that is there already adds
    nothing.

    \b
    Example:
      league import games.pgn --game chess --as "Stockfish 16=sf16"
    """
    from league.interchange.import_pgn import import_file
    from league.store.store import open_store

    found = {}
    with open_store(db, create=True) as store:
        for path in files:
            with reading_progress() as tell:
                found[path] = import_file(
                    store, path, game, dict(names), lambda done: tell(f"{done:,} games")
                )
            if not as_json:
                _tell(path, found[path])
    if as_json:
        from league.interchange.documents.reports import ImportedFile

        print_json([ImportedFile.of(each, file=path) for path, each in found.items()])


def _tell(path: str, found: "Imported") -> None:
    if found.is_known:
        click.echo(clean(f"{path} is tournament {found.tournament} already: nothing to add"))
        return
    click.echo(clean(f"tournament {found.tournament}: {found.added:,} matches from {path}"))
    if found.new:
        click.echo(clean(f"new, by results alone: {_listed(found.new)}"))
    if found.known:
        click.echo(clean(f"counted for bots of the league: {_listed(found.known)}"))
    for reason in found.reasons:
        note(reason)
    if found.left_out:
        kinds = [f"{count:,} {kind}" for kind, count in found.left_out.most_common()]
        note(f"left out: {', '.join(kinds)}")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_TOLD} more" if len(names) > NAMES_TOLD else ""
    return ", ".join(names[:NAMES_TOLD]) + more
