"""Texts that a game is played by: those shipped with it by name, and a user's own by path."""

from pathlib import Path

from games.errors import PositionError, brief, suggestion
from games.references import refuse_signs

_SIZE_MAX = 1 << 20


def find_text(kind: str, folder: str, name: str) -> tuple[str, str]:
    """Return the canonical name of a text, and the text.

    `name` is one of those in `folder` of this package, without its ending, or the path of a file;
    a path is made absolute, so that other processes find it too. Raises `PositionError`.
    """
    shipped = {path.stem: path for path in (Path(__file__).parent / folder).glob("*.*")}
    if name in shipped:
        return name, shipped[name].read_text(encoding="utf-8")
    try:
        path = Path(name).expanduser().resolve()
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
