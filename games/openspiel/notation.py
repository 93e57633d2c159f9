"""OpenSpiel's texts of moves, so that all legal moves differ and are read back."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from games.support.errors import no_legal_move


def distinct(moves: Iterable[int], write: Callable[[int], str]) -> dict[int, str]:
    """Write each move so that all differ in lower case, and none is empty."""
    texts = {move: write(move) for move in moves}
    numbered = {move: f"{text} ({move})".strip() for move, text in texts.items()}
    count = Counter(text.lower() for text in texts.values())
    mixed = {
        move: text if text and count[text.lower()] == 1 else numbered[move]
        for move, text in texts.items()
    }
    is_distinct = len({text.lower() for text in mixed.values()}) == len(mixed)
    return mixed if is_distinct else numbered


def read(text: str, texts: Mapping[int, str], write: Callable[[int], str]) -> int:
    """Read a move's text or number, case only if ambiguous; raise `MoveError` unless legal.

    `texts` are those of `distinct`, and `write` gives OpenSpiel's own.
    """
    wanted = text.strip()
    lowered = wanted.lower()
    readings = (
        [move for move, written in texts.items() if written.lower() == lowered],
        [move for move in texts if write(move) == wanted],
        [move for move in texts if str(move) == wanted],
    )
    for found in readings:
        if len(found) == 1:
            return found[0]
    raise no_legal_move(text, list(texts.values()))
