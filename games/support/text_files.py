"""Text files that define a game, such as mazes and trees: shipped ones by name, others by path."""

from pathlib import Path

from games.support.errors import PositionError, brief, suggestion
from games.support.references import absolute_path, refuse_signs

_SIZE_MAX = 1 << 20


def find_text(kind: str, folder: Path, name: str) -> tuple[str, str]:
    """Return a text's canonical name, and the text.

    `name` is a file of `folder` without its suffix, or the path of another file, which is made
    absolute so that other processes find it too. Raises `PositionError`.
    """
    shipped = {path.stem: path for path in folder.glob("*.*")}
    if name in shipped:
        return name, shipped[name].read_text(encoding="utf-8")
    try:
        path = absolute_path(name)
        if not path.is_file():
            known = suggestion(name[:80], shipped)
            raise PositionError(f"no {kind} {brief(name)}{known}, and no file of that name")
        if path.stat().st_size > _SIZE_MAX:
            raise PositionError(f"{kind} {name!r} has more than {_SIZE_MAX >> 20} megabyte")
        # Some editors put a byte order mark first.
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, RuntimeError, ValueError) as error:
        raise PositionError(f"{kind} {brief(name)} can't be read: {error}") from None
    refuse_signs(str(path), name)
    return str(path), text
