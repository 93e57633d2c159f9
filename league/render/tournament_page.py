"""The live parts of a tournament's page, grouped by when they change."""

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from league.analysis.follow import FollowUpdate, RatingHistory
from league.analysis.standings import Cell, Standing, Standings
from league.formats.format import BracketTie, SprtProgress
from league.ratings.elo_difference import Counts
from league.ratings.sprt_estimate import SprtEstimate
from league.ratings.sprt_results import conclusion, told
from league.render import rating_plots
from league.render.template import render
from league.store.rows import MatchRow
from league.tournament.live_board import MatchInPlay

CROSSED_MAX = 30
"""The most bots for which a crosstable is drawn; a wider one is unreadable."""

STANDING_MAX = 100
"""How many rows of the standings are shown."""

ROUNDS_SHOWN = 4
"""How many of the newest rounds are shown."""

TIES_SHOWN = 200
"""How many ties are shown in all rounds together."""

TINTS = ("under 20%", "20 to 40%", "about half", "60 to 80%", "80% and more")


@dataclass(frozen=True, slots=True)
class SprtPanel:
    """The display of a sequential test; the columns are its counts."""

    trial: SprtProgress
    chart: rating_plots.Chart | None
    columns: tuple[tuple[str, float], ...]
    estimate: SprtEstimate

    @property
    def conclusion(self) -> str:
        """Which hypothesis the test favours, in a line."""
        return conclusion(self.trial.test, self.trial.state)

    @property
    def elo(self) -> str:
        """The estimate in logistic Elo, with its interval."""
        return told(self.estimate.elo)

    @property
    def nelo(self) -> str:
        """The estimate in normalized Elo, with its interval."""
        return told(self.estimate.nelo)


def draw_head(look: FollowUpdate, says: str = "") -> str:
    """Draw the tournament's progress, and what it concludes."""
    return render("_head.html", look=look, row=look.row, says=says)


def draw_boards(matches: Sequence[MatchInPlay]) -> str:
    """Draw the matches in play; '' for none."""
    boards = [(each, _picture(each.state.svg())) for each in matches]
    return render("_boards.html", boards=boards) if boards else ""


def draw_body(
    look: FollowUpdate,
    table: Standings,
    cells: Mapping[tuple[int, int], Cell],
    matches: Sequence[MatchRow],
) -> str:
    """Draw everything else."""
    standings = [row for row in table.rows if row.rank]
    return render(
        "_live.html",
        look=look,
        tiebreaks=table.outlook.tiebreaks,
        has_points=table.has_points,
        standings=standings[:STANDING_MAX],
        ring=table.ring,
        unseen=max(0, len(standings) - STANDING_MAX),
        crossed=standings[:CROSSED_MAX],
        cells=cells,
        tint=tint,
        tints=TINTS,
        history=history_chart(look.history, standings) if look.history else None,
        test=_test(look.trial) if look.trial else None,
        rounds=rounds_of(look.ties),
        matches=matches,
    )


def tint(cell: Cell) -> int:
    """Return the index in `TINTS` for a score."""
    return min(4, int(5 * cell.points / cell.matches))


def history_chart(
    history: RatingHistory, standings: Sequence[Standing]
) -> rating_plots.Chart | None:
    """Draw the ratings of the best bots, from the point where all are on one scale."""
    marks = list(takewhile(lambda mark: mark.rated, reversed(history.marks)))[::-1]
    series = []
    for row in standings[: rating_plots.SERIES_MAX]:
        points = [
            rating_plots.CurvePosition(mark.after, *mark.rated[row.version])
            for mark in marks
            if row.version in mark.rated and math.isfinite(mark.rated[row.version][1])
        ]
        series.append(rating_plots.CurveSeries(row.bot, points))
    unit = "rounds" if history.is_by_round else "matches"
    return rating_plots.lines("Ratings in the course of the tournament", unit, series)


def rounds_of(ties: Sequence[BracketTie]) -> list[tuple[int, list[BracketTie]]]:
    """Return the newest rounds with their ties; of a bracket, all rounds."""
    rounds = [(number, list(each)) for number, each in groupby(ties, lambda tie: tie.round)]
    if len(ties) > TIES_SHOWN:
        rounds = rounds[-1:]
    elif not any(tie.through for tie in ties):
        rounds = rounds[-ROUNDS_SHOWN:]
    return [(number, each[:TIES_SHOWN]) for number, each in rounds]


def _test(trial: SprtProgress) -> SprtPanel:
    path = [rating_plots.CurvePosition(*each) for each in trial.path]
    unit = "matches" if trial.counts.matches_each == 1 else "encounters"
    chart = rating_plots.walk(
        "Log-likelihood ratio", unit, rating_plots.CurveSeries("LLR", path), trial.test.bounds
    )
    estimate = SprtEstimate.of(trial.test, trial.counts)
    return SprtPanel(trial, chart, _columns(trial.counts), estimate)


def _columns(counts: Counts) -> tuple[tuple[str, float], ...]:
    names = ("lost", "drawn", "won") if len(counts.numbers) == 3 else ("0", "½", "1", "1½", "2")
    return tuple(zip(names, counts.numbers, strict=True))


def _picture(svg: str) -> str:
    """Return a drawing as a data URI: an image runs no script, and keeps its style to itself."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
