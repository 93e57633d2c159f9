"""`league versus`."""

from typing import TYPE_CHECKING

import click

from league.analysis.sentences import elo_told, interval_of
from league.cli.console import clean, print_json, print_table
from league.cli.options import db_option, json_option
from league.cli.pool_options import games_of, pool_options, print_openings, print_parts, where
from league.model.errors import SetupError
from league.ratings.head_to_head import KINDS

if TYPE_CHECKING:
    from league.analysis.versus import Versus

LATEST = 5


@click.command("versus")
@click.argument("one", metavar="BOT")
@click.argument("other", metavar="OTHER")
@pool_options
@click.option(
    "--versions",
    type=click.Choice(["newest", "all"]),
    default="newest",
    show_default=True,
    help="Which versions of the two count.",
)
@db_option
@json_option
def command(
    one: str,
    other: str,
    game: str | None,
    tournament: int | None,
    versions: str,
    db: str,
    as_json: bool,
) -> None:
    """Show what BOT scored against OTHER: by seat, ending and opening, with error bars.

    Elo, its error and the likelihood of superiority (LOS) are by encounters of two matches, where
    there are such, as `league sprt` counts them. Scores in tables are by single matches.

    \b
    Example:
      league versus deep plain --game connectfour
    """
    from league.analysis.versus import versus
    from league.store.store import open_store

    is_all = versions == "all"
    with open_store(db, read_only=True) as store:
        games = games_of(store, game, tournament)
        tables = [
            versus(store, each, one, other, tournament=tournament, is_all_versions=is_all)
            for each in games
        ]
    met = [each for each in tables if each.newest]
    if as_json:
        from league.interchange.documents.statistics import versus_document

        print_json([versus_document(each) for each in met])
        return
    if not met:
        names = f"{tables[0].one!r} and {tables[0].other!r}"
        places = where(" and ".join(games), tournament)
        hint = "" if is_all else "; '--versions all' looks at all their versions"
        raise SetupError(f"{names} have not met in {places}{hint}")
    for each in met:
        _show(each, where(each.game, tournament), is_all)


def _show(found: "Versus", place: str, is_all: bool) -> None:
    from league.analysis.encounters import end_of

    whole, strength = found.whole, found.whole.difference
    click.echo(clean(f"{found.one} – {found.other}, {place}"))
    click.echo(
        f"  matches     {whole.matches:,}: {whole.wins:,} won, {whole.draws:,} drawn "
        f"({whole.draw_rate:.1%}), {whole.losses:,} lost"
    )
    click.echo(f"  score       {whole.score:.1%}, 95% interval {interval_of(whole)}")
    if strength is not None:
        click.echo(f"  Elo         {elo_told(whole)}")
        click.echo(f"  nElo        {strength.nelo:+.1f} ± {strength.nelo_error:.1f}")
        click.echo(f"  LOS         {strength.los:.1%}")
    if whole.kinds:
        counts = ", ".join(f"{kind} {whole.kinds[kind]}" for kind in KINDS)
        click.echo(f"  encounters  {whole.kinds.total():,}: {counts}")
    if whole.left_out:
        click.echo(f"  left out    {whole.left_out:,} matches of encounters that are not whole")
    click.echo()
    print_parts("seat", found.seats)
    print_parts("end", found.ends)
    print_openings("opening", found.openings)
    if is_all and len(found.versions) > 1:
        print_parts("versions", found.versions)
    print_table(
        ("newest", "bots", "score", "plies", "end"),
        [
            (
                row.id,
                " – ".join(str(found.labels[version]) for version in row.versions),
                " – ".join(f"{score:g}" for score in row.scores),
                row.plies,
                end_of(row, found.labels),
            )
            for row in found.newest[:LATEST]
        ],
        right=("newest", "plies"),
    )
