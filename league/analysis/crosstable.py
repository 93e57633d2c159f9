"""Crosstables: every bot's score against every other."""

from dataclasses import dataclass

from league.analysis.match_selection import EVERYTHING, Chosen
from league.analysis.rating_history import sides_of
from league.analysis.standing_rows import Standing
from league.analysis.standings import standings, total_columns
from league.ratings.rating_system import opponents, share
from league.store.rows import TotalColumns
from league.store.store import StoreReader


@dataclass(slots=True)
class Cell:
    """One bot's score against another."""

    wins: int
    draws: int
    losses: int

    @property
    def points(self) -> float:
        """One for each win, a half for each draw."""
        return self.wins + self.draws / 2

    @property
    def matches(self) -> int:
        """The number of matches between the two."""
        return self.wins + self.draws + self.losses


def crosstable(
    store: StoreReader, game: str, tournament: int | None = None
) -> tuple[list[Standing], dict[tuple[int, int], Cell]]:
    """Return the standings, and each version's score against each other one.

    Seats of the same side do not play against each other.
    """
    rows = [row for row in standings(store, game, tournament).rows if row.rank]
    cells = store.recall(
        ("cells", game, tournament),
        lambda: _cells(game, total_columns(store, game, tournament, Chosen(None, ()), EVERYTHING)),
        game=game,
        tournament=tournament,
    )
    return rows, cells


def _cells(game: str, columns: TotalColumns) -> dict[tuple[int, int], Cell]:
    # Keyed by pair of versions; won, drawn and lost.
    counts: dict[tuple[int, int], list[int]] = {}
    seats = len(columns.seatings[0]) if columns.seatings else 2
    opposing = opponents(seats, sides_of(game, seats))
    facing = [(one, other) for one, others in enumerate(opposing) for other in others]
    results = [
        # All lost if no bot started.
        [
            round(2 - 2 * share(each.scores[one], each.scores[other])) if any(each.scores) else 2
            for one, other in facing
        ]
        for each in columns.endings
    ]
    for seating, ending, count in zip(
        columns.of_seating, columns.of_ending, columns.counts, strict=True
    ):
        versions = columns.seatings[seating]
        for (one, other), result in zip(facing, results[ending], strict=True):
            met = versions[one], versions[other]
            if met not in counts:
                counts[met] = [0, 0, 0]
            counts[met][result] += count
    return {met: Cell(*results) for met, results in counts.items()}
