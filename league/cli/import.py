"""`league import`."""

import click

from league.cli.console import note, print_answer, print_json, reading_progress
from league.cli.option_types import RENAMING
from league.cli.options import db_option, json_option


@click.command("import")
@click.argument("files", metavar="FILE.pgn...", nargs=-1, required=True)
@click.option("--game", required=True, help="The game of the files: chess.")
@click.option(
    "--as", "names", type=RENAMING, multiple=True, help="NAME in the file is BOT here (repeat)."
)
@click.option("--strict", is_flag=True, help="Refuse a game whose tag and moves disagree.")
@db_option
@json_option
def command(
    files: tuple[str, ...],
    game: str,
    names: tuple[tuple[str, str], ...],
    strict: bool,
    db: str,
    as_json: bool,
) -> None:
    """Import the matches of PGN files.

    Each file becomes a tournament of format 'import'. Moves are checked against the rules; games
    with illegal moves are skipped. An unknown name becomes a bot that has results but can't play;
    for a known name, results count for the bot's newest version. Importing a file twice adds
    nothing.

    \b
    Example:
      league import games.pgn --game chess --as "Stockfish 16=sf16"
    """
    from league.api.league import League
    from league.interchange.import_text import import_notes

    documents = []
    with League(db) as league:
        for path in files:
            with reading_progress() as tell:
                found = league.import_pgn(
                    path,
                    game,
                    names=dict(names),
                    on_game=lambda done: tell(f"{done:,} games"),
                    strict=strict,
                )
            documents.append(found.to_dict())
            if not as_json:
                print_answer(found, as_json)
                for line in import_notes(found.value):
                    note(line)
    if as_json:
        print_json(documents)
