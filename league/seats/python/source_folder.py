"""The files of a registered bot, written to disk for its process to import."""

import os
import tempfile
from pathlib import Path

from league.model.records import BotVersion


def lay_out(version: BotVersion) -> Path:
    """Return the folder with the version's files, written once per digest; raise `OSError`."""
    home = cache_folder()
    folder = home / version.digest
    if folder.is_dir():
        return folder
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        fresh = Path(scratch) / "files"
        for name, text in version.files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        try:
            fresh.rename(folder)
        except OSError:
            # Another worker was first, with the same files.
            if not folder.is_dir():
                raise
    return folder


def cache_folder() -> Path:
    """Return the folder of all snapshots: `$XDG_CACHE_HOME/botleague/versions`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "botleague" / "versions"
