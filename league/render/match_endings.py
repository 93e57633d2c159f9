"""How matches ended in the words of their game: `checkmate`, `four in a row`."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from games.support.errors import InputError
from games.support.game import Game
from games.support.moves import replay
from games.support.printable import cut
from league.model.errors import LeagueError
from league.model.records import MatchRecord, Termination
from league.render.game_look import built_in
from league.store.rows import MatchRow
from league.store.store import StoreReader

PLIES_MAX = 500
"""A longer match is not played again for a word about its end."""

PLIES_A_PAGE = 5_000
"""Maximum number of plies to play again for a page: in chess they take about 150 ms."""

SAMPLE = 50
"""Number of the newest matches by whose words a page tells how all of them ended."""

KEPT_MAX = 10_000
"""Maximum number of words in memory."""

REASON_MAX = 200
"""Number of characters of a fault's reason to show in a list."""

_SCORES = re.compile(r".+ \d+, .+ \d+")
_RESULT = re.compile(r"(?:.* won|draw)\b(?:: | by | )?(.*)", re.DOTALL)


def ending_word(status: str) -> str:
    """Return how a match ended, from the last position's line; '' where it says no more than who.

    >>> ending_word("White won by checkmate"), ending_word("draw by stalemate")
    ('checkmate', 'stalemate')
    >>> ending_word("Black won: the king is taken"), ending_word("White won (Black 21, White 43)")
    ('the king is taken', 'Black 21, White 43')
    >>> ending_word("X won"), ending_word("draw")
    ('', '')
    """
    found = _RESULT.fullmatch(status)
    return found[1].removeprefix("(").removesuffix(")") if found else ""


def remembered_endings(store: StoreReader, rows: Sequence[MatchRow]) -> dict[int, str]:
    """Return the words of `match_endings`; a match is played again only once for all pages.

    Longer lists than `PLIES_A_PAGE` have some of their words only when they are asked for again.
    """
    kept: dict[int, str] = {}
    if store.memory is not None:
        kept = store.memory.recall(None, "words of endings", dict[int, str])
        if len(kept) > KEPT_MAX:
            kept.clear()
    known, left, asked = kept.copy(), PLIES_A_PAGE, []
    for row in rows:
        if row.id not in known:
            left -= row.plies
        if row.id in known or left >= 0:
            asked.append(row)
    found = match_endings(store, asked, known)
    kept.update(found)
    return found


def endings_told(store: StoreReader, newest: Sequence[MatchRow], count: int) -> str:
    """Count the words of the newest matches by the rules, of which there are `count` in all.

    As in 'of the newest 50: checkmate 41, stalemate 9', or only the counts if these are all
    matches. '' for a game that has no words for it, or only the final score.
    """
    words = Counter(remembered_endings(store, newest).values())
    if not words or any(not word or _SCORES.fullmatch(word) for word in words):
        return ""
    told = ", ".join(f"{word} {times}" for word, times in words.most_common())
    return told if words.total() == count else f"of the newest {words.total()}: {told}"


def last_faults(store: StoreReader, rows: Sequence[MatchRow]) -> list[str]:
    """Say in a line for each bot that lost by a fault, why it did so in the last of the matches."""
    newest: dict[str, int] = {}
    for row in rows:
        if row.termination.is_fault and row.fault_seat is not None:
            bot = str(row.versions[row.fault_seat])
            newest[bot] = max(row.id, newest.get(bot, 0))
    bots = {match: bot for bot, match in newest.items()}
    return [
        f"match {row.id}: {bots[row.id]} {cut(' '.join(record.detail.split()), REASON_MAX)}"
        for row, record in _readable(store, list(bots))
    ]


def match_endings(
    store: StoreReader, rows: Sequence[MatchRow], known: Mapping[int, str] | None = None
) -> dict[int, str]:
    """Return the word for each match that ended by the rules of a game of the catalogue.

    `known` are words that need not be found again.
    """
    known = known or {}
    found = {row.id: known[row.id] for row in rows if row.id in known}
    games = {row.game: built_in(row.game) for row in rows}
    asked = [
        row.id
        for row in rows
        if row.id not in found
        and row.termination is Termination.RULES
        and row.plies <= PLIES_MAX
        and games[row.game]
    ]
    for row, record in _readable(store, asked):
        # The rules may have changed since.
        with suppress(InputError):
            if game := games[row.game]:
                found[row.id] = ending_of(game, record)
    return found


def _readable(store: StoreReader, matches: Sequence[int]) -> Iterator[tuple[MatchRow, MatchRecord]]:
    """Yield the matches whose records can be read."""
    for each in store.matches.records(matches):
        if not isinstance(each, LeagueError):
            yield each


def ending_of(game: Game, record: MatchRecord) -> str:
    """Return the word for a match that ended by the rules; raise `InputError` if they changed."""
    return ending_word(replay(game.initial(), record.wires).status())
