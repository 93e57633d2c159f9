"""The bubblewrap command line: the system read-only, the bot's files, and nothing else."""

import itertools
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from league.seats.process.orphans import starter_options
from league.seats.process.rooms import ROOM_BYTES, ROOMS

PROGRAM = "bwrap"

HOME = "/tmp/home"  # noqa: S108 (the sandbox's own, a tmpfs)
_FIRST_USER = 0x7000_0000
"""The first user ID for bots; systems assign none so high."""

_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = (
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf"),
    *("java-11-openjdk", "java-17-openjdk", "java-21-openjdk"),
)

_READ_ONLY = ("/", "/dev", "/proc")
"""In /proc, a bot could take back that it is killed first when memory runs out."""

_HOSTS = Path(__file__).with_name("hosts")
"""The names of a network with nothing but this machine's loopback."""

_users = itertools.count()


def sandboxed(
    command: Sequence[str],
    folder: Path | None,
    *,
    readable: Sequence[Path],
    hidden: Sequence[Path] = (),
    extra: Sequence[str] = (),
) -> list[str]:
    """Return the command line that runs `command` sandboxed in `folder` (None: a scratch folder).

    `readable` are visible files and folders besides the system's. `hidden` paths, and those that
    begin with them, are invisible everywhere. `extra` are more bubblewrap options. The first
    process inside is bubblewrap's: no signal from inside can end it, and the kernel ends all others
    with it.
    """
    seen = _outermost(readable)
    is_own_user = os.geteuid() == 0 and all(map(_is_public, seen))
    return [
        PROGRAM,
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session"),
        *starter_options(),
        *("--cap-drop", "ALL"),
        *(("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if is_own_user else ()),
        *(() if is_own_user else ("--unshare-user",)),
        *_system(),
        *_way_to(seen),
        *itertools.chain.from_iterable(_bound(path, hidden, readable) for path in seen),
        *extra,
        *("--chdir", str(folder or HOME)),
        *itertools.chain.from_iterable(("--remount-ro", place) for place in _READ_ONLY),
        "--",
        *(_as_own_user() if is_own_user else ()),
        *command,
    ]


def _as_own_user() -> list[str]:
    """Return a prefix to run as a unique user: RLIMIT_NPROC counts by user, and never root's."""
    number = _FIRST_USER + (os.getpid() % (1 << 20)) * 128 + next(_users) % 128
    user = ("--reuid", str(number), "--regid", str(number), "--clear-groups")
    return ["setpriv", *user, "--"]


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for place in _SYSTEM:
        path = Path(place)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), place)
        elif path.is_dir():
            yield from ("--ro-bind", place, place)
    yield from ("--perms", "0755", "--dir", "/etc")
    for name in _ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    yield from ("--ro-bind", str(_HOSTS), "/etc/hosts")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for place in ROOMS:
        yield from ("--perms", "1777", "--size", str(ROOM_BYTES), "--tmpfs", place)
    yield from ("--perms", "1777", "--dir", HOME)


def _way_to(paths: Sequence[Path], below: Path = Path("/")) -> Iterator[str]:
    """Yield options that create the folders from `below` to the paths, for the bot's user."""
    for folder in sorted({parent for path in paths for parent in path.parents} - {below}):
        is_below = folder.is_relative_to(below)
        if is_below and str(folder) not in ("/tmp", "/dev"):  # noqa: S108 (the sandbox's own)
            yield from ("--perms", "0755", "--dir", str(folder))


def _bound(path: Path, hidden: Sequence[Path], readable: Sequence[Path]) -> Iterator[str]:
    """Yield options that expose `path` without its hidden parts.

    Of the folder of a hidden file, only what is `readable` itself is seen.
    """
    inside = [each for each in hidden if each.is_relative_to(path) and each != path]
    beside = [each.name for each in inside if each.parent == path]
    if beside:
        # One by one, so that files the database creates later are hidden too.
        yield from ("--perms", "0755", "--dir", str(path))
        for entry in sorted(path.iterdir()):
            if not entry.name.startswith(tuple(beside)):
                yield from _bound(entry, hidden, readable)
        return
    if path.is_symlink():
        yield from ("--symlink", str(path.readlink()), str(path))
        return
    yield from ("--ro-bind", str(path), str(path))
    for folder in _outermost([each.parent for each in inside]):
        asked = _outermost(_inside(folder, readable))
        yield from ("--tmpfs", str(folder))
        yield from _way_to(asked, below=folder)
        for each in asked:
            yield from _bound(each, hidden, readable)
        yield from ("--remount-ro", str(folder))


def _inside(folder: Path, paths: Sequence[Path]) -> list[Path]:
    places = (place for path in paths for place in (path.absolute(), path.resolve()))
    return [each for each in places if each.is_relative_to(folder) and ".." not in each.parts]


def _outermost(paths: Sequence[Path]) -> list[Path]:
    """Return the outermost paths outside the system, each with the target of its links."""
    wanted = {place for path in paths for place in (path.absolute(), path.resolve())}
    system = [Path("/usr"), *map(Path, _SYSTEM)]
    found: list[Path] = []
    for path in sorted(wanted - {Path("/")}):
        # A symlinked /bin must not be created a second time as the folder around /bin/sh.
        is_known = any(map(path.is_relative_to, (*system, *found)))
        if not is_known and path.exists():
            found.append(path)
    return found


def _is_public(path: Path) -> bool:
    """Whether any user may read `path` and, in a folder, its entries."""
    try:
        entries = [path, *(path.iterdir() if path.is_dir() else ())]
        return all(map(_is_open, entries))
    except OSError:
        return False


def _is_open(path: Path) -> bool:
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        return mode & 0o005 == 0o005
    return stat.S_ISLNK(mode) or bool(mode & 0o004)
