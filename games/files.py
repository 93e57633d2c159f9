"""Texts that a game is played by: those shipped with it by name, and a user's own by path."""

from pathlib import Path

from games.errors import PositionError, suggestion

_SIZE_MAX = 1 << 20


def find_text(kind: str, folder: str, name: str) -> tuple[str, str]:
    """Return the canonical name of a text, and the text.

    `name` is one of those in `folder` of this package, without its ending, or the path of a file;
    a path is made absolute, so that other processes find it too. Raises `PositionError`.
    """
    shipped = {path.stem: path for path in (Path(__file__).parent / folder).glob("*.*")}
    if name in shipped:
        return name, shipped[name].read_text(encoding="utf-8")
    path = Path(name).expanduser()
    if not path.is_file():
        raise PositionError(
            f"no {kind} {name!r}{suggestion(name, shipped)}, and no file of that name"
        )
    if path.stat().st_size > _SIZE_MAX:
        raise PositionError(f"{kind} {name!r} has more than {_SIZE_MAX >> 20} megabyte")
    try:
        return str(path.resolve()), path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PositionError(f"{kind} {name!r} can't be read: {error}") from None
