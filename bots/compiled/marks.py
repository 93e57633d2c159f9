"""Marks that say for which games numba's cache holds the search, read without importing numba.

A mark is a small JSON file, named by the game, this package's folder, the versions and the machine.
It holds the source digest, the kernel's own sources, and numba's folder. Without a valid mark, the
search counts as not compiled.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from bots.compiled.digest import digest, platform_now
from games.support.game import Game

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class CompilationMark:
    """What was compiled: a digest, the kernel's sources that it covers, and the cache's folder."""

    digest: int
    sources: tuple[str, ...]
    folder: str

    def holds(self) -> bool:
        """Tell whether nothing has changed; raise as `digest` does."""
        # Numba uses another folder if it may not write to this one.
        is_kept = os.access(self.folder, os.W_OK) and any(Path(self.folder).glob("*.nbi"))
        return is_kept and digest(self.sources) == self.digest


def find_mark(game: Game) -> CompilationMark | None:
    """Return the valid mark of a game; None if there is none."""
    for path in _places(game):
        try:
            told = json.loads(path.read_bytes())
            mark = CompilationMark(
                int(told["digest"]), tuple(map(str, told["sources"])), str(told["folder"])
            )
            if mark.holds():
                return mark
        except (OSError, ValueError, KeyError, TypeError, PackageNotFoundError):
            continue
    return None


def leave_mark(game: Game, mark: CompilationMark) -> bool:
    """Mark a game as compiled; tell whether there was a place to write to."""
    for path in _places(game):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Readers must see the whole file or none.
            fresh = path.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps(asdict(mark)))
            fresh.replace(path)
        except OSError:
            continue
        return True
    return False


def remove_mark(game: Game) -> None:
    """Remove a game's mark."""
    for path in _places(game):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue


def _places(game: Game) -> Iterator[Path]:
    """Yield the possible places of a game's mark; none without numba."""
    try:
        # The start position does not matter to the search: all openings share the compiled code.
        usual = game.starting_at("") if game.values.get("fen") else game
        about = "\n".join((usual.spec, str(_HERE), *platform_now()))
    except PackageNotFoundError:
        return
    name = f"{sha256(about.encode()).hexdigest()[:24]}.ready"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        yield Path(chosen) / name
        return
    yield _HERE / "__pycache__" / name
    # Path's own function raises if there is no home.
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    yield Path(base) / "botleague" / "compiled" / name
