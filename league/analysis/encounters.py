"""Encounters for statistics: grouped matches, seen from one side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby

from league.model.records import Termination
from league.store.rows import BotRef, MatchEnd, ResultRow

Sides = Sequence[int]
"""The side of each seat; () if every seat is its own side."""

Ended = ResultRow | MatchEnd
"""A match whose versions and scores are known."""


def encounters_of(rows: Iterable[ResultRow]) -> Iterator[list[ResultRow]]:
    """Yield the matches of each encounter; `rows` are in the schedule's order."""
    for _, found in groupby(rows, lambda row: (row.tournament_id, row.encounter)):
        yield list(found)


def is_pair(encounter: Sequence[Ended]) -> bool:
    """Whether these are both matches of an encounter of two, with the seats swapped."""
    if len(encounter) != 2 or len(encounter[0].versions) != 2:
        return False
    return encounter[0].versions == encounter[1].versions[::-1]


def is_mixed(encounter: Sequence[Ended]) -> bool:
    """Whether these are not matches of the same bots, as in a damaged database."""
    return len({tuple(sorted(row.versions)) for row in encounter}) > 1


def opposed(row: Ended, sides: Sides) -> Iterator[tuple[int, int]]:
    """Yield each pair of opposing seats, the lower one first."""
    for one, other in combinations(range(len(row.versions)), 2):
        if not sides or sides[one] != sides[other]:
            yield one, other


def result(row: Ended, one: int, other: int) -> int:
    """Return 1 if seat `one` scored more than seat `other`, 0 if as much, -1 if less."""
    return (row.scores[one] > row.scores[other]) - (row.scores[one] < row.scores[other])


def end_of(row: ResultRow, labels: Mapping[int, BotRef]) -> str:
    """Say how a match ended, and which bot was at fault or resigned."""
    if row.fault_seat is None or row.fault_seat >= len(row.versions):
        return str(row.termination)
    return f"{row.termination} of {labels[row.versions[row.fault_seat]]}"


def most_frequent(ends: Mapping[Termination, int]) -> list[tuple[Termination, int]]:
    """Return terminations with their counts, the most frequent first."""
    return sorted(ends.items(), key=lambda end: (-end[1], end[0]))
