"""`league register`."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from league.cli.console import note, print_answer, reading_progress
from league.cli.heartbeat import heartbeat
from league.cli.option_types import DURATION, MOVE_TIME
from league.cli.options import (
    START_TIME,
    db_option,
    isolation_option,
    json_option,
    pairs,
)
from league.cli.play_tournament import end_strays_at_last
from league.model.errors import CheckError

if TYPE_CHECKING:
    from league.api.league import League


@click.command("register")
@click.argument("words", nargs=-1, metavar="NAME SPEC | FOLDER")
@click.option("--csv", type=click.Path(), help="Register the bots of a roster: name,bot.")
@click.option("--game", "games", multiple=True, help="A game it plays (repeat); none means any.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@click.option(
    "--with", "data", multiple=True, type=click.Path(), help="A data file to keep (repeat)."
)
@click.option(
    "--folder", type=click.Path(), help="Folder in which the command runs [the current one]."
)
@click.option(
    "--move-time", type=MOVE_TIME, help="Time for each move of the check [as much as it needs]."
)
@click.option("--start-time", type=DURATION, help=START_TIME)
@click.option("--memory", metavar="SIZE", help="Memory limit of the check [1G].")
@click.option("--no-check", is_flag=True, help="Skip the check.")
@isolation_option
@db_option
@json_option
def command(
    words: tuple[str, ...], csv: str | None, no_check: bool, db: str, as_json: bool, **how: Any
) -> None:
    """Register a bot, a new version of one, or a folder of submissions.

    SPEC is a built-in bot (see 'league bots --catalogue'), a Python file, a folder or zip with
    bot.py or main.py, a folder in another language, a module, a protocol with a command line, or
    the address of a web server. A Python file only needs a function choose(state, clock). The
    league keeps a copy of the file and of the modules beside it that it imports; register it again
    after you change it. A folder is kept whole; one with a Makefile, Cargo.toml, package.json or a
    script 'run' is built once.

    With FOLDER alone, each file, folder and zip in it becomes a bot of the same name. The exit code
    is 1 if any fails.

    \b
    Examples:
      league register deep iterative:depth=6
      league register slow mine.py --move-time 2s
      league register mine mine.py --game connectfour
      league register learned net.py --with weights.npz
      league register tuned mine.py:MyBot --option width=3
      league register monte exec:'node bot.js' --folder bots --game connectfour
      league register submissions/ --game connectfour
      league register --csv roster.csv
    """
    from league.api.league import League

    end_strays_at_last()
    source = _class_of(words, csv, how)
    with League(db) as league:
        if source:
            for name in ("options", "data", "folder"):
                del how[name]
            _register_all(league, source, as_json, check=not no_check, **how)
        else:
            how["options"] = pairs(how["options"])
            _register(league, words, as_json, check=not no_check, **how)


def _class_of(words: Sequence[str], csv: str | None, how: dict[str, Any]) -> str:
    """Return the folder or roster of a class, '' for one bot; raise `UsageError` for neither."""
    from league.registration.submissions import is_bot_folder

    if csv is None and len(words) == 2:
        return ""
    if csv is not None and words:
        raise click.UsageError("--csv names the bots itself: give it alone")
    if len(words) > 2:
        raise click.UsageError(
            f"{len(words)} words, expected NAME SPEC: 'league register FOLDER' and --csv register "
            "several bots"
        )
    if not (source := csv or "".join(words)):
        raise click.UsageError("give NAME SPEC, a FOLDER of submissions, or --csv")
    if csv is None and (not Path(source).is_dir() or is_bot_folder(Path(source))):
        kind = "one bot" if Path(source).exists() else "no folder"
        raise click.UsageError(f"{source!r} is {kind}: give a name, 'league register NAME SPEC'")
    if any(how[name] for name in ("options", "data", "folder")):
        raise click.UsageError("--option, --with and --folder are for one bot")
    return source


def _register(league: "League", words: Sequence[str], as_json: bool, **how: Any) -> None:
    from league.render.text.registration import trial_line

    with heartbeat(lambda: f"trying {words[0]} out"):
        try:
            found = league.register(*words, **how)
        except CheckError as error:
            if not error.in_match:
                raise
            raise CheckError(f"{error}\n{_advice(words[1], how)}", words[1]) from None
    if not as_json:
        for trial in found.value.checks:
            note(trial_line(trial))
        for warning in found.value.warnings:
            note(f"warning: {warning}")
    if as_json or found.value.is_new:
        print_answer(found, as_json)
    else:
        note(str(found))


def _advice(spec: str, how: Mapping[str, Any]) -> str:
    games = "".join(f" --game {each}" for each in how["games"])
    return f"to see every point:\n  league check {shlex.quote(spec)}{games}"


def _register_all(league: "League", source: str, as_json: bool, **how: Any) -> None:
    with reading_progress() as tell:
        found = league.register_all(
            source,
            on_submission=lambda done, total, name: tell(f"{done + 1} of {total}: {name!r}"),
            **how,
        )
    print_answer(found, as_json)
    if failed := sum(each.is_failed for each in found.value):
        raise CheckError(f"{failed} of {len(found.value)} submissions failed", source)
