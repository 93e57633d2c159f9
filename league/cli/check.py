"""`league check`."""

from typing import TYPE_CHECKING, Any

import click

from games.support.errors import listed
from games.support.specs import find_game
from league.cli.console import print_json, show
from league.cli.heartbeat import heartbeat
from league.cli.option_types import DURATION, MOVE_TIME
from league.cli.options import START_TIME, isolation_option, json_option, pairs
from league.cli.play_tournament import end_strays_at_last
from league.model.errors import CheckError

if TYPE_CHECKING:
    from league.registration.finding import CheckFinding


@click.command("check")
@click.argument("spec")
@click.option("--game", "games", multiple=True, help="A game to try it in (repeat).")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@click.option(
    "--with", "data", multiple=True, type=click.Path(), help="A data file of it (repeat)."
)
@click.option(
    "--folder", type=click.Path(), help="Folder in which the command runs [the current one]."
)
@click.option(
    "--move-time", type=MOVE_TIME, help="Time for each move [as much as it needs, up to 5 s]."
)
@click.option("--start-time", type=DURATION, help=START_TIME)
@click.option("--memory", default="1G", show_default=True, help="Memory limit.")
@click.option("--show-output", is_flag=True, help="Show what the bot prints in each match.")
@click.option("--paid", is_flag=True, help="Ask a language model for a few moves; may cost money.")
@isolation_option
@json_option
def command(
    spec: str,
    options: tuple[str, ...],
    as_json: bool,
    **how: Any,
) -> None:
    """Try a bot out without registering it.

    Starts the bot in its own process and lets it play in every seat against the bot 'random', and
    against itself: the trial of 'league register'. Prints each point with its result and, if it
    failed, what to do and what the bot printed. With --move-time the bot must keep to that; without
    it, the check says how much time the bot needs. The exit code is 1 if any point fails.
    A language model is asked nothing without --paid.

    \b
    Examples:
      league check mine.py
      league check mine.py --move-time 2s --show-output
      league check iterative:depth=4 --game tictactoe --game connectfour
      league check exec:'node bot.js' --game connectfour
    """
    from league.api.league import League
    from league.render.text.registration import finding_blocks

    end_strays_at_last()
    shown: dict[str, list[CheckFinding]] = {}

    with heartbeat(lambda: f"trying {spec} out") as wiped:

        def show_finding(game: str, finding: "CheckFinding") -> None:
            if as_json:
                return
            with wiped():
                if game not in shown:
                    click.echo(f"{find_game(game).title}:")
                earlier = shown.setdefault(game, [])
                show(finding_blocks(finding, earlier))
                earlier.append(finding)

        answer = League.check(spec, options=pairs(options), on_finding=show_finding, **how)
    if as_json:
        print_json(answer.to_dict())
    points = [each for findings in answer.value.values() for each in findings]
    if failed := sum(each.is_passed is False for each in points):
        raise CheckError(f"{spec!r} failed at {failed} of {len(points)} points", spec)
    untried = [each.demand for each in points if each.is_passed is None]
    if untried and not as_json:
        passed = len(points) - len(untried)
        click.echo(f"{spec} passed {passed} of {len(points)} points; not tried: {listed(untried)}")
    elif not as_json:
        notes = ", with the notes above" if any(each.hint for each in points) else ""
        click.echo(f"{spec} is fit to play{notes}")
