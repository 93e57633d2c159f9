"""`league export`."""

from typing import Any

import click

from games.support.counts import counted
from league.cli.console import note, print_json
from league.cli.match_files import how_pgn_is_written, pgn_options
from league.cli.option_types import DURATION, MATCH, TOURNAMENT
from league.cli.options import db_option, json_option

MOST_S = 60.0
"""Nobody waits longer for the next position."""


@click.command("export")
@click.argument("tournament", type=TOURNAMENT, required=False)
@click.option("--match", "matches", type=MATCH, multiple=True, help="This match (repeat).")
@click.option(
    "--as",
    "name",
    help="pgn, epd, csv, json, html, svg, animated, gif or a package's [chess: pgn, else json].",
)
@click.option("--to", metavar="FILE", help="Write to FILE instead of standard output.")
@click.option("--pgn", metavar="FILE", help="The same as --as pgn --to FILE.")
@how_pgn_is_written
@click.option("--epd", metavar="FILE", help="The same as --as epd --to FILE: last positions.")
@click.option("--html", metavar="FILE", help="The same as --as html --to FILE.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the JSON, and no match.")
@click.option("--svg", metavar="FILE", help="The same as --as svg --to FILE: a picture.")
@click.option("--animated", is_flag=True, help="With --svg: animate the whole match.")
@click.option("--gif", metavar="FILE", help="The same as --as gif --to FILE (extra 'gif').")
@click.option(
    "--ply", type=click.IntRange(0), help="With --svg: the position after this many plies."
)
@click.option("--delay", type=DURATION, help="Time that each position is shown [0.5s].")
@db_option
@json_option
def command(
    tournament: int | None,
    matches: tuple[int, ...],
    name: str | None,
    to: str | None,
    pgn: str | None,
    pgn_with: tuple[str, ...] | None,
    pgn_event: str | None,
    pgn_site: str | None,
    epd: str | None,
    html: str | None,
    schema: bool,
    svg: str | None,
    animated: bool,
    gif: str | None,
    ply: int | None,
    delay: float | None,
    db: str,
    as_json: bool,
) -> None:
    """Write a tournament's matches for other programs.

    Without a number: the newest tournament.

    Chess is exported as PGN, with score, depth and time in the comment of each move. Other games
    are exported as JSON, one document per match and line. PGN of other two-player games has the
    tags that rating programs read. CSV has a row per match. HTML is a page that replays one match;
    SVG and GIF are pictures of one match.

    \b
    Examples:
      league export 3 --pgn games.pgn
      league export --match 17 --json
      league export --as csv --to matches.csv
      league export --match 17 --html match.html
      league export --match 17 --svg end.svg
      league export --match 17 --svg match.svg --animated --delay 800ms
    """
    if schema:
        from league.interchange.documents.matches import export_schema

        print_json(export_schema())
        return
    from league.api.league import League
    from league.interchange.files import write_file

    picture = "animated" if animated else "svg"
    given = (
        *((name, True), ("json", as_json), ("pgn", pgn), ("epd", epd)),
        ("html", html),
        *((picture, svg or animated), ("gif", gif)),
    )
    chosen = list(dict.fromkeys(each for each, is_given in given if each and is_given))
    if len(chosen) > 1:
        raise click.UsageError(f"choose one format, not {' and '.join(chosen)}")
    if tournament is not None and matches:
        raise click.UsageError("give a tournament or --match, not both")
    if delay is not None and not 0 < delay <= MOST_S:
        raise click.BadParameter(f"from 1ms to {MOST_S:g} s", param_hint="'--delay'")
    options: dict[str, Any] = {"ply": ply, "delay_s": delay}
    options = {option: value for option, value in options.items() if value is not None}
    if options and not chosen:
        raise click.UsageError("--ply and --delay are for pictures: --svg FILE, --gif FILE")
    if written := pgn_options(pgn_with, pgn_event, pgn_site):
        options |= written
        chosen = chosen or ["pgn"]
    target = pgn or epd or html or svg or gif or to
    with League(db, read_only=True) as league:
        numbers = matches or league.tournament(tournament).matches.numbers
        parts = league.export_parts(numbers, format=chosen[0] if chosen else None, **options)
        if target is None or target == "-":
            for part in parts:
                click.echo(part, nl=False)
            return
        write_file(target, parts)
    note(f"wrote {counted(len(numbers), 'match')} to {target}")
