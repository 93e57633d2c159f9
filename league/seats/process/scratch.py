"""Scratch folders of runs and bots, removed at the next start if their owner was killed."""

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

PREFIX = "botleague-scratch-"


class ScratchFolder:
    """A folder that is locked for as long as its owner lives.

    The kernel releases the lock with its last holder: the owner, or a worker forked from it.
    """

    def __init__(self, parent: Path | None = None) -> None:
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            with suppress(FileNotFoundError):
                self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
                fcntl.flock(self._lock, fcntl.LOCK_EX)
                # Another start may have removed it before it was locked.
                if self.path.exists():
                    return
                os.close(self._lock)

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        _remove(self.path)
        os.close(self._lock)


def remove_abandoned() -> None:
    """Remove the folders in the system's temporary folder that this user's dead processes left."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            with suppress(OSError):
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    _remove(path)
            os.close(lock)


def _remove(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if path.exists():
        # A bot may have locked its folders.
        path.chmod(0o700)
        for parent, names, _ in os.walk(path):
            for each in (Path(parent, name) for name in names):
                if not each.is_symlink():
                    each.chmod(0o700)
        shutil.rmtree(path, ignore_errors=True)
