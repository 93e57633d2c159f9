"""The files of a user's own game, for a machine that does not have them."""

from collections.abc import Mapping
from pathlib import Path

from games.support.references import is_file
from league.model.bot_files import room_fault
from league.model.errors import SetupError
from league.seats.process.environment import files_of_game
from league.seats.source_folder import write_files


def read_game_files(spec: str) -> dict[str, bytes]:
    """Return the files of a game by their paths in its folder; none for an installed game.

    Raises `SetupError` if they are too large, or elsewhere.
    """
    own = _own_file(spec)
    if own is None:
        return {}
    paths = [
        path
        for found in files_of_game(spec)
        for path in (sorted(found.rglob("*")) if found.is_dir() else [found])
        if path.is_file() and "__pycache__" not in path.parts
    ]
    outside = [path for path in paths if not path.is_relative_to(own.parent)]
    if outside:
        raise SetupError(
            f"the game {spec!r} names the file {str(outside[0])!r}, which is not in its folder: "
            "it is not sent to other machines"
        )
    size = sum(path.stat().st_size for path in paths)
    if fault := room_fault(len(paths), size):
        raise SetupError(f"the game {spec!r} can't be sent to other machines: {fault}")
    return {path.relative_to(own.parent).as_posix(): path.read_bytes() for path in paths}


def lay_out_game(spec: str, files: Mapping[str, bytes], folder: Path) -> str:
    """Write a game's files into a new folder, and return its spec there; raise `OSError`."""
    own = _own_file(spec)
    if own is None or not files:
        return spec
    write_files(folder, files)
    return f"{folder / own.name}{spec.removeprefix(str(own))}"


def _own_file(spec: str) -> Path | None:
    """Return the file of a user's own game; None for an installed one."""
    reference = spec.partition("?")[0]
    return Path(reference.rpartition(":")[0] or reference) if is_file(reference) else None
