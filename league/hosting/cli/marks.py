"""`league marks`."""

import click

from league.cli.options import db_option, json_option


@click.command("marks")
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV, with a column per rule.")
@click.option("--season", type=int, help="An earlier season: 1 for the first.")
@db_option
@json_option
def command(is_csv: bool, season: int | None, db: str, as_json: bool) -> None:
    """Turn the season's results into marks by the rules in its settings.

    \b
    The setting 'marks' holds the rules, one per line:
      plays: 1 point
      beats greedy: 1 point
      beats greedy with 95% confidence: 2 points
      at most 4: beats each house bot: 2 points
      better half: 1 point
      top 25%: 2 points
      first: 3 points
      at most 10 points

    After the final, the league plays the encounters with these bots that are missing. Until then
    the marks are not final, and the command says so.

    \b
    Examples:
      league marks
      league marks --csv > marks.csv
      league marks --season 1
      league marks --json
    """
    from league.cli.console import note, print_answer
    from league.hosting.api.marks import season_marks
    from league.hosting.store.host_store import open_host_store

    with open_host_store(db, read_only=True) as store:
        found = season_marks(store, season)
        if found.proviso and (is_csv or as_json):
            note(found.proviso)
        if is_csv:
            click.echo(found.csv(), nl=False)
        else:
            print_answer(found, as_json)
