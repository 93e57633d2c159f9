"""`league gate`."""

import os
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from games.support.errors import OptionError, UnknownNameError
from league.cli.console import note, print_answer
from league.cli.error_line import error_line
from league.cli.gate_suite import Suite, read_suite
from league.cli.headed_options import write_options
from league.cli.options import db_option, json_option, pairs
from league.cli.play_tournament import RunFlags, play, refuse_unattended, run_options, webhook_of
from league.cli.run import HEADINGS as OF_RUN
from league.cli.settings_options import given_settings, some_settings_options
from league.cli.sprt_options import sprt_options
from league.model.errors import ConfigError, SettingError
from league.tournament.gate_tests import GATE_ELO0, GATE_ELO1, SETTING_WORDS, TEST_WORDS

if TYPE_CHECKING:
    from league.api.gate import Gate, PlayTest
    from league.api.league import League
    from league.api.tournament import Tournament

INTERRUPTED = 130
USAGE, FAILURE = 64, 70
"""The codes of wrong usage and of other errors, those of sysexits.h: 1 and 2 are verdicts."""

UNDECIDED = {"pass": 0, "fail": 1, "undecided": 2}
"""The exit codes of an undecided gate."""

HEADINGS = {
    "Change": ("name", "option", "with", "folder"),
    "Opponents": ("against", "suite"),
    "Test": (*TEST_WORDS, "max-minutes", "undecided"),
    "Results": ("report", "junit", "replays", "web-url"),
    "Tournament": ("game", "rounds", "seed"),
    **{
        heading: OF_RUN[heading]
        for heading in (
            *("Time and search", "Openings", "End of a match", "Processes of bots"),
            *("Machine", "Pull workers", "Files", "Notices"),
        )
    },
}


class _GateError(click.ClickException):
    """An error that is no verdict."""

    exit_code = FAILURE

    def show(self, file: Any = None) -> None:
        """Write the error as other commands do."""
        click.echo(f"league: {self.message}", file=file, err=file is None)


class _SettingsError(_GateError):
    """An error in a setting, or in the file of a suite."""

    exit_code = USAGE


class GateCommand(click.Command):
    """A command whose errors of usage, and others, have exit codes that are no verdict."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings."""
        write_options(self, ctx, formatter, HEADINGS)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Read the options."""
        with _codes_of_errors():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _codes_of_errors():
            return super().invoke(ctx)


@contextmanager
def _codes_of_errors() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        error.exit_code = USAGE  # type: ignore[misc]  # each error has its own
        raise
    except (click.ClickException, click.Abort, click.exceptions.Exit):
        raise
    except Exception as error:
        told = error_line(error)
        if told is None:
            # Python would exit with 1, which is the verdict "weaker".
            traceback.print_exc()
            raise click.exceptions.Exit(FAILURE) from None
        is_usage = isinstance(error, SettingError | ConfigError | OptionError | UnknownNameError)
        raise (_SettingsError if is_usage else _GateError)(told) from None


@click.command("gate", cls=GateCommand)
@click.argument("change", metavar="SPEC")
@click.option("--name", help="The change's name in the league [its file's].")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the change.")
@click.option(
    "--with",
    "data",
    multiple=True,
    type=click.Path(exists=True),
    help="A data file of it (repeat).",
)
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False),
    help="Folder in which its command runs [this one].",
)
@click.option("--against", multiple=True, metavar="BOT|SPEC", help="An opponent (repeat).")
@click.option(
    "--suite",
    type=click.Path(path_type=Path),
    metavar="FILE.toml",
    help="Opponents and their settings.",
)
@sprt_options(
    *TEST_WORDS, defaults={"elo0": GATE_ELO0, "elo1": GATE_ELO1, "alpha": 0.05}, is_given=False
)
@click.option("--max-minutes", type=float, metavar="N", help="Time to play, for all tests.")
@click.option(
    "--undecided",
    type=click.Choice([*UNDECIDED]),
    default="undecided",
    show_default=True,
    help="What an undecided gate exits with: 0, 1 or 2.",
)
@click.option("--report", type=click.Path(path_type=Path), help="Write a summary in Markdown.")
@click.option("--junit", type=click.Path(path_type=Path), help="Write the tests as JUnit's XML.")
@click.option(
    "--replays",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write replays of lost matches as HTML.",
)
@click.option("--web-url", metavar="URL", help="A dashboard of the database, for links.")
@some_settings_options(SETTING_WORDS)
@run_options
@db_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    change: str,
    suite: Path | None,
    against: tuple[str, ...],
    undecided: str,
    db: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Refuse a change that makes a bot weaker, in the CI of a repository.

    Registers and checks the change, and plays a sequential test (SPRT) against each opponent: a
    registered bot (main@newest) or a spec (main/bot.py). H0 is "weaker by elo0", H1 is "not weaker"
    (elo1). A test of the same versions with the same settings continues where it stopped, and a
    decided one takes no match. Several opponents make one verdict: the change must pass all tests.
    In the tables of a suite, [[opponent]], settings override those of the command line.

    Exit codes: 0 not weaker; 1 weaker, or the check fails; 2 undecided, see --undecided; 64 wrong
    usage; 70 another error; 130 interrupted.

    \b
    Examples:
      league gate new.py --against main/bot.py --game connectfour
      league gate new.py --against main@newest --game chess --elo0 -10
        --max-minutes 15 --report gate.md --junit gate.xml
      league gate uci:./engine --suite suite.toml --time 2+0.02
    """
    from league.api.league import League
    from league.model.records import Isolation

    flags = RunFlags(**{field.name: given[field.name] for field in fields(RunFlags)})
    flags = replace(flags, quiet=flags.quiet or as_json)
    _check_folders(given)
    how = given_settings(given)
    how |= {word: given[word] for word in TEST_WORDS if given[word] is not None}
    if flags.unattended:
        refuse_unattended(Isolation.SANDBOX)
        how["isolation"] = "sandbox"
    webhook_of(flags.webhook, flags.webhook_secret_file)
    found = Suite({}, ()) if suite is None else read_suite(suite)
    opponents: list[str | Mapping[str, Any]] = [*against, *found.opponents]
    if not opponents:
        raise click.UsageError("give an opponent: --against BOT or --suite FILE.toml")
    own = ("name", "data", "folder", "max_minutes")
    how = found.head | how | {word: given[word] for word in own if given[word] not in (None, ())}
    how["options"] = pairs(given["options"])
    with League(db) as league:
        gate = league.gate(
            change,
            opponents,
            play=_player(db, flags),
            **{word.replace("-", "_"): value for word, value in how.items()},
        )
        _write_files(league, gate, given)
    print_answer(gate, as_json)
    ctx.exit(_code(gate, UNDECIDED[undecided]))


def _check_folders(given: Mapping[str, Any]) -> None:
    """Raise `UsageError` before anything is played if a file could not be written after it."""
    for path in filter(None, (given["report"], given["junit"])):
        if not path.parent.is_dir():
            raise click.UsageError(f"there is no folder {str(path.parent)!r} to write {path.name}")


def _player(db: str, flags: RunFlags) -> "PlayTest":
    """Return what plays the tests, and writes their matches to the same files."""
    played = 0

    def play_test(tournament: "Tournament", budget_s: float | None) -> None:
        nonlocal played
        if not flags.quiet:
            labels = tournament.labels()
            names = " against ".join(labels[each] for each in tournament.row.config.entrants)
            note(f"tournament {tournament.number}: {tournament.game}, {names}")
        has_files = bool(flags.pgn or flags.epd)
        own = replace(flags, append=flags.append or (has_files and played > 0))
        played += 1
        play(tournament, db, own, is_quiet=flags.quiet, budget_s=budget_s)

    return play_test


def _write_files(league: "League", gate: "Gate", given: Mapping[str, Any]) -> None:
    """Write the replays, and the summaries with links to them."""
    from league.interchange.files import write_file

    lost = [each.match for line in gate.value.lines for each in line.lost_matches]
    report, folder, url = given["report"], given["replays"], given["web_url"]
    links = {}
    if folder and lost:
        folder.mkdir(parents=True, exist_ok=True)
        for match in lost:
            path = folder / f"match-{match}.html"
            league.export([match], to=path)
            links[match] = os.path.relpath(path, report.parent if report else ".")
    if url:
        links = {match: f"{url.rstrip('/')}/matches/{match}" for match in lost}
    if report:
        write_file(report, [gate.to_markdown(links)])
    if given["junit"]:
        write_file(given["junit"], [gate.to_junit()])


def _code(gate: "Gate", undecided: int) -> int:
    """Return the exit code; a gate that the user has interrupted has that of an interrupt."""
    from league.analysis.gate import GateVerdict

    if gate.value.is_interrupted:
        return INTERRUPTED
    if gate.value.verdict is GateVerdict.UNDECIDED:
        return undecided
    return 0 if gate.value.verdict is GateVerdict.NOT_WEAKER else 1
