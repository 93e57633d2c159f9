"""A whole class at once: a folder of submissions, or a roster in CSV."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from games.support.errors import InputError
from games.support.options import split_options
from games.support.specs import find_game
from league.model.bot_files import is_left_out
from league.model.document import Id, about, document
from league.model.errors import NameInUseError, SetupError, SpecError
from league.model.names import normal_name
from league.model.records import BotVersion, Isolation
from league.registration.bot_files import read_plain
from league.registration.register import Warnings, checked_name, register_version
from league.registration.source_snapshot import MARKS, Intake, take_path_snapshot, take_snapshot
from league.registration.trial import USUAL, TrialSetup
from league.store.store import Store

ROWS_MAX = 10_000
"""The most submissions of a folder or roster."""

COLUMNS = ("name", "bot", "games", "options")
"""The columns of a roster; the first two are needed."""


@dataclass(frozen=True, slots=True)
class ClassSubmission:
    """A bot to register: its name, and a path, else the spec of a bot that is in no file."""

    name: str
    source: Path | str
    games: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The file's name, or the spec."""
        return self.source.name if isinstance(self.source, Path) else self.source


@document("Submission", "bot source status version reason warnings")
@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The outcome of a submission of a class."""

    bot: str
    source: Annotated[str, about("the name of its file, or its spec")]
    status: Annotated[str, about("registered, unchanged or failed")]
    version: Annotated[Id | None, about("null if it failed")] = None
    reason: Annotated[str, about("reason for the failure, else empty")] = ""
    warnings: Warnings = ()

    @property
    def is_failed(self) -> bool:
        """Whether it was not registered."""
        return self.status == "failed"


def is_bot_folder(folder: Path) -> bool:
    """Whether a folder is one bot, and not a folder of bots: it says how it is started."""
    return any((folder / name).is_file() for name in MARKS)


def submissions_in(folder: Path) -> list[ClassSubmission]:
    """List the submissions in a folder by name: each file, folder and zip is a bot.

    Raises `SetupError` if there are none.
    """
    try:
        entries = [each for each in sorted(folder.iterdir()) if not is_left_out(Path(each.name))]
    except OSError as error:
        raise SetupError(f"folder {str(folder)!r} can't be read: {error.strerror}") from None
    found = [ClassSubmission(_name_of(each), each) for each in entries]
    return _bounded(found, str(folder))


def submissions_of(roster: Path) -> list[ClassSubmission]:
    """Read a roster: CSV with the columns `name` and `bot`, and perhaps `games` and `options`.

    A bot is a path from the roster's folder, else a spec. Raises `SetupError`.
    """
    try:
        text = read_plain(roster, str(roster)).decode("utf-8-sig")
    except SpecError as error:
        raise SetupError(f"roster {error}") from None
    except UnicodeDecodeError:
        raise SetupError(
            f"roster {str(roster)!r} is not UTF-8 text: save it as 'CSV UTF-8'"
        ) from None
    head, _, _ = text.partition("\n")
    # Spreadsheets of many countries write semicolons.
    delimiter = ";" if head.count(";") > head.count(",") else ","
    known = [each.strip().casefold() for each in head.split(delimiter)]
    rows = csv.DictReader(io.StringIO(text[len(head) + 1 :]), known, delimiter=delimiter)
    for column in COLUMNS[:2]:
        if column not in known:
            told = ", ".join(known) or "none"
            raise SetupError(
                f"roster {str(roster)!r} has no column {column!r} (found: {told}): its first line "
                f"names the columns, as in '{','.join(COLUMNS[:2])}'"
            )
    try:
        return _bounded([_of_row(row, roster.parent) for row in rows], str(roster))
    except csv.Error as error:
        raise SetupError(f"roster {str(roster)!r} line {rows.line_num + 1}: {error}") from None


def register_submissions(
    store: Store,
    submissions: Sequence[ClassSubmission],
    games: Sequence[str] = (),
    *,
    is_checked: bool = True,
    trial: TrialSetup = USUAL,
) -> Iterator[Submitted]:
    """Register each submission and yield what became of it; one that fails stops no other.

    `games` are those of bots whose roster names none. They are built at the
    isolation of the `trial`. Raises `InputError` if there is no such game.
    """
    for game in games:
        find_game(game)
    seen: dict[str, str] = {}
    for each in submissions:
        try:
            other = seen.setdefault(normal_name(each.name).casefold(), each.label)
            if other != each.label:
                raise NameInUseError(f"{other!r} has the same name, {each.name!r}", each.name)
            # Before a build, which takes long.
            checked_name(store, each.name)
            for game in each.games:
                find_game(game)
            found = register_version(
                store,
                _version(each, trial.isolation),
                games=each.games or games,
                is_checked=is_checked,
                trial=trial,
                may_change_form=True,
            )
        except (InputError, OSError) as error:
            yield Submitted(bot=each.name, source=each.label, status="failed", reason=str(error))
            continue
        yield Submitted(
            bot=found.version.name,
            source=each.label,
            status="registered" if found.is_new else "unchanged",
            version=found.version.number,
            warnings=found.warnings,
        )


def _version(each: ClassSubmission, isolation: Isolation) -> BotVersion:
    # A file of a stranger takes along no other that lies beside it.
    intake = Intake(isolation=isolation, is_alone=True)
    options = dict(each.options)
    if isinstance(each.source, str):
        return take_snapshot(each.name, each.source, options, None, intake)
    if each.source.is_symlink():
        raise SpecError(f"{each.label!r} is a link", each.label)
    return take_path_snapshot(each.name, each.source, options, intake)


def _of_row(row: Mapping[str, str | None], folder: Path) -> ClassSubmission:
    told = {column: (row.get(column) or "").strip() for column in COLUMNS}
    path = folder / told["bot"]
    source: Path | str = path if told["bot"] and (path.exists() or path.suffix) else told["bot"]
    try:
        options = split_options(told["options"], ",")
    except InputError as error:
        raise SetupError(f"roster: bot {told['name']!r}: {error}") from None
    return ClassSubmission(told["name"], source, tuple(told["games"].split()), options)


def _bounded(found: list[ClassSubmission], place: str) -> list[ClassSubmission]:
    if not found:
        raise SetupError(f"{place!r} holds no submissions")
    if len(found) > ROWS_MAX:
        raise SetupError(f"{place!r} holds more than {ROWS_MAX} submissions")
    return found


def _name_of(path: Path) -> str:
    """Return the name of a bot by its file or folder: spaces in it become hyphens."""
    return "-".join((path.name if path.is_dir() else path.stem).split())
