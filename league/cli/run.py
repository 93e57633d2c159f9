"""`league run`."""

import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click

from league.cli.config_file import ConfiguredCommand, write_config
from league.cli.console import note
from league.cli.option_types import DURATION, HANDICAP, MEMORY, TIME_CONTROL
from league.cli.options import db_option, isolation_option, json_option
from league.cli.play_tournament import PlayOptions, play_out, run_options
from league.model.records import Adjudication, Limits
from league.model.tournament_spec import TournamentSpec

MOVE_S = 0.1
"""The time for each move where no limit is given."""


@click.command("run", cls=ConfiguredCommand)
@click.argument(
    "config",
    metavar="[FILE.toml]",
    required=False,
    type=click.Path(path_type=Path),
    expose_value=False,
)
@click.option(
    "--again",
    type=int,
    metavar="TOURNAMENT",
    help="All as it was there, but what is given.",
    expose_value=False,
)
@click.option("--save", type=click.Path(path_type=Path), help="Write all this to FILE.toml.")
@click.option("--game", required=True, help="The game, with options: connectfour?columns=8.")
@click.option("--bots", required=True, help="Names with commas, or 'all'.")
@click.option("--rounds", type=click.IntRange(1), help="Rounds of the format [its own].")
@click.option("--format", default="roundrobin", show_default=True)
@click.option("--until-error", type=float, metavar="ELO", help="End when every 95% bar is within.")
@click.option("--budget", type=DURATION, help="Stop a run after this time: 2h.")
@click.option(
    "--time",
    type=TIME_CONTROL,
    help="Time for the match: 10+0.1, 5m+3s, 40/60+0.5.",
)
@click.option("--move-time", "move_s", type=DURATION, help="Time for each move: 50ms, 2s.")
@click.option("--depth", type=click.IntRange(1), help="Depth for each search, in plies.")
@click.option(
    "--depth-rounds", type=click.IntRange(1), help="The same in moves of every seat once."
)
@click.option("--nodes", type=click.IntRange(1), help="Nodes for each search.")
@click.option(
    "--grace",
    "grace_s",
    type=DURATION,
    default="50ms",
    show_default=True,
    help="How late a move may be; testers call it the margin.",
)
@click.option(
    "--handicap",
    "handicaps",
    type=HANDICAP,
    multiple=True,
    help="So many times the time and nodes for a bot: mine=0.5.",
)
@click.option(
    "--cap",
    "cap_s",
    type=DURATION,
    default="60s",
    show_default=True,
    help="The longest wait for a move without a time.",
)
@click.option(
    "--start-time",
    "start_s",
    type=DURATION,
    default="10s",
    show_default=True,
    help="Time for a bot to start.",
)
@click.option(
    "--memory",
    "memory_mb",
    type=MEMORY,
    default="1024M",
    show_default=True,
    help="Memory of each bot.",
)
@click.option(
    "--max-plies",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="A longer match is a draw.",
)
@click.option("--draw", metavar="RULE", help="Adjudicate draws: score=0.1,moves=8,after=80.")
@click.option("--win", metavar="RULE", help="Adjudicate wins: score=6,moves=4.")
@click.option("--tablebases", metavar="FOLDER", help="Adjudicate chess endgames by Syzygy tables.")
@click.option(
    "--restart",
    type=click.Choice(["never", "match"]),
    default="never",
    show_default=True,
    help="Start every bot afresh for each match.",
)
@isolation_option
@click.option(
    "--no-pondering", "is_frozen", is_flag=True, help="Bots stand still while others move."
)
@click.option("--opening-plies", type=click.IntRange(0), help="Random plies [the game's own].")
@click.option(
    "--openings", metavar="FILE", default="", help="Openings from a .txt, .epd, .pgn or .bin."
)
@click.option(
    "--openings-order",
    type=click.Choice(["sequential", "random"]),
    default="sequential",
    show_default=True,
    help="The order to take them in.",
)
@click.option("--seed", type=click.IntRange(0), help="Repeats everything that is drawn.")
@run_options
@db_option
@json_option
def command(
    save: Path | None,
    game: str,
    bots: str,
    rounds: int | None,
    format: str,
    until_error: float | None,
    budget: float | None,
    time: str | None,
    handicaps: tuple[tuple[str, float], ...],
    draw: str | None,
    win: str | None,
    tablebases: str | None,
    restart: str,
    isolation: str,
    opening_plies: int | None,
    openings: str,
    openings_order: str,
    seed: int | None,
    db: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Run a tournament and show its standings.

    Every two bots meet in each round from the same opening, once in each seat. Every limit that is
    given holds; without --time, --move-time, --depth, --depth-rounds or --nodes a bot has 100 ms
    for each move. Ctrl-C stops it; 'league resume' goes on. A file has the same options by name
    (move-time = "50ms"); what is given here comes before it.

    \b
    Examples:
      league run --game connectfour --bots all --rounds 10 --move-time 50ms
      league run --game chess --bots mine,sf --time 10+0.1 --save league.toml
      league run league.toml --rounds 20
    """
    from league.match.adjudication import draw_rule, win_rule
    from league.store.store import open_store
    from league.tournament.config_file import settings_of
    from league.tournament.create import (
        choose_isolation,
        create_tournament,
        left_out,
        repeated_openings,
    )

    playing = PlayOptions(**{field.name: given.pop(field.name) for field in fields(PlayOptions)})
    names = [name.strip() for name in bots.split(",") if name.strip()]
    adjudication = Adjudication(
        None if draw is None else draw_rule(draw),
        None if win is None else win_rule(win),
        tablebases or "",
    )
    with open_store(db) as store:
        level, told = choose_isolation(store, game, names, isolation)
        # All other options are limits, by the names that these have as fields.
        limits = Limits(isolation=level, time=time or "", **given)
        if limits.is_free:
            limits = replace(limits, move_s=MOVE_S)
        spec = TournamentSpec(
            game=game,
            bots=names,
            rounds=rounds,
            limits=limits,
            seed=seed,
            opening_plies=opening_plies,
            format=format,
            is_restarted=restart == "match",
            until_error=until_error,
            budget_s=budget,
            adjudication=adjudication,
            handicaps=dict(handicaps),
            openings=openings,
            is_shuffled=openings_order == "random",
        )
        row = create_tournament(store, spec)
        if save:
            settings = settings_of(store, row)
            if openings:
                settings |= _from_file(openings, openings_order, opening_plies, save.parent)
            write_config(save, settings)
        if not playing.quiet:
            matches = "matches by the results" if row.total is None else f"{row.total} matches"
            note(
                f"tournament {row.id}: {row.config.game}, {len(row.config.entrants)} bots, "
                f"{matches}, seed {row.config.seed}"
            )
            note(told)
            if text := repeated_openings(store, row.config):
                note(text)
            if text := left_out(store, spec):
                note(text)
        play_out(store, row, db, playing, as_json=as_json)


def _from_file(openings: str, order: str, plies: int | None, folder: Path) -> dict[str, object]:
    """Return the settings of openings from a file, named as a config file in `folder` needs it."""
    found: dict[str, object] = {"openings": openings, "openings-order": order}
    if Path(openings).exists():
        found["openings"] = os.path.relpath(openings, folder)
    return found if plies is None else {**found, "opening-plies": plies}
