"""`league run`."""

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from games.support.counts import counted
from league.cli.console import note
from league.cli.engine_option import EngineWish, read_each, read_engines, with_engines
from league.cli.match_files import targets_of
from league.cli.options import db_option, json_option
from league.cli.play_tournament import (
    RunFlags,
    play_out,
    refuse_unattended,
    run_options,
    webhook_of,
)
from league.cli.settings_options import (
    ConfiguredCommand,
    given_settings,
    settings_options,
    write_config,
)

if TYPE_CHECKING:
    from league.api.league import League
    from league.api.tournament import Tournament
    from league.model.tournament_spec import TournamentSpec
    from league.registration.register import Registration

HEADINGS = {
    "Tournament": (
        *("game", "bots", "engine", "each", "format", "rounds", "seed", "tiebreaks", "rank-by"),
    ),
    "Time and search": ("move-time", "time", "depth", "depth-rounds", "nodes", "grace", "cap"),
    "Openings": (
        "openings",
        "opening-plies",
        "openings-order",
        "openings-start",
        "skip-bad-openings",
        "opening-policy",
        "deals",
    ),
    "End of the tournament": ("until-error", "until-best", "budget"),
    "Settings": ("save", "again"),
    "End of a match": (
        "draw",
        "win",
        "max-plies",
        "tablebases",
        "tablebase-pieces",
        "tablebase-results",
        "ignore-fifty",
    ),
    "Single bots": ("bot-limits", "handicap", "starting-rating", "param"),
    "Processes of bots": (
        "isolation",
        "memory",
        "start-time",
        "restart",
        "pondering",
        "unattended",
        "strict",
    ),
    "Machine": ("workers", "cpus", "no-pin", "starts", "wait", "executor"),
    "Pull workers": ("scale-time", "tls-cert", "tls-key"),
    "Files": (
        "pgn",
        "pgn-with",
        "pgn-event",
        "pgn-site",
        "epd",
        "append",
        "log-file",
        "engine-log",
        "backup-every",
    ),
    "Notices": ("webhook", "webhook-secret-file"),
}
"""The options under headings in the help."""


@click.command("run", cls=ConfiguredCommand, headings=HEADINGS)
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
    help="Reuse that tournament's settings; options given here override them.",
    expose_value=False,
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the settings to FILE.toml.")
@click.option(
    "--each",
    metavar="KEY=VALUE,…",
    is_eager=True,
    callback=read_each,
    help="Parts of every --engine: option.Hash=16,tc=8+0.08.",
)
@click.option(
    "--engine",
    "engines",
    callback=read_engines,
    multiple=True,
    metavar="KEY=VALUE,…",
    help="A chess engine that is not registered: cmd=./sf,name=sf,option.Hash=16 (repeat).",
)
@settings_options
@run_options
@db_option
@json_option
def command(
    save: Path | None,
    each: str | None,
    engines: tuple[EngineWish, ...],
    db: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Run a tournament and show its standings.

    In each round, every pair of bots plays from the same opening, once in each seat. You can
    combine limits. Without --time, --move-time, --depth, --depth-rounds or --nodes, a bot has 100
    ms per move. Ctrl-C stops the tournament; 'league resume' continues it. A TOML file takes the
    same options by name (move-time = "50ms"); options given here override the file.

    \b
    Examples:
      league run --game connectfour --bots all --rounds 10 --move-time 50ms
      league run --game chess --bots mine,sf --time 10+0.1 --save league.toml
      league run league.toml --rounds 20
      league run --engine cmd=./new --engine cmd=./old --each option.Hash=64
      league run --engine cmd=./new,name=new --engine cmd=./base,name=base
        --time 8+0.08 --format sprt:elo1=5 --openings book.epd --pgn games.pgn
    """
    from league.api.league import League
    from league.model.records import Isolation
    from league.tournament.settings import read_settings

    options = RunFlags(**{field.name: given[field.name] for field in fields(RunFlags)})
    if each and not engines:
        raise click.UsageError("--each is for engines of --engine")
    settings = with_engines(engines, given_settings(given))
    spec = read_settings(settings)
    if options.unattended:
        for level in (spec.limits.isolation, *(own.isolation for own in spec.own_limits.values())):
            refuse_unattended(level or Isolation.SANDBOX)
        spec = replace(spec, limits=replace(spec.limits, isolation=Isolation.SANDBOX))
    targets_of(options, spec.game)
    webhook_of(options.webhook, options.webhook_secret_file)
    with League(db, create=bool(engines)) as league:
        tournament = _created(league, spec, engines, options)
        if save:
            openings = (
                *("openings", "openings-order", "openings-start", "opening-plies"),
                "skip-bad-openings",
            )
            known = {
                word: settings[word] for word in openings if spec.openings and word in settings
            }
            saved = {**tournament.settings(), **known}
            if "seed" not in settings:
                # Else each run of the file would repeat this one, move for move.
                saved.pop("seed", None)
            write_config(save, saved)
        if not options.quiet:
            announce(tournament, spec)
        play_out(tournament, db, options, as_json=as_json)


def announce(tournament: "Tournament", spec: "TournamentSpec") -> None:
    """Say what is about to be played, and what to know of it."""
    row = tournament.row
    matches = "matches by the results" if row.total is None else f"{row.total} matches"
    bots = counted(len(row.config.entrants), "bot")
    note(f"tournament {row.id}: {row.config.game}, {bots}, {matches}, seed {row.config.seed}")
    note(f"limits: {tournament.limits_in_words()}")
    for remark in tournament.remarks(spec):
        note(remark)
    for fault in tournament.failing():
        note(f"warning: {fault}")


def _created(
    league: "League", spec: "TournamentSpec", engines: Sequence[EngineWish], options: RunFlags
) -> "Tournament":
    """Register engines and create their tournament: all of it or nothing."""
    registered: list[Registration] = []
    try:
        for engine in engines:
            registered.append(
                league.register_engine(
                    engine.name,
                    engine.spec,
                    engine.options,
                    engine.folder,
                    limits=spec.limits.scaled(spec.own_limits.get(engine.name, 1.0)),
                ).value
            )
        return league.create(
            spec,
            tell=(lambda line: None) if options.quiet else note,
            options=options.run_options,
        )
    except BaseException:
        for found in reversed(registered):
            league.take_back(found)
        raise
