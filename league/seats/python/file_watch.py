"""The files that a bot reads though they are neither its own nor Python's."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

NAMES_MAX = 5
"""Maximum number of files to name."""

_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/dev", "/sys", "/run")
_PROJECT = Path(__file__).parents[3]
_OWN = tuple(str(_PROJECT / name) for name in ("bots", "games", "league"))
_MODULES = (".py", ".pyc", ".pth", ".so")


class FileWatch:
    """An audit hook that notes what is opened for reading (sys.addaudithook).

    It sees what Python's own functions open; a library in C can open files unseen.
    """

    def __init__(self, folder: Path | None) -> None:
        places = [
            sys.prefix,
            sys.base_prefix,
            *_SYSTEM,
            *_OWN,
            *filter(None, [os.environ.get("HOME")]),
        ]
        self._known = tuple(f"{place.rstrip('/')}/" for place in places)
        self._folder = f"{folder}/" if folder else None
        self._seen: list[str] = []
        self._told = 0

    def __call__(self, event: str, arguments: Sequence[object]) -> None:
        """Note a file that is opened; called by Python for every audited event."""
        if event != "open" or len(self._seen) >= NAMES_MAX:
            return
        path, flags = arguments[0], arguments[2]
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, str) or not isinstance(flags, int) or path.endswith(_MODULES):
            return
        if flags & os.O_ACCMODE == os.O_RDONLY and self._is_foreign(path):
            name = path.removeprefix(self._folder or "")
            if name not in self._seen:
                self._seen.append(name)

    def news(self) -> list[str]:
        """Return the files noted since the last call."""
        news = self._seen[self._told :]
        self._told = len(self._seen)
        return news

    def _is_foreign(self, path: str) -> bool:
        # Texts, in the hook of every open.  What the bot has written itself is there.
        if self._folder and path.startswith(self._folder):
            return not os.path.exists(path)  # noqa: PTH110
        if path.startswith(self._known):
            return False
        is_own = path.startswith(f"{os.environ.get('TMPDIR')}/") or not path.startswith("/")
        return not (is_own and os.path.exists(path))  # noqa: PTH110
