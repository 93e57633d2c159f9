"""Matches that a reader wants to look at: the longest, the shortest, the upset, the swing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

from games.support.errors import MoveError
from league.analysis.encounters import opposed, result
from league.analysis.rating_history import sides_of
from league.analysis.replay import Replay, load_replay, unplayable
from league.match.replay import Swing, biggest_swing, frames_of
from league.model.document import about, document
from league.store.rows import ResultRow, TournamentRow
from league.store.store import StoreReader

LOOKED_AT = 1000
"""In so many matches of a tournament, evenly spread, is a swing looked for: each is replayed."""

OnLook = Callable[[int, int], None]
"""Told how many matches were looked at, of how many."""


@document(
    "NotableMatch",
    "title told match=replay.row.id bots=replay.names scores=replay.record.scores "
    "plies=replay.row.plies command",
)
@dataclass(frozen=True, slots=True)
class Notable:
    """A match that a reader wants to look at."""

    title: Annotated[str, about("the reason that it is notable")]
    told: Annotated[str, about("the reason, in words")]
    replay: Replay

    @property
    def command(self) -> Annotated[str, about("a command that shows it again")]:
        """Return the command that shows the match."""
        return f"league replay {self.replay.row.id}"


def notable(
    store: StoreReader,
    row: TournamentRow,
    ratings: Mapping[int, float],
    on_look: OnLook = lambda done, of: None,
) -> list[Notable]:
    """Return the notable matches of a tournament; `ratings` are by version.

    Raises `DatabaseError` for a match that can't be replayed.
    """
    extremes = _extremes(store, row, ratings)
    found = [_made(store, *each) for each in extremes]
    swing = _swing(store, row, on_look)
    return [*found, *([swing] if swing else [])]


def _made(store: StoreReader, title: str, told: str, match: int) -> Notable:
    try:
        return Notable(title, told, load_replay(store, match))
    except MoveError as error:
        raise unplayable(store, match, error) from None


@dataclass(slots=True)
class _Upset:
    """A win of `winner` over a `loser` that is rated `gap` higher."""

    match: int
    winner: int
    loser: int
    gap: float


def _extremes(
    store: StoreReader, row: TournamentRow, ratings: Mapping[int, float]
) -> list[tuple[str, str, int]]:
    """Return the title, the words and the number of the longest, the shortest and the upset."""
    longest: ResultRow | None = None
    shortest: ResultRow | None = None
    upset: _Upset | None = None
    for each in store.results.rows(row.config.game, row.id):
        if longest is None or each.plies > longest.plies:
            longest = each
        if each.termination.is_fault:
            continue
        is_won = len(set(each.scores)) > 1
        if is_won and each.plies and (shortest is None or each.plies < shortest.plies):
            shortest = each
        upset = _larger(upset, each, row.config.game, ratings)
    found = []
    if longest is not None and longest.plies:
        found.append(("The longest", f"{longest.plies} plies", longest.id))
    if shortest is not None:
        found.append(("The shortest win", f"{shortest.plies} plies", shortest.id))
    if upset is not None:
        labels = store.bots.labels((upset.winner, upset.loser))
        told = f"{labels[upset.winner]} beat {labels[upset.loser]}, rated {upset.gap:.0f} higher"
        found.append(("The biggest upset", told, upset.match))
    return found


def _larger(
    upset: _Upset | None, row: ResultRow, game: str, ratings: Mapping[int, float]
) -> _Upset | None:
    """Return the larger of the upset so far and that of a match."""
    for one, other in opposed(row, sides_of(game, len(row.versions))):
        scored = result(row, one, other)
        if not scored:
            continue
        winner, loser = (one, other) if scored > 0 else (other, one)
        won, lost = row.versions[winner], row.versions[loser]
        if not {won, lost} <= ratings.keys():
            # Nobody is rated in a tuning.
            continue
        gap = ratings[lost] - ratings[won]
        if gap > (upset.gap if upset else 0.0):
            upset = _Upset(row.id, won, lost, gap)
    return upset


def _swing(store: StoreReader, row: TournamentRow, on_look: OnLook) -> Notable | None:
    numbers = store.matches.numbers(row.id)
    step = -(-len(numbers) // LOOKED_AT) or 1
    chosen = numbers[::step]
    best: tuple[int, Swing] | None = None
    for done, (number, _, record) in enumerate(store.results.records(chosen), 1):
        try:
            found = biggest_swing(frames_of(record))
        except MoveError as error:
            raise unplayable(store, number, error) from None
        if found and found.size and (best is None or found.size > best[1].size):
            best = number, found
        on_look(done, len(chosen))
    if best is None:
        return None
    number, swing = best
    among = "" if step == 1 else f", among {len(chosen):,} matches looked at"
    replay = load_replay(store, number)
    told = f"{replay.names[swing.seat]} went {swing.told} at ply {swing.ply}{among}"
    return Notable("The biggest swing of a score", told, replay)
