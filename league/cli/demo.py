"""`league demo`."""

import shlex
from pathlib import Path

import click

from league.cli.console import show
from league.cli.option_types import MOVE_TIME
from league.cli.options import json_option
from league.cli.play_tournament import RunFlags, play_out

BOTS = {
    "random": "random",
    "greedy": "greedy",
    "minimax-2": "minimax:depth=2",
    "alphabeta-4": "alphabeta:depth=4,order=game",
    "iterative": "iterative",
}


@click.command("demo")
@click.option(
    "--rounds", type=click.IntRange(1), default=4, show_default=True, help="Rounds to play."
)
@click.option(
    "--move-time", type=MOVE_TIME, default="40ms", show_default=True, help="Time for each move."
)
@click.option("--db", metavar="FILE", help="Keep the league here [a scratch folder].")
@json_option
def command(rounds: int, move_time: float, db: str | None, as_json: bool) -> None:
    """Play a small league of built-in bots, in under a minute.

    \b
    Example:
      league demo
    """
    import tempfile

    from league.api.league import League

    target = db or str(Path(tempfile.mkdtemp(prefix="botleague-demo-")) / "league.db")
    with League(target) as league:
        for name, spec in BOTS.items():
            league.register(name, spec, check=False)
        tournament = league.create(
            "connectfour", bots=list(BOTS), rounds=rounds, move_time=move_time, seed=4
        )
        play_out(tournament, target, RunFlags(), as_json=as_json)
        best = league.match().number
    if as_json:
        return
    quoted = shlex.quote(target)
    show(
        [
            "Try next:",
            f"  league replay {best} --db {quoted}",
            f"  league crosstable --db {quoted}",
            "  league play connectfour --against iterative",
        ]
    )
