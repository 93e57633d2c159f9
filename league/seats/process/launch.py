"""Starting a bot's process: environment variables, folder, limits and isolation."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from league.model.records import Isolation, Limits
from league.platform.family import CROWD
from league.seats.process.bot_process import BotProcess
from league.seats.process.bubblewrap import HOME, sandboxed
from league.seats.process.cgroup import BotGroup
from league.seats.process.environment import BotEnvironment
from league.seats.process.namespace import why_no_namespace
from league.seats.process.rlimits import ProcessLimits, process_room
from league.seats.process.scratch import ScratchFolder

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
_OWN_PLACES = ("HOME", "TMPDIR")
# Caches of the compiled search: a bot that could write there could change what others run.
_CACHES = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
# Version-manager shims are beside the versions they choose from.
_BINS = ("bin", "shims")
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True, kw_only=True)
class BotCommand:
    """The command of a bot's process, in `folder` or in a scratch folder of its own.

    `readable` are files and folders it needs besides the system's; `python_path` is the module path
    if it is a Python of ours. `is_trusted` code is ours: it needs no sandbox and keeps its home for
    the caches there.
    """

    words: Sequence[str]
    folder: Path | None = None
    readable: Sequence[Path] = ()
    python_path: Sequence[str] = ()
    is_trusted: bool = False


def launch(command: BotCommand, limits: Limits, environment: BotEnvironment) -> BotProcess:
    """Start a bot's process; raise `OSError` if it can't be started."""
    level = limits.isolation
    if command.is_trusted and level is Isolation.SANDBOX:
        level = Isolation.LIMITS
    # Our Python limits its own address space once it knows how much it has to load.
    data_mb = None if command.python_path else limits.memory_mb
    if level is Isolation.NONE:
        env = _environment(command.python_path)
        folder = command.folder or Path("/")
        watched_mb = limits.memory_mb if command.python_path else None
        process_limits = ProcessLimits(core=environment.core, memory_mb=watched_mb)
        return BotProcess(command.words, env, folder, process_limits)
    process_limits = ProcessLimits.within(
        data_mb, process_room() if level is Isolation.LIMITS else None
    )
    process_limits = replace(process_limits, core=environment.core, memory_mb=limits.memory_mb)
    if environment.groups and not command.is_trusted:
        group = BotGroup.made(environment.groups, limits.memory_mb, CROWD)
        process_limits = replace(process_limits, group=group)
    start = _within_limits if level is Isolation.LIMITS else _in_sandbox
    try:
        return start(command, process_limits, environment)
    except BaseException:
        if process_limits.group:
            process_limits.group.remove()
        raise


def _within_limits(
    command: BotCommand, process_limits: ProcessLimits, environment: BotEnvironment
) -> BotProcess:
    scratch = ScratchFolder(environment.scratch)
    env = _environment(command.python_path, None if command.is_trusted else str(scratch.path))
    if environment.allows_namespaces and not command.is_trusted and not why_no_namespace():
        process_limits = replace(process_limits, is_apart=True)
    try:
        folder = command.folder or scratch.path
        return BotProcess(command.words, env, folder, process_limits, scratch)
    except BaseException:
        scratch.remove()
        raise


def _in_sandbox(
    command: BotCommand, process_limits: ProcessLimits, environment: BotEnvironment
) -> BotProcess:
    words, search = command.words, command.python_path
    seen = [*command.readable, *environment.readable, *homes_of(words[0])]
    if search:
        seen += [path for folder in search for path in _modules_in(Path(folder), environment)]
        seen += [Path(sys.prefix), Path(sys.base_prefix)]
    return BotProcess(
        lambda extra: sandboxed(
            words, command.folder, readable=seen, hidden=environment.hidden, extra=extra
        ),
        _environment(search, HOME, "/tmp"),  # noqa: S108 (the sandbox's own)
        Path("/"),
        process_limits,
    )


def _modules_in(folder: Path, environment: BotEnvironment) -> list[Path]:
    """List what a bot sees of a folder of the module path.

    Beside the database, where a script may stand that plays a tournament, it sees modules alone.
    """
    if not any(path.is_relative_to(folder.resolve()) for path in environment.hidden):
        return [folder]
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    return [each for each in entries if each.suffix == ".py" or (each / "__init__.py").is_file()]


def python_path() -> list[str]:
    """List this process's module path, so that bots named by module are found too."""
    return [each for each in sys.path if each]


def _environment(
    search: Sequence[str], home: str | None = None, temporary: str | None = None
) -> dict[str, str]:
    """Return a bot's environment variables, with the user's folders or its own `home`."""
    passed_on = _PASSED_ON if home else (*_PASSED_ON, *_OWN_PLACES, *_CACHES)
    env = {name: os.environ[name] for name in passed_on if name in os.environ}
    if home:
        env.update(HOME=home, TMPDIR=temporary or home)
    if search:
        env["PYTHONPATH"] = os.pathsep.join(search)
    # Makes sets of strings iterate alike everywhere: the same seed gives the same moves.
    env["PYTHONHASHSEED"] = "0"
    env.update(dict.fromkeys(_ONE_THREAD, "1"))
    return env


def homes_of(program: str, depth: int = 3) -> list[Path]:
    """List what a program needs: the folder around its bin, and its interpreter.

    Never includes the user's home or its parents. `depth` bounds chains of interpreter scripts.
    """
    home = Path.home()
    found = []
    for path in (Path(program), Path(program).resolve()):
        prefix = path.parent.parent
        if path.parent.name in _BINS and not home.is_relative_to(prefix):
            found.append(prefix)
    interpreter = _interpreter_of(program)
    if interpreter and depth:
        found += [Path(interpreter), *homes_of(interpreter, depth - 1)]
    return found


def _interpreter_of(program: str) -> str | None:
    """Return the interpreter in a script's first line; None if it is no script."""
    try:
        with Path(program).open("rb") as file:
            first = file.readline(256)
    except OSError:
        return None
    words = first[2:].decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    if len(words) > 1 and Path(words[0]).name == "env":
        names = (word for word in words[1:] if not word.startswith("-") and "=" not in word)
        return shutil.which(next(names, ""))
    return words[0] if words else None
