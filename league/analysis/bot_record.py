"""The record of one bot: notable results, versions, openings, tournaments."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from league.analysis.encounters import encounters_of, is_pair, result
from league.analysis.opening_statistics import OpeningTotals
from league.analysis.rating_history import sides_of
from league.analysis.standing_rows import Standing
from league.analysis.standings import standings
from league.analysis.versus import head_to_head
from league.ratings.head_to_head import HeadToHead, ScoreShare
from league.ratings.rating_system import opponents as opposing_seats
from league.store.rows import BotRow, MatchRow, Total, TournamentRow, VersionRow
from league.store.store import StoreReader

SHOWN = 5
"""Number of notable wins, and of notable losses."""

OPENINGS_NEWEST = 2000
"""Number of a bot's newest matches that count for its score by opening."""


@dataclass(frozen=True, slots=True)
class NotableResult:
    """The newest match that a bot won or lost against an opponent, and that one's rating now."""

    match: MatchRow
    opponent: str
    rating: float


@dataclass(frozen=True, slots=True)
class NotableResults:
    """Wins against the opponents with the highest ratings, losses against the lowest."""

    wins: tuple[NotableResult, ...]
    losses: tuple[NotableResult, ...]


@dataclass(frozen=True, slots=True)
class VersionStep:
    """A version with its row of the standings, and its score against the version before.

    `row` is None before its first match, `against_last` without a match between the two.
    """

    version: VersionRow
    row: Standing | None
    against_last: HeadToHead | None


@dataclass(frozen=True, slots=True)
class Placement:
    """A tournament of a bot with the row of its best version there, among `count` entrants."""

    tournament: TournamentRow
    row: Standing
    count: int


_Endings = dict[str, list[Total]]


def notable_results(store: StoreReader, game: str, bot: BotRow) -> NotableResults:
    """Return the wins and losses of a bot that stand out by the opponent's rating.

    An opponent is there once, with the rating of its best version that was met. A win by the
    opponent's fault is left out.
    """
    own = {version.id for version in bot.versions}
    rows = {row.version: row for row in standings(store, game).rows if row.rank}
    totals = [each for each in store.totals.all(game=game) if not own.isdisjoint(each.versions)]
    won, lost = defaultdict[int, list[Total]](list), defaultdict[int, list[Total]](list)
    seats = len(totals[0].versions) if totals else 2
    opposing = opposing_seats(seats, sides_of(game, seats)) if totals else ()
    for total in totals:
        for seat, version in enumerate(total.versions):
            for other in opposing[seat] if version in own else ():
                opponent, difference = total.versions[other], total.scores[seat]
                difference -= total.scores[other]
                if opponent in own or opponent not in rows:
                    continue
                if difference > 0 and not (
                    total.termination.is_fault and total.fault_seat == other
                ):
                    won[opponent].append(total)
                elif difference < 0:
                    lost[opponent].append(total)
    return NotableResults(
        _newest(store, game, won, rows, is_best=True),
        _newest(store, game, lost, rows, is_best=False),
    )


def _newest(
    store: StoreReader,
    game: str,
    endings: Mapping[int, Sequence[Total]],
    rows: Mapping[int, Standing],
    *,
    is_best: bool,
) -> tuple[NotableResult, ...]:
    order = sorted(endings, key=lambda version: rows[version].rating, reverse=is_best)
    chosen = {rows[version].name: version for version in reversed(order)}
    found = []
    for version in [version for version in order if chosen[rows[version].name] == version][:SHOWN]:
        alike = {(each.versions, each.scores, each.termination) for each in endings[version]}
        match = store.results.newest_ending(game, alike)
        if match is not None:
            (row,) = store.matches.rows([match])
            found.append(NotableResult(row, rows[version].bot, rows[version].rating))
    return tuple(found)


def version_steps(
    store: StoreReader, game: str, bot: BotRow, newest: int | None = None
) -> list[VersionStep]:
    """Return the versions of a bot, or its `newest` ones, newest first, each against the last."""
    rows = {row.version: row for row in standings(store, game).rows if row.rank}
    versions = bot.versions[-newest - 1 :] if newest else bot.versions
    steps = [
        VersionStep(version, rows.get(version.id), _met(store, game, before, version))
        for before, version in pairwise((None, *versions))
        if version is not None
    ]
    return steps[::-1][:newest]


def _met(
    store: StoreReader, game: str, before: VersionRow | None, version: VersionRow
) -> HeadToHead | None:
    if before is None:
        return None
    found = head_to_head(store, game, (version.id,), (before.id,))
    return found if found.matches else None


def openings_of_bot(store: StoreReader, game: str, bot: BotRow) -> list[ScoreShare]:
    """Return a bot's scores by opening, the most frequent first, by its `OPENINGS_NEWEST` matches.

    [] in a game for more than two.
    """
    own = {version.id for version in bot.versions}
    found = OpeningTotals()
    for encounter in encounters_of(store.results.rows(game, None, (own,), newest=OPENINGS_NEWEST)):
        results = [
            result(row, seat, 1 - seat)
            for row in encounter
            if len(row.versions) == 2
            for seat in (0, 1)
            if row.versions[seat] in own and row.versions[1 - seat] not in own
        ]
        if results:
            found.of(encounter[0]).add(results, is_pair(encounter) and len(results) == 2)
    return sorted(found.named(store, game), key=lambda each: -each.head_to_head.matches)


def placements(store: StoreReader, bot: BotRow, limit: int) -> tuple[list[Placement], int]:
    """Return a bot's newest tournaments, newest first, and how many it has."""
    own = {version.id for version in bot.versions}
    numbers = store.results.tournaments_with(own)
    found = []
    for number in reversed(numbers[-limit:]):
        row = store.tournaments.get(number)
        table = [each for each in standings(store, row.config.game, number).rows if each.rank]
        best = next((each for each in table if each.version in own), None)
        if best is not None:
            found.append(Placement(row, best, len(row.config.entrants)))
    return found, len(numbers)
