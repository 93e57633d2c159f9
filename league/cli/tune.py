"""`league tune`."""

import shlex
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from league.cli.console import note
from league.cli.options import db_option, json_option
from league.cli.play_tournament import RunFlags, play_out, run_options
from league.cli.run import announce
from league.cli.settings_options import ConfiguredCommand, given_settings, some_settings_options
from league.cli.sprt_options import sprt_options
from league.formats.tuning import TEST
from league.model.errors import SetupError
from league.tournament.create import ROUNDS_MAX
from league.tournament.settings import SETTINGS

if TYPE_CHECKING:
    from league.api.tournament import Tournament

OWN = (
    *("bots", "format", "rounds", "param", "until-error", "until-best", "rank-by", "tiebreaks"),
    "starting-rating",
)
"""Settings of a tournament that a tuning decides itself, or has other words for."""

HEADINGS = {
    "Tuning": ("game", "param", "params", "against", "matches", "method", "seed", "budget"),
    "Test at the end": ("elo0", "elo1", "test-matches", "until-error", "register"),
    "Time and search": ("move-time", "time", "depth", "depth-rounds", "nodes", "grace", "cap"),
}
"""The options under headings in the help."""

SPEND = 4000
"""Matches that compare values, if the user gives no number."""


@click.command("tune", cls=ConfiguredCommand, headings=HEADINGS)
@click.argument("bot")
@click.option(
    "--param",
    "param",
    multiple=True,
    metavar="NAME=START,MIN,MAX,STEP",
    help="An option of the bot to tune (repeat). STEP: a change worth a few Elo.",
)
@click.option(
    "--params",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Lines 'name, type, start, min, max, step, rate', as engines print for OpenBench.",
)
@click.option(
    "--against",
    metavar="NAMES",
    help="Compare values against these bots, with commas [the bot against itself].",
)
@click.option(
    "--matches",
    type=click.IntRange(4),
    default=SPEND,
    show_default=True,
    help="Matches that compare values; the test comes on top.",
)
@click.option(
    "--method", default="spsa", show_default=True, help="How to tune: spsa, bayesian, or yours."
)
@sprt_options("elo0", "elo1", defaults={"elo0": TEST.elo0, "elo1": TEST.elo1}, is_given=False)
@click.option(
    "--test-matches", type=click.IntRange(0), help="Most matches of the test [as --matches]."
)
@click.option(
    "--until-error",
    type=click.FloatRange(0, min_open=True),
    metavar="ELO",
    help="In place of the test, play until the gain is known within ELO.",
)
@click.option(
    "--register", "registers", is_flag=True, help="Register the tuned values if a gain is shown."
)
@some_settings_options([each.word for each in SETTINGS if each.word not in OWN])
@run_options
@db_option
@json_option
def command(
    bot: str,
    file: Path | None,
    registers: bool,
    db: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Tune options of a bot by matches, and test whether that has gained.

    Each comparison is two matches from one opening, between two sets of values a step above and
    below the current ones; the values move a little towards those that win. Then the tuned values
    play those of the start until a sequential test decides. It is a tournament of its own: Ctrl-C
    stops it, 'league resume' continues it, and 'league standings' shows it. Its matches count in
    no rating.

    \b
    Examples:
      league tune mine --game connectfour --param threes=4,0,20,1 --depth 4
      league tune mine --game chess --params spsa.txt --time 5+0.05
      league tune mine --game nim --param risk=1.0,0,4,0.1 --against base
    """
    from league.api.league import League
    from league.tournament.settings import read_settings

    options = RunFlags(**{field.name: given[field.name] for field in fields(RunFlags)})
    with League(db, create=False) as league:
        settings = given_settings({**given, "param": None, "until_error": None})
        opponents = [] if given["against"] is None else given["against"].split(",")
        compared = 4 if opponents else 2
        spec = read_settings(
            {
                **settings,
                "bots": [bot, *opponents],
                "param": _parameters(given["param"], file),
                "format": _format(given),
                "rounds": max(1, given["matches"] // compared),
                # Both sides of a comparison begin with the same opening.
                "opening-policy": settings.get("opening-policy", "round" if opponents else None),
            }
        )
        tournament = league.create(
            spec,
            tell=(lambda line: None) if options.quiet else note,
            options=options.run_options,
        )
        if not options.quiet:
            announce(tournament, spec)
        play_out(tournament, db, options, as_json=as_json)
        if tournament.is_finished:
            _conclude(tournament, registers=registers, is_quiet=options.quiet)


def _parameters(given: tuple[str, ...], file: Path | None) -> list[Any]:
    from games.support.errors import OptionError
    from league.model.tuned_parameter import TunedParameter

    found: list[Any] = list(given)
    if file is not None:
        try:
            found += TunedParameter.read_lines(file.read_text("utf-8-sig"))
        except (OSError, UnicodeDecodeError, OptionError) as error:
            raise SetupError(f"can't read {str(file)!r}: {error}") from None
    if not found:
        raise click.UsageError("which options? give --param NAME=START,MIN,MAX,STEP or --params")
    return found


def _format(given: dict[str, Any]) -> str:
    """Return the spec of the method with the options of the test."""
    from games.support.options import join_options, split_options
    from league.formats.specs import FORMATS

    name, _, own = given["method"].partition(":")
    if not FORMATS.find(name).is_tuning:
        known = [each for each in FORMATS.names() if FORMATS.find(each).is_tuning]
        raise SetupError(f"format {name!r} tunes nothing: the methods are {', '.join(known)}")
    tested = given["test_matches"]
    if tested is None:
        # The error is to be reached, however long that takes.
        tested = given["matches"] if given["until_error"] is None else 2 * ROUNDS_MAX
    wanted = {
        "elo0": given["elo0"],
        "elo1": given["elo1"],
        "test_rounds": (tested + 1) // 2,
        "test_error": given["until_error"],
    }
    found = {word: value for word, value in wanted.items() if value is not None}
    return f"{name}:{join_options(found | split_options(own, ','), ',')}"


def _conclude(tournament: "Tournament", *, registers: bool, is_quiet: bool) -> None:
    """Register the tuned values, or say how that is done."""
    tuning = tournament.tuning
    if tuning is None or not tuning.is_gain:
        if registers:
            note("no gain shown, so nothing was registered")
        return
    if registers:
        note(f"registered {tournament.register_tuned()} with the tuned values")
    elif not is_quiet:
        version = tournament.tuned_version()
        options = (shlex.quote(f"{name}={value}") for name, value in version.options.items())
        words = [version.name, version.spec]
        told = " ".join(map(shlex.quote, words)) + "".join(f" --option {each}" for each in options)
        note(f"to keep the values:\n  league register {told}")
