"""Playing a tournament to its end from the command line: what run, resume and demo share."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from games.support.counts import counted
from games.support.specs import find_game
from league.cli.console import note, print_answer
from league.cli.match_files import MatchFiles, file_options, growing_files
from league.cli.option_types import CPUS, DURATION, MOVE_TIME
from league.cli.options import OWN_PROCESS
from league.model.errors import SetupError, StoppedError, UnavailableError
from league.model.number_format import exact_span
from league.model.webhook import Webhook
from league.tournament.run_options import LOCAL, PATIENCE_S, PullOptions, RunOptions, cores

if TYPE_CHECKING:
    from league.analysis.standings import Standings
    from league.api.tournament import Tournament
    from league.model.records import Isolation
    from league.tournament.progress import Progress

LOAD_SPARE = 1.0
"""Number of runnable processes above the number of cores before bots notice."""

STARVED_SHARE = 0.01
"""With more late moves than this that had little computing, the machine is to be suspected."""

COMPILED = {"alphabeta", "iterative", "mcts", "mtdf", "paranoid", "pvs"}
"""The built-in bots that can search compiled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFlags(MatchFiles):
    """The options that `run_options` adds to a command; None is the machine's default."""

    workers: int | None = None
    executor: str = LOCAL
    scale_time: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None
    starts: int | None = None
    no_pin: bool = False
    log_file: str | None = None
    quiet: bool = False
    unattended: bool = False
    strict: bool = False
    wait: float | None = None
    patience: float = PATIENCE_S
    backup_every: float | None = None
    cpus: frozenset[int] | None = None
    engine_log: str | None = None
    webhook: str | None = None
    webhook_secret_file: Path | None = None

    def __post_init__(self) -> None:
        has_own = self.tls_cert or self.tls_key or self.scale_time
        if has_own and not RunOptions(executor=self.executor).is_pull:
            raise click.UsageError(
                "--scale-time, --tls-cert and --tls-key need --executor pull://HOST:PORT"
            )
        if self.tls_key and not self.tls_cert:
            raise click.UsageError("--tls-key belongs to a certificate: give --tls-cert")

    @property
    def webhook_words(self) -> str:
        """The options of the webhook for another command line, each after a space."""
        given = ("--webhook", self.webhook), ("--webhook-secret-file", self.webhook_secret_file)
        return "".join(f" {name} {shlex.quote(str(value))}" for name, value in given if value)

    @property
    def run_options(self) -> RunOptions:
        """The options that the runner takes."""
        return RunOptions(
            workers=self.workers,
            executor=self.executor,
            pull=PullOptions(
                certificate=self.tls_cert,
                key=self.tls_key,
                scales_time=self.scale_time,
                shows_token=True,
            ),
            starts=self.starts,
            is_pinned=not self.no_pin,
            patience_s=self.patience,
            backup_every_s=self.backup_every,
            engine_log=None if self.engine_log is None else Path(self.engine_log).absolute(),
            webhook=webhook_of(self.webhook, self.webhook_secret_file),
            wait_s=self.wait or 0.0,
            is_strict=self.strict,
            tell=note,
        )


def webhook_of(url: str | None, secret_file: Path | None) -> Webhook | None:
    """Return the webhook of a run; raise `SetupError` for an address or a secret that is none."""
    if url is None:
        if secret_file is not None:
            raise click.UsageError(
                "--webhook-secret-file signs what --webhook gets: give --webhook"
            )
        return None
    if secret_file is None:
        return Webhook.read(url)
    try:
        secret = secret_file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"can't read the secret of {str(secret_file)!r}: {error}") from None
    if not secret:
        raise SetupError(f"the secret of {str(secret_file)!r} is empty")
    return Webhook.read(url, secret)


def play_out(tournament: "Tournament", db: str, options: RunFlags, *, as_json: bool) -> None:
    """Play what the tournament lacks and show its standings.

    At Ctrl-C say how to go on, and exit with 130; with 1 where something that is needed is not
    there, and after a fault, where options are strict.
    """
    from league.analysis.opening_statistics import LOOKED_AT

    is_quiet = options.quiet or as_json
    resume = f"league resume {tournament.number}"
    resume += options.words + options.webhook_words
    resume += "" if db == "league.db" else f" --db {shlex.quote(db)}"
    try:
        progress = play(tournament, db, options, is_quiet=is_quiet)
    except KeyboardInterrupt:
        played = ""
        with suppress(UnavailableError):
            played = f" after {tournament.row.progress} matches"
        note(f"\nstopped{played}; continue with:\n  {resume}")
        sys.exit(130)
    except StoppedError as stop:
        if not stop.reason:
            raise
        done = tournament.row.progress
        note(
            f"stopped after {done} matches: {stop.reason}; continue with:\n  {resume}{stop.options}"
        )
        sys.exit(1)
    for line in _ending(progress, tournament.row.progress, resume):
        note(line)
    # Only a tournament's first matches are looked at: a later run adds nothing to them.
    is_judged = not is_quiet and progress.played_before < LOOKED_AT
    if is_judged and (lopsided := tournament.lopsided_opening()):
        note(f"warning: {lopsided}")
    answer = tournament.standings()
    print_answer(answer, as_json)
    if not is_quiet and any(row.forfeits for table in answer.value for row in table.rows):
        note(f"to see why: league matches --tournament {tournament.number} --faults")
    hint = _next_step(answer.value, tournament.number, resume)
    if hint and not is_quiet and tournament.row.is_finished:
        note(hint)
    if options.strict and progress.stopped:
        sys.exit(1)


def play(
    tournament: "Tournament",
    db: str,
    options: RunFlags,
    *,
    is_quiet: bool,
    budget_s: float | None = None,
) -> "Progress":
    """Play what the tournament lacks, for at most `budget_s`; show the progress, write the log."""
    from league.cli.progress_bar import shown_progress
    from league.execution.run_log import run_log
    from league.seats.bot_specs import is_model

    _keep_to(options.cpus)
    run = replace(options.run_options, budget_s=budget_s)
    if run.is_local and not tournament.row.is_finished:
        workers = run.workers_wanted()
        if any(map(is_model, tournament.bot_specs())):
            # The others are for calls, which take no core.
            workers = min(workers, cores())
        _warn_of_load(workers, cores(), is_quiet)
        _compile_for(tournament)
    path = Path(options.log_file) if options.log_file else log_beside(db)
    try:
        with (
            run_log(path) as log,
            _sigterm_interrupts(),
            shown_progress(tournament.labels(), is_quiet) as show,
            growing_files(tournament, options) as write,
        ):

            def tell(progress: "Progress") -> None:
                show(progress)
                write()

            end_strays_at_last()
            progress = tournament.play(run, tell, log)
    except PermissionError as error:
        raise SetupError(f"can't write the log {str(path)!r}: {error.strerror}") from None
    if run.is_local and not is_quiet:
        _warn_of_starving(progress, run.workers_wanted())
    return progress


def _warn_of_starving(progress: "Progress", workers: int) -> None:
    """Say so where bots were late though they had little computing time."""
    if progress.starved > max(2, STARVED_SHARE * progress.moves):
        fewer = f"fewer --workers than {workers}" if workers > 1 else "an idle machine"
        note(
            f"warning: {progress.starved} of {progress.moves} moves were late though the bot had "
            f"computed for little of the time: {fewer} may be fairer"
        )


def _next_step(tables: Sequence["Standings"], number: int, resume: str) -> str:
    """Return what to do after a test without a verdict, '' for any other end."""
    from league.formats.schedule import EXHAUSTED
    from league.ratings.sprt import SprtState

    says = tables[0].says if tables else ""
    if not says.startswith(SprtState.UNDECIDED):
        return ""
    if says.endswith(EXHAUSTED):
        return (
            f"no verdict: try more openings, as by 'league run --again {number} "
            "--opening-plies 8' or with --openings FILE"
        )
    return (
        f"no verdict yet: 'league tournament extend {number} --rounds 200' adds "
        f"encounters, and '{resume}' plays them"
    )


def _keep_to(cpus: frozenset[int] | None) -> None:
    """Tie this process and those that it starts to some processors of the machine."""
    if cpus is not None:
        from league.platform import pin

        pin(cpus)


def refuse_unattended(level: "Isolation") -> None:
    """Raise `SetupError` unless bots at this level can be left alone with the machine."""
    from league.model.records import Isolation
    from league.seats.process.isolation import why_no_sandbox

    if level not in (Isolation.AUTO, Isolation.SANDBOX):
        raise SetupError(f"isolation is {level}: --unattended needs --isolation sandbox")
    if reason := why_no_sandbox():
        raise SetupError(f"--unattended needs the sandbox, which does not work here: {reason}")


def _ending(progress: "Progress", done: str, resume: str) -> Iterator[str]:
    """Yield what was played, and why no more."""
    if progress.played:
        took = exact_span(progress.played / max(progress.rate, 1e-9))
        yield f"played {counted(progress.played, 'match')} in {took}"
    elif not progress.copied and not progress.stopped:
        yield "nothing left to play"
    if progress.copied:
        yield (
            f"{progress.copied} matches were copied, not played: they repeat others move for move, "
            "because these bots use no randomness and met from the same openings. They count once "
            "as evidence: more openings (--opening-plies) would help"
        )
    if progress.stopped:
        more = "" if progress.stopped == "cancelled" else f"; continue with:\n  {resume}"
        yield f"{progress.stopped} after {done} matches{more}"


def how_it_goes_on(tournament: "Tournament") -> str:
    """Say what plays on in a tournament that was changed."""
    if tournament.is_in_play:
        return "its runner takes that in"
    if tournament.row.is_finished:
        return "nothing is left to play"
    return f"'league resume {tournament.number}' continues"


def _warn_of_load(workers: int, cores: int, is_quiet: bool) -> None:
    """Say so where this machine has too much to do to be fair to bots."""
    load = os.getloadavg()[0]
    if workers > cores:
        note(
            f"warning: {workers} workers on {cores} cores: bots will be late for lack of "
            "computing time; take at most as many --workers as cores"
        )
    elif not is_quiet and load + workers > cores + LOAD_SPARE:
        fewer = ", or take fewer --workers" if workers > 1 else ""
        note(
            f"warning: this machine is busy already (load {load:.1f} on {cores} "
            f"cores): bots may be late for lack of computing time; wait{fewer}"
        )


def end_strays_at_last() -> None:
    """In a process of our own, end what bots leave behind, and forbid tracing."""
    from league.platform import become_subreaper, forbid_tracing
    from league.seats.process.orphans import end_orphans

    if click.get_current_context().find_root().obj == OWN_PROCESS:
        end_orphans()
        become_subreaper()
        forbid_tracing()


def _compile_for(tournament: "Tournament") -> None:
    """Compile the search of the tournament's game where a bot would use it and it can be.

    In a process of its own, so that this one stays light, and only where that was not done before.
    """
    from importlib.util import find_spec

    from bots.compiled.ready import is_prepared

    game, specs = tournament.game, tournament.bot_specs()
    if specs & COMPILED and find_spec("numba") and not is_prepared(find_game(game)):
        command = [sys.executable, "-m", "bots.compiled", game]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)  # noqa: S603 (our own)


def log_beside(db: str) -> Path:
    """Return the log's place: beside the database file, or here for a server's."""
    return Path("league.log") if "://" in db else Path(db).with_suffix(".log")


def _reachable(context: click.Context, option: click.Parameter, value: str) -> str:
    """Return the executor; raise `SetupError` before anything is stored where there is none."""
    if value != LOCAL:
        from league.tournament.executors import check_executor

        check_executor(value)
    return value


def run_options(function: click.decorators.FC) -> click.decorators.FC:
    """Add the options of everything that plays matches, the fields of `RunFlags`."""
    for option in reversed(
        (
            click.option(
                "--workers", type=click.IntRange(1, 1024), help="Worker processes [one per core]."
            ),
            click.option(
                "--executor",
                default=LOCAL,
                show_default=True,
                metavar="local|dask://HOST:PORT|pull://HOST:PORT",
                callback=_reachable,
                help="Where matches are played.",
            ),
            click.option(
                "--scale-time",
                is_flag=True,
                help="Scale time limits to the speed of each machine of 'league work'.",
            ),
            click.option(
                "--tls-cert",
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                metavar="FILE",
                help="Certificate of pull://, as PEM [plain HTTP].",
            ),
            click.option(
                "--tls-key",
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                metavar="FILE",
                help="Key of --tls-cert [in the same file].",
            ),
            click.option(
                "--starts",
                type=click.IntRange(1, 1024),
                help="Bots that can start at the same time [one per core].",
            ),
            click.option("--no-pin", is_flag=True, help="Do not pin each worker to one core."),
            click.option(
                "--wait",
                type=MOVE_TIME,
                metavar="DURATION",
                help="Pause of each worker between two matches [none].",
            ),
            click.option("--cpus", type=CPUS, metavar="LIST", help="Processors: 0-3,8 [all]."),
            click.option(
                "--engine-log",
                metavar="FILE",
                help="Log everything sent to and received from engines.",
            ),
            file_options,
            click.option("--log-file", metavar="FILE", help="The log [beside the database]."),
            click.option("--quiet", "-q", is_flag=True, help="No progress."),
            click.option(
                "--unattended", is_flag=True, help="Refuse to start unless bots are in the sandbox."
            ),
            click.option("--strict", is_flag=True, help="Stop at the first fault of a bot."),
            click.option(
                "--patience",
                type=DURATION,
                default="10m",
                show_default=True,
                help="How long to wait for a database that is locked or unreachable.",
            ),
            click.option(
                "--backup-every",
                type=DURATION,
                metavar="DURATION",
                help="Back up the database this often, to FILE.backup beside it.",
            ),
            click.option(
                "--webhook",
                metavar="URL",
                help="Notify this address when the tournament ends (POST, JSON).",
            ),
            click.option(
                "--webhook-secret-file",
                type=click.Path(dir_okay=False, path_type=Path),
                metavar="FILE",
                help="Sign webhook requests with the secret in FILE (HMAC-SHA256).",
            ),
        )
    ):
        function = option(function)
    return function


@contextmanager
def _sigterm_interrupts() -> Iterator[None]:
    """Let a SIGTERM end a run as a Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
