"""The files of matches that a run writes while it plays: PGN and the last positions."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from league.cli.console import note
from league.cli.option_types import PGN_PARTS
from league.model.errors import SetupError, UnavailableError

if TYPE_CHECKING:
    from league.api.tournament import Tournament
    from league.interchange.running_export import Target

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFiles:
    """The options that `file_options` adds to a command."""

    pgn: str | None = None
    pgn_with: tuple[str, ...] | None = None
    pgn_event: str | None = None
    pgn_site: str | None = None
    epd: str | None = None
    append: bool = False

    @property
    def words(self) -> str:
        """The same options for another command line, each after a space."""
        options = (
            ("--pgn", self.pgn),
            ("--pgn-with", self.pgn_with),
            ("--pgn-event", self.pgn_event),
            ("--pgn-site", self.pgn_site),
            ("--epd", self.epd),
        )
        given = [(name, value) for name, value in options if value]
        texts = [f" {name} {shlex.quote(_listed(value))}" for name, value in given]
        return "".join(texts) + " --append" * self.append


def _listed(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ",".join(value)


def how_pgn_is_written(function: F) -> F:
    """Add `--pgn-with`, `--pgn-event` and `--pgn-site`."""
    for option in (
        click.option("--pgn-site", metavar="TEXT", help="The tag Site in PGN [?]."),
        click.option("--pgn-event", metavar="TEXT", help="The tag Event [the tournament]."),
        click.option(
            "--pgn-with",
            type=PGN_PARTS,
            metavar="PARTS",
            help="Extra values in PGN: pv, nodes, nps, seldepth, hashfull, tbhits, latency, times, "
            "opening.",
        ),
    ):
        function = option(function)
    return function


def pgn_options(
    parts: tuple[str, ...] | None, event: str | None, site: str | None
) -> dict[str, bool | str]:
    """Return the options of the export that these options of the command ask for."""
    tags = {name: text for name, text in (("event", event), ("site", site)) if text}
    return {**dict.fromkeys(parts or (), True), **tags}


def file_options(function: F) -> F:
    """Add the options of files that grow while matches are played."""
    for option in (
        click.option("--append", is_flag=True, help="Append to the files of --pgn and --epd."),
        click.option("--epd", metavar="FILE", help="Write each match's final position."),
        how_pgn_is_written,
        click.option("--pgn", metavar="FILE", help="Write the matches as they end."),
    ):
        function = option(function)
    return function


def targets_of(options: MatchFiles, game: str) -> list["Target"]:
    """Return the files that a run writes; raise `SetupError` for one that it can't.

    Raises `UsageError` for an option that only says how to write one that is not given.
    """
    for word, value in (
        ("--pgn-with", options.pgn_with),
        ("--pgn-event", options.pgn_event),
        ("--pgn-site", options.pgn_site),
    ):
        if value and options.pgn is None:
            raise click.UsageError(f"{word} says how --pgn is written: give --pgn FILE")
    if options.append and options.pgn is None and options.epd is None:
        raise click.UsageError("--append adds to the files of --pgn and --epd: give one of them")
    if options.pgn is None and options.epd is None:
        return []
    from league.interchange.export_matches import configured
    from league.interchange.running_export import Target

    parts = pgn_options(options.pgn_with, options.pgn_event, options.pgn_site)
    wanted: Sequence[tuple[str | None, str, dict[str, bool | str]]] = (
        (options.pgn, "pgn", parts),
        (options.epd, "epd", {}),
    )
    targets = [Target(Path(file), configured(name, more)) for file, name, more in wanted if file]
    for target in targets:
        target.check(game)
    return targets


@contextmanager
def growing_files(tournament: "Tournament", options: MatchFiles) -> Iterator[Callable[[], None]]:
    """Give a function that writes what is new; at the end all the rest is written.

    A file that can't be written any more is given up with a warning: the run goes on.
    """
    targets = targets_of(options, tournament.game)
    if not targets:
        yield lambda: None
        return
    export = tournament.running_export(targets, appends=options.append)
    is_given_up = False

    def write(work: Callable[[], None]) -> None:
        nonlocal is_given_up
        try:
            if not is_given_up:
                work()
        except SetupError as error:
            is_given_up = True
            note(f"warning: {error}: 'league export {tournament.number}' writes all matches later")

    def look() -> None:
        # A database that is away for a while is the runner's to wait for.
        with suppress(UnavailableError):
            write(export.look)

    try:
        yield look
    finally:
        write(export.write)
