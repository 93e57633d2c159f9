"""Snapshots of bots: resolving a spec from the command line to its sources."""

import ast
import hashlib
import importlib.util
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from bots.support.specs import BOTS, is_built_in
from games.support.errors import UnknownNameError, suggestion
from games.support.options import options_of, parse_options, split_options
from games.support.references import split_reference
from league.model.errors import SpecError
from league.model.records import BotVersion
from league.registration.live_source import LiveBot, source_of
from league.seats.bot_specs import protocol_of
from league.seats.engine.engine_seat import command_of, is_file, is_program, program_of

FILES_MAX = 200
"""A bot with more local modules is a project that should be installed."""


def take_snapshot(
    name: str, spec: str, options: dict[str, str], folder: Path | None = None
) -> BotVersion:
    """Return the version that `spec` names, with `options`.

    `iterative:depth=6` is a built-in bot with options; `mine.py` or `mine.py:MyBot` a file, stored
    with the local modules it imports; `package.module:MyBot` an installed module; `uci:stockfish` a
    protocol and a command line, which runs in `folder` (None: the current one). Raises `SpecError`
    or `OptionError`.
    """
    if protocol_of(spec):
        return _of_command(name, spec, options, (folder or Path.cwd()).resolve())
    if folder is not None:
        raise SpecError(f"{spec!r} is no command, and a folder is for commands alone", spec)
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
    if target.endswith(".py") or "/" in target or Path(target).is_file():
        return _of_file(
            name=name, spec=spec, path=Path(target), attribute=attribute, options=options
        )
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
    files, spec = {path: source}, f"{path}:{bot.__name__}"
    return BotVersion(name, spec, options=options, files=files, digest=_digest(files))


def _of_catalogue(name: str, head: str, options: dict[str, str]) -> BotVersion:
    bot = BOTS.find(head)
    parse_options(options_of(bot), options, f"bot {head}")
    source = Path(sys.modules[bot.__module__].__file__ or "")
    return BotVersion(name, head, options=options, digest=_digest({head: source.read_text()}))


def _of_command(name: str, spec: str, options: dict[str, str], folder: Path) -> BotVersion:
    if not folder.is_dir():
        raise SpecError(f"no folder {str(folder)!r} to run {spec!r} in", spec)
    version = BotVersion(name, spec, options=options, folder=str(folder))
    return replace(version, digest=command_digest(version))


def command_digest(version: BotVersion) -> str:
    """Return a command's hex SHA-256 over program and named files; raise `SpecError` if missing."""
    spec, folder = version.spec, Path(version.folder)
    try:
        words = command_of(spec)
    except ValueError as error:
        raise SpecError(f"{spec!r} is no command line: {error}", spec) from None
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
    """Return why a command differs from the registered one; '' if unchanged or not a command."""
    if not protocol_of(version.spec):
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


def _of_file(
    *, name: str, spec: str, path: Path, attribute: str, options: dict[str, str]
) -> BotVersion:
    if path.is_dir():
        path = _bot_in(path, spec)
    if not path.is_file():
        near = suggestion(path.name, [each.name for each in path.parent.glob("*.py")])
        raise SpecError(f"no file {str(path)!r}{near}", spec)
    files = {path.name: _read(path, spec)}
    _add_local_imports(files, path, path.parent, spec)
    own = f"{path.name}:{attribute}" if attribute else path.name
    return BotVersion(name, own, options=options, files=files, digest=_digest(files))


def _bot_in(folder: Path, spec: str) -> Path:
    """Return the bot's file in a folder: `bot.py`, `main.py` or the only Python file."""
    files = sorted(folder.glob("*.py"))
    usual = [folder / name for name in ("bot.py", "main.py") if folder / name in files]
    if usual or len(files) == 1:
        return [*usual, *files][0]
    raise SpecError(
        f"{str(folder)!r} is a folder without bot.py or main.py: give the bot's file, "
        "FOLDER/FILE.py",
        spec,
    )


def _of_module(name: str, spec: str, target: str, options: dict[str, str]) -> BotVersion:
    # Users expect modules of the current folder, which console scripts do not search.
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    path = _module_file(target)
    if path is None:
        raise _unknown(spec)
    return BotVersion(name, spec, options=options, digest=_digest({target: _read(path, spec)}))


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


def _add_local_imports(files: dict[str, str], path: Path, root: Path, spec: str) -> None:
    """Add the local modules that `path` imports, recursively."""
    text = files[str(path.relative_to(root))]
    try:
        tree = ast.parse(text, path.name)
    except (SyntaxError, ValueError) as error:
        line = f" line {error.lineno}" if isinstance(error, SyntaxError) else ""
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise SpecError(f"{path.name}{line}: {reason}", spec) from None
    for dotted in sorted(_imported(tree)):
        for found in _local_files(root, dotted):
            relative = str(found.relative_to(root))
            if relative in files:
                continue
            if len(files) >= FILES_MAX:
                raise SpecError(
                    f"{path.name} imports more than {FILES_MAX} files beside it: "
                    "install them as a package and register PACKAGE.MODULE:NAME",
                    spec,
                )
            files[relative] = _read(found, spec)
            _add_local_imports(files, found, root, spec)


def _imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.name for alias in node.names)
    return names


def _local_files(root: Path, dotted: str) -> list[Path]:
    """List the files under `root` that importing `dotted` would run."""
    found: list[Path] = []
    folder = root
    for part in dotted.split("."):
        for candidate in (folder / part / "__init__.py", folder / f"{part}.py"):
            if candidate.is_file():
                found.append(candidate)
        folder = folder / part
    return found


def _read(path: Path, spec: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(f"{path.name} is not UTF-8 text (byte {error.start})", spec) from None
    except OSError as error:
        raise SpecError(f"{path.name} can't be read: {error.strerror}", spec) from None


def _digest(files: dict[str, str]) -> str:
    whole = hashlib.sha256()
    for name, text in sorted(files.items()):
        for part in (name, text):
            data = part.encode()
            whole.update(len(data).to_bytes(8) + data)
    return whole.hexdigest()


def _unknown(spec: str) -> Exception:
    head = spec.partition(":")[0]
    error = UnknownNameError("bot", head, BOTS.names())
    return SpecError(
        f"{error}; a file is given as FILE.py or FILE.py:NAME, a module as MODULE:NAME", spec
    )
