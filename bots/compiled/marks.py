"""Marks that keep the machine code of a game's loops, read without importing numba.

A mark is a small JSON file, named by the game, this package's folder, the versions and the machine.
It holds the source digest, the kernel's own sources, and the code with a checksum. Without a valid
mark, the loops count as not compiled.
"""

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from bots.compiled.digest import digest, platform_now
from bots.compiled.native import MachineCode
from games.support.game import Game

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class CompilationMark:
    """A compilation: its digest, the kernel's sources that it covers, and the loops by name."""

    digest: int
    sources: tuple[str, ...]
    code: Mapping[str, MachineCode]

    def text(self) -> str:
        """Write the mark."""
        code = {
            name: [each.symbol, b64encode(each.image).decode()] for name, each in self.code.items()
        }
        told = json.dumps([self.digest, self.sources, code])
        return f"{sha256(told.encode()).hexdigest()}\n{told}"

    @classmethod
    def read(cls, text: str) -> "CompilationMark":
        """Read a mark; raise `ValueError` if it is damaged: a processor trusts its code blindly."""
        checksum, _, told = text.partition("\n")
        if sha256(told.encode()).hexdigest() != checksum:
            raise ValueError("a damaged mark")
        number, sources, code = json.loads(told)
        loops = {
            name: MachineCode(symbol, b64decode(image)) for name, (symbol, image) in code.items()
        }
        return cls(number, tuple(sources), loops)


def find_mark(game: Game) -> CompilationMark | None:
    """Return the valid mark of a game; None if there is none."""
    for path in _places(game):
        try:
            mark = CompilationMark.read(path.read_text("ascii"))
            # Raised too if numba is missing.
            if digest(mark.sources) == mark.digest:
                return mark
        except (OSError, ValueError, PackageNotFoundError):
            continue
    return None


def leave_mark(game: Game, mark: CompilationMark) -> bool:
    """Mark a game as compiled; tell whether there was a place to write to."""
    for path in _places(game):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Readers must see the whole file or none.
            fresh = path.with_suffix(f".{os.getpid()}")
            fresh.write_text(mark.text(), "ascii")
            fresh.replace(path)
        except OSError:
            continue
        return True
    return False


def has_place(game: Game) -> bool:
    """Tell whether there is a place to keep a game's mark in, and make its folder."""
    for path in _places(game):
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if os.access(path.parent, os.W_OK | os.X_OK):
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
