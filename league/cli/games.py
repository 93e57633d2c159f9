"""`league games`."""

import click

from league.cli.options import json_option


@click.command("games")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the games, or show one with its options and evaluations.

    \b
    Examples:
      league games
      league games connectfour
    """
    from games import catalogue
    from league.cli.console import print_json, print_table

    found = [catalogue.find(each) for each in ([name] if name else catalogue.names())]
    if as_json:
        listed = [
            {
                "game": game.name,
                "title": game.title,
                "seats": game.seats,
                "sides": list(game.sides),
                "options": {each.name: each.default for each in game.options},
                "evaluations": [each.name for each in game.evaluations],
            }
            for game in found
        ]
        print_json(listed[0] if name else listed)
        return
    if not name:
        rows = [
            (
                game.name,
                game.title,
                game.seats,
                " ".join(f"{each.name}={each.default}" for each in game.options) or "–",
            )
            for game in found
        ]
        print_table(("game", "title", "seats", "options"), rows, right=("seats",))
        return
    game = found[0]
    click.echo(f"{game.title}: {game.seats} seats ({', '.join(game.seat_names)})\n")
    click.echo(game.initial().render())
    for each in game.options:
        click.echo(f"  {each.name}={each.default}  {each.help} ({each.range()})")
    for evaluation in game.evaluations:
        click.echo(f"  evaluation {evaluation.name}: {evaluation.help}")
    if game.options:
        first = game.options[0]
        click.echo(f"\nOptions are part of the game's name: {game.name}?{first.name}=…")
