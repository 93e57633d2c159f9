"""Snapshots of bots: resolving a spec from the command line to its sources."""

import hashlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from bots.support.specs import BOTS, is_built_in
from games.support.errors import OptionError, UnknownNameError, suggestion
from games.support.local_modules import files_of_import
from games.support.options import options_of, parse_options, split_options
from games.support.references import split_reference
from league.model.bot_files import FILES_BYTES, FILES_MAX, files_digest, path_fault, room_fault
from league.model.errors import SpecError
from league.model.records import BotVersion, Isolation
from league.registration.bot_files import read_folder, read_plain
from league.registration.build import RUN, built, recipe_of
from league.registration.live_source import LiveBot, source_of
from league.registration.reader import ReadKind, SandboxReader
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import kind_of, protocol_of
from league.seats.engine.engine_seat import command_of, is_file, is_program, program_of
from league.seats.language_model.api import APIS
from league.seats.language_model.prompt import template_of
from league.seats.language_model.settings import TEMPLATE_FILE, ModelSettings
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.python.axelrod_bot import MISSING, PACKAGE
from league.seats.server.address import address_of
from league.seats.server.options import ServerOptions

ENTRIES = ("bot.py", "main.py")
"""The names of a Python bot's own file in a folder."""

MARKS = (*ENTRIES, RUN, "Makefile", "Cargo.toml", "package.json")
"""The files that say how a folder is a bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """The rules for copying a bot's files.

    `data` are files and folders to stand beside a Python file. The bot is read, and one of another
    language built, under `isolation` in an `environment`. If it `is_alone`, no modules beside its
    file are taken: they are other bots. `own` is the Python file of a folder that is the bot, ''
    for bot.py or main.py, and `attribute` its class or function, '' for the one that is there.
    """

    data: Sequence[Path] = ()
    isolation: Isolation = Isolation.AUTO
    environment: BotEnvironment = NO_ENVIRONMENT
    is_alone: bool = False
    own: str = ""
    attribute: str = ""

    @property
    def reader(self) -> SandboxReader:
        """The reader of the bot's files."""
        return SandboxReader(self.isolation, self.environment)


USUAL = Intake()


def take_snapshot(
    name: str,
    spec: str,
    options: dict[str, str],
    folder: Path | None = None,
    intake: Intake = USUAL,
) -> BotVersion:
    """Return the version that `spec` names, with `options`.

    `iterative:depth=6` is a built-in bot with options; `mine.py` or `mine.py:MyBot` a file, stored
    with the local modules it imports; `mine/` or `mine.zip` a folder, stored whole and built if it
    is in another language; `package.module:MyBot` an installed module; `uci:stockfish` a protocol
    and a command line, which runs in `folder` (None: the current one); `http://localhost:8000` a
    web server; `llm:gpt-5` a language model. Raises `SpecError` or `OptionError`.
    """
    kind = kind_of(spec)
    if kind is BotKind.PROGRAM:
        version = _of_command(name, spec, options, (folder or Path.cwd()).resolve())
    elif folder is not None:
        raise SpecError(f"{spec!r} is not a command: --folder is for commands only", spec)
    elif kind is BotKind.SERVER or "://" in spec:
        version = _of_server(name, spec, options)
    elif kind is BotKind.MODEL:
        version = _of_model(name, spec, options)
    else:
        version = _of_python(name, spec, options, intake)
    if intake.data and (not version.files or protocol_of(version.spec)):
        raise SpecError(f"{spec!r} is not a Python file: only Python files take data files", spec)
    return version


def take_path_snapshot(
    name: str, path: Path, options: dict[str, str], intake: Intake = USUAL
) -> BotVersion:
    """Return the version that a file, folder or zip is; raise `SpecError`.

    Unlike a spec, a path is never read as anything else, whatever it is called.
    """
    return _of_path(BotVersion(name, path.name, options=options), path, "", intake)


def take_files_snapshot(
    name: str, files: Mapping[str, bytes], source: str, options: dict[str, str], intake: Intake
) -> BotVersion:
    """Return the version that the files of a folder are; `source` is the folder's name in errors.

    Raises `SpecError`.
    """
    found = BotVersion(name, source, options=options)
    return _of_folder(found, dict(files), intake.attribute, intake)


def local_files(path: Path) -> dict[str, bytes]:
    """Return a Python file and the modules beside it that it imports; raise `SpecError`."""
    return _with_imports(path, str(path), USUAL.reader)


def _of_python(name: str, spec: str, options: dict[str, str], intake: Intake) -> BotVersion:
    """Return the version of a spec without a protocol, which may be a folder to build."""
    head, _, tail = spec.partition(":")
    if is_built_in(head):
        return _of_catalogue(name, head, {**split_options(tail, ","), **options})
    if reference := BOTS.reference(head):
        target, _ = split_reference(reference)
        if _module_file(target) is None:
            why = f"there is no module {target!r}"
            raise SpecError(f"bot {head!r} of an installed package does not load: {why}", spec)
        return _of_module(name, reference, target, {**split_options(tail, ","), **options})
    target, attribute = split_reference(spec)
    path = Path(target)
    is_package = (path / "__init__.py").is_file()
    if target.endswith((".py", ".zip")) or "/" in target or path.is_file():
        return _of_path(BotVersion(name, spec, options=options), path, attribute, intake)
    if path.is_dir() and not is_package:
        return _of_path(BotVersion(name, spec, options=options), path, attribute, intake)
    if all(part.isidentifier() for part in target.split(".")):
        return _of_module(name, spec, target, options)
    raise _unknown(spec)


def take_live_snapshot(name: str, bot: LiveBot, options: dict[str, str]) -> BotVersion:
    """Return the version that a function or class of this process is, with its source as a file.

    Raises `SpecError` if its source can't be found or needs what can't be written down.
    """
    source = source_of(bot)
    # Of a name that no module has, so that the bot's own imports find what they mean.
    path = f"{bot.__name__}_bot.py"
    files, spec = {path: source.encode()}, f"{path}:{bot.__name__}"
    return BotVersion(name, spec, options=options, files=files, digest=files_digest(files))


def _of_catalogue(name: str, head: str, options: dict[str, str]) -> BotVersion:
    bot = BOTS.find(head)
    parse_options(options_of(bot), options, f"bot {head}")
    source = Path(sys.modules[bot.__module__].__file__ or "")
    return BotVersion(name, head, options=options, digest=files_digest({head: source.read_bytes()}))


def _of_command(name: str, spec: str, options: dict[str, str], folder: Path) -> BotVersion:
    if not folder.is_dir():
        raise SpecError(f"no folder {str(folder)!r} to run {spec!r} in", spec)
    version = BotVersion(name, spec, options=options, folder=str(folder))
    return replace(version, digest=command_digest(version))


def _of_server(name: str, spec: str, options: dict[str, str]) -> BotVersion:
    """Return the version of a web server, of which nothing but its address can be kept."""
    url = address_of(spec)
    ServerOptions.read(options)
    return BotVersion(name, url, options=options, digest=hashlib.sha256(url.encode()).hexdigest())


def _of_model(name: str, spec: str, options: dict[str, str]) -> BotVersion:
    """Return the version of a language model, with its template; the key is not part of it."""
    if not spec.partition(":")[2].strip():
        raise SpecError(f"{spec!r}: expected the name of a model, as in llm:gpt-5", spec)
    settings = ModelSettings.of(options)
    ending = f"/{APIS.find(settings.api).path}"
    if settings.url.rstrip("/").endswith(ending):
        raise OptionError(f"option url: leave out {ending} at its end, the league adds it", "url")
    options, files = dict(options), {}
    if settings.template:
        path = Path(settings.template)
        files[TEMPLATE_FILE] = read_plain(path, spec)
        template_of(files)
        options["template"] = path.name
    if settings.key_file:
        options["key-file"] = str(Path(settings.key_file).resolve())
    digest = files_digest({"spec": spec.encode(), **files})
    return BotVersion(name, spec, options=options, files=files, digest=digest)


def command_digest(version: BotVersion) -> str:
    """Return a command's hex SHA-256 over program and named files; raise `SpecError` if missing."""
    spec, folder = version.spec, Path(version.folder)
    try:
        words = command_of(spec)
    except ValueError as error:
        raise SpecError(f"{spec!r} is not a command line: {error}", spec) from None
    program = program_of(words[0], folder)
    if program is None:
        place = f"in {str(folder)!r}" if "/" in words[0] else "on the path"
        raise SpecError(f"no program {words[0]!r} {place}", spec)
    if not is_program(program):
        raise SpecError(
            f"{str(program)!r} is not executable: chmod +x it, or name its interpreter before it",
            spec,
        )
    whole = hashlib.sha256()
    for path in (program, *(folder / word for word in words[1:])):
        try:
            if is_file(path):
                found = path.stat()
                whole.update(_file_digest(path, found.st_size, found.st_mtime_ns, found.st_ino))
        except OSError as error:
            raise SpecError(f"{str(path)!r} can't be read: {error.strerror}", spec) from None
    return whole.hexdigest()


@lru_cache(maxsize=256)
def _file_digest(path: Path, size: int, mtime_ns: int, inode: int) -> bytes:
    """Return a file's SHA-256, cached by stat: engines have 100 MB and are read repeatedly."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def command_changed(version: BotVersion) -> str:
    """Return why a command differs from the registered one; '' if unchanged, kept or no command."""
    if version.files or kind_of(version.spec) is not BotKind.PROGRAM:
        return ""
    try:
        is_same = command_digest(version) == version.digest
    except SpecError as error:
        return f"bot {version.name!r} can't be run as it was registered: {error}"
    if is_same:
        return ""
    return (
        f"the program of bot {version.name!r}, or a file that its command names, has changed since "
        "it was registered"
    )


def _of_path(found: BotVersion, path: Path, attribute: str, intake: Intake) -> BotVersion:
    """Return the version of a Python file, a folder or a zip; `found` has all but the files."""
    spec = found.spec
    if path.is_dir():
        return _of_folder(found, read_folder(path, spec), attribute, intake)
    if not path.is_file():
        near = suggestion(path.name, [each.name for each in path.parent.glob("*.py")])
        raise SpecError(f"no file {str(path)!r}{near}", spec)
    if fault := path_fault(path.name):
        raise SpecError(fault, spec)
    if path.suffix == ".zip":
        packed = {path.name: read_plain(path, spec)}
        return _of_folder(found, intake.reader.read(ReadKind.ZIP, packed, spec), attribute, intake)
    if path.suffix != ".py":
        raise SpecError(
            f"{path.name!r} is not a Python file, zip or folder: give a program as "
            "exec:COMMAND, or as a folder with a Makefile, Cargo.toml, package.json or a script "
            "'run'",
            spec,
        )
    if intake.is_alone:
        files = {path.name: read_plain(path, spec)}
        intake.reader.read(ReadKind.PYTHON, files, spec)
    else:
        files = _with_imports(path, spec, intake.reader)
    _add_data(files, intake.data, spec)
    return _kept(found, files, attribute)


def _of_folder(
    found: BotVersion, files: dict[str, bytes], attribute: str, intake: Intake
) -> BotVersion:
    """Return the version of a whole folder: a program that it builds, or a Python bot."""
    spec = found.spec
    if intake.own and intake.own not in files:
        raise SpecError(f"{spec!r} has no file {intake.own!r}", spec)
    own = intake.own or next((name for name in ENTRIES if name in files), "")
    is_python = bool(intake.own) or (bool(own) and RUN not in files)
    recipe = None if is_python else recipe_of(files, spec, intake.reader)
    if recipe is not None:
        if attribute:
            raise SpecError(f"{attribute!r} names a part of a Python file, and there is none", spec)
        files = built(files, recipe, spec, intake.reader)
        return replace(found, spec=recipe.spec, files=files, digest=files_digest(files))
    modules = [name for name in files if name.endswith(".py") and "/" not in name]
    if not own and len(modules) != 1:
        raise SpecError(
            f"{spec!r} is a folder without {', '.join(sorted(MARKS))}: call the bot's file bot.py, "
            "or give FOLDER/FILE.py",
            spec,
        )
    own = own or modules[0]
    files = {own: files[own], **files}
    intake.reader.read(ReadKind.PYTHON, {own: files[own]}, spec)
    _add_data(files, intake.data, spec)
    return _kept(found, files, attribute)


def _kept(found: BotVersion, files: dict[str, bytes], attribute: str) -> BotVersion:
    """Return the version of a Python bot whose own file is the first."""
    own = next(iter(files))
    spec = f"{own}:{attribute}" if attribute else own
    return replace(found, spec=spec, files=files, digest=files_digest(files))


def _add_data(files: dict[str, bytes], data: Sequence[Path], spec: str) -> None:
    """Add data files, and the files of data folders, beside the bot's own file."""
    for path in data:
        if path.is_dir():
            under = {f"{path.name}/{name}": each for name, each in read_folder(path, spec).items()}
        else:
            under = {path.name: read_plain(path, spec)}
        for name, content in under.items():
            size = sum(map(len, files.values())) + len(content)
            if fault := path_fault(name) or room_fault(len(files) + 1, size):
                raise SpecError(f"{str(path)!r} can't be added: {fault}", spec)
            if files.get(name, content) != content:
                raise SpecError(f"{str(path)!r} can't be added: the bot has another {name!r}", spec)
            files[name] = content


def _of_module(name: str, spec: str, target: str, options: dict[str, str]) -> BotVersion:
    # Users expect modules of the current folder, which console scripts do not search.
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    path = _module_file(target)
    if path is None and target == PACKAGE:
        raise SpecError(f"{spec!r} {MISSING}", spec)
    if path is None:
        raise _unknown(spec)
    return BotVersion(name, spec, options=options, digest=files_digest({target: path.read_bytes()}))


def _module_file(target: str) -> Path | None:
    """Return a module's file or None; raise `SpecError` if its package does not load."""
    try:
        found = importlib.util.find_spec(target)
    except (ImportError, ValueError):
        return None
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        # This imports only the package; the module itself is imported in the bot's process.
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise SpecError(f"module {target!r} does not load: {why}", target) from None
    if found is None or found.origin is None or not Path(found.origin).is_file():
        return None
    return Path(found.origin)


def _with_imports(path: Path, spec: str, reader: SandboxReader) -> dict[str, bytes]:
    """Return a Python file and the modules beside it that it imports, recursively."""
    root = path.parent
    files = new = {path.name: read_plain(path, spec)}
    while new:
        told = reader.read(ReadKind.PYTHON, new, spec)
        names = {line for text in told.values() for line in text.decode("utf-8", "replace").split()}
        beside = {found for name in sorted(names) for found in files_of_import(root, name)}
        more = sorted(each for each in beside if each.relative_to(root).as_posix() not in files)
        if len(files) + len(more) > FILES_MAX:
            raise SpecError(
                f"{path.name} imports more than {FILES_MAX} files beside it: "
                "install them as a package and register PACKAGE.MODULE:NAME",
                spec,
            )
        room = FILES_BYTES - sum(map(len, files.values()))
        new = {}
        for each in more:
            new[each.relative_to(root).as_posix()] = data = read_plain(each, spec, room)
            room -= len(data)
        files = {**files, **new}
    return files


def _unknown(spec: str) -> Exception:
    head = spec.partition(":")[0]
    error = UnknownNameError("bot", head, BOTS.names())
    return SpecError(
        f"{error}; a file is given as FILE.py or FILE.py:NAME, a module as "
        "MODULE:NAME, a web server as http://HOST:PORT",
        spec,
    )
