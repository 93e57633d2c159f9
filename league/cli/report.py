"""`league report`."""

import time

import click

from league.cli.console import note
from league.cli.option_types import TOURNAMENT
from league.cli.options import db_option, json_option
from league.cli.pictures import write

TOLD_EVERY_S = 2.0


@click.command("report")
@click.argument("tournament", type=TOURNAMENT, required=False)
@click.option("--html", "is_html", is_flag=True, help="A page of HTML [that is the usual].")
@click.option("--markdown", "is_markdown", is_flag=True, help="Markdown, without the drawings.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
@db_option
@json_option
def command(
    tournament: int | None,
    is_html: bool,
    is_markdown: bool,
    output: str | None,
    db: str,
    as_json: bool,
) -> None:
    """Write one file about a tournament, to post or to print.

    Without a number, it takes the newest tournament. A FILE that ends with .md is Markdown.

    The report has the standings with error bars, the crosstable, the ratings through the
    tournament, notable matches with their final boards, terminations and faults, times, the bots'
    versions, and the settings to repeat it. The page is one file and runs no script.

    \b
    Examples:
      league report 3 --html -o report.html
      league report -o report.md
    """
    if is_html + is_markdown + as_json > 1:
        raise click.UsageError("choose one of --html, --markdown and --json")
    if not (is_html or as_json) and (output or "").endswith((".md", ".markdown")):
        is_markdown = True

    from league.api.league import League

    last = time.monotonic()

    def on_match(done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= TOLD_EVERY_S:
            last = time.monotonic()
            note(f"read {done:,} of {of:,} matches")

    format = "markdown" if is_markdown else "json" if as_json else "html"
    with League(db, read_only=True) as league:
        found = league.tournament(tournament)
        write(found.report(format, on_match=on_match), output or "-")
    if output not in (None, "-"):
        note(f"wrote the report of tournament {found.number} to {output}")
