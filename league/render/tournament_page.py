"""The live parts of a tournament's page, grouped by when they change."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile

from league.analysis.follow import FollowUpdate, RatingHistory
from league.analysis.standings import Cell, Standing, Standings
from league.formats.format import (
    BracketTie,
    Encounter,
    EncounterResult,
    Field,
    SprtProgress,
    TableOrder,
)
from league.formats.knockout import Knockout
from league.formats.ladder import spots
from league.formats.schedule import EXHAUSTED
from league.formats.specs import make_format
from league.model.number_format import short_count, true_minus
from league.ratings.sprt import SprtState
from league.ratings.sprt_estimate import SprtEstimate
from league.ratings.sprt_results import conclusion, told
from league.render import match_plots
from league.render.bracket import Bracket, bracket_of, reached
from league.render.chart_data import LINES_MAX, Chart, ChartLine
from league.render.data_uri import picture
from league.render.template import markup, render
from league.render.tournament_headline import (
    challengers_of,
    opponents_of,
    outcome_told,
    ranked,
    trial_told,
)
from league.store.rows import MatchRow
from league.tournament.live_board import MatchInPlay

LINKED_MAX = 24
"""Cells of a wider crosstable have no links: hundreds of them would be in the way of the keys."""

ROUNDS_SHOWN = 4
"""Number of the newest rounds that a terminal shows."""

TIES_SHOWN = 200
"""Maximum number of ties that a terminal shows in all rounds together."""

TINTS = ("under 20%", "20 to 40%", "about half", "60 to 80%", "80% and more")

SMALL = 10
"""A crosstable of so many bots leaves room beside it on a wide screen."""

CROSS_SHARE = 0.25
"""The share of a crosstable's cells that have a number; an emptier one is not shown."""

MEDALS = 3
"""Number of bots on the podium."""

PARTS = ("head", "outcome", "boards", "course", "table", "cross", "history", "matches")
"""The parts of the page, from the top down."""


@dataclass(frozen=True, slots=True)
class SprtPanel:
    """The display of a sequential test."""

    trial: SprtProgress
    chart: Chart | None
    estimate: SprtEstimate

    @property
    def conclusion(self) -> str:
        """The hypothesis that the test favours, in a line."""
        return conclusion(self.trial.test, self.trial.state)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self.trial.path[-1][1]

    @property
    def matches(self) -> float:
        """The matches that the test has counted."""
        return self.trial.counts.total * self.trial.counts.matches_each

    @property
    def kind(self) -> str:
        """Return the colour of the box: `won` for an accepted gain, `lost`, or `even`."""
        if self.trial.state is SprtState.UNDECIDED:
            return "even"
        low, high = self.trial.test.bounds
        return "won" if abs(self.llr - high) < abs(self.llr - low) else "lost"

    @property
    def elo(self) -> str:
        """The estimate in logistic Elo, with its interval."""
        return true_minus(told(self.estimate.elo))

    @property
    def nelo(self) -> str:
        """The estimate in normalized Elo, with its interval."""
        return true_minus(told(self.estimate.nelo))


@dataclass(frozen=True, slots=True)
class TableColumnValue:
    """A bot's result by the format's own measure, and the heading of its column."""

    text: str
    detail: str = ""
    kind: str = ""


@dataclass(slots=True)
class SlowParts:
    """The parts that are redrawn less often than the rest, because every redraw changes them all.

    `order` are the versions of the crosstable in the order of the table, and `bars` the intervals
    of the ratings by version.
    """

    order: tuple[int, ...] = ()
    bars: Mapping[int, str] = field(default_factory=dict)
    history: Chart | None = None

    @classmethod
    def of(cls, look: FollowUpdate, table: Standings) -> "SlowParts":
        """Make the parts for the standings of now."""
        rows = ranked(table)
        bars = match_plots.intervals([(row.rating, row.error) for row in rows])
        return cls(
            order=tuple(row.version for row in rows),
            bars={row.version: markup(bar) for row, bar in zip(rows, bars, strict=True)},
            history=history_chart(look.history, rows) if look.history else None,
        )


def draw_head(look: FollowUpdate, rate: float | None = None) -> str:
    """Draw the tournament's progress; `rate` is in matches a second, None if unknown."""
    row = look.row
    expected = row.total or look.expected
    left_s = None
    if rate and expected and look.is_in_play:
        left_s = max(0, expected - row.played) / rate
    return render(
        "_tournament_head.html",
        look=look,
        row=row,
        expected=expected,
        rate=None if rate is None or not look.is_in_play else _rate(rate),
        left=None if left_s is None else _about(left_s),
    )


def draw_boards(tournament: int, matches: Sequence[MatchInPlay]) -> str:
    """Draw the matches in play; '' for none."""
    boards = [(each, picture(each.state.svg())) for each in matches]
    return render("_boards.html", tournament=tournament, boards=boards) if boards else ""


def draw_body(
    look: FollowUpdate,
    table: Standings,
    cells: Mapping[tuple[int, int], Cell],
    matches: Sequence[MatchRow],
    slow: SlowParts,
) -> dict[str, str]:
    """Draw everything else, by part."""
    rows = ranked(table)
    by_version = {row.version: row for row in rows}
    crossed = [by_version[version] for version in slow.order if version in by_version]
    crossed += [row for row in rows if row.version not in slow.order]
    test = _test(look.trial) if look.trial else None
    is_over = look.row.is_finished and not look.is_in_play
    challengers = challengers_of(look.row.config)
    met = opponents_of(rows, cells, challengers)
    is_crossed = _is_full(crossed, cells) and not met
    names = dict(enumerate(look.names))
    bots = {row.version: row.name for row in table.rows}
    bracket = bracket_of(look.ties, len(look.names)) if _is_bracket(look) else None
    values = {
        "look": look,
        "row": look.row,
        "game": look.row.config.game,
        "table": table,
        "test": test,
        "rows": rows,
        "history": slow.history,
        "is_half": 1 < len(rows) <= SMALL and slow.history is not None and is_crossed,
        "measures": _measures(look, table, bracket),
        "measure_head": _measure_head(look, table),
        "challengers": challengers,
        "opponents": met,
    }
    says = outcome_told(table, rows, met, is_over=is_over)
    if _is_test(look):
        # The words of the standings stand here until the matches of the test are read.
        says = f"{says[:1].upper()}{says[1:]}" if table.says else "A sequential test"
    if test is not None:
        says = trial_told(test.trial.state, test.conclusion, test.matches, is_over=is_over)
        if table.says.endswith(EXHAUSTED):
            says += f": {EXHAUSTED}"
    elif bracket is not None and not table.says:
        says = f"{bracket.rounds[-1].capitalize()} in play"
    drawn = {
        "outcome": render(
            "_tournament_outcome.html",
            says=says,
            podium=[] if met or _is_test(look) else rows[:MEDALS],
            **values,
        ),
        "course": render(
            "_tournament_course.html",
            bracket=bracket,
            rounds=rounds_of(look.ties, is_cut=False)[::-1],
            names=names,
            bots=[bots.get(version) for version in look.row.config.entrants],
            tie_rule=_tie_rule(look) if bracket else "",
            **values,
        ),
        "table": render("_tournament_table.html", bars=slow.bars, used=_used(rows), **values),
        "cross": render(
            "_tournament_cross.html",
            crossed=crossed if is_crossed else [],
            cells=cells,
            tint=tint,
            tints=TINTS,
            is_linked=len(crossed) <= LINKED_MAX,
            **values,
        ),
        "history": render("_tournament_history.html", **values),
        "matches": render("_tournament_matches.html", matches=matches, **values),
    }
    return drawn


def _is_full(rows: Sequence[Standing], cells: Mapping[tuple[int, int], Cell]) -> bool:
    """Whether a crosstable tells enough: of two bots, or of few meetings, other parts tell it."""
    pairs = len(rows) * (len(rows) - 1)
    met = sum((one.version, other.version) in cells for one in rows for other in rows)
    return len(rows) > 2 and met >= CROSS_SHARE * pairs


def tint(cell: Cell) -> int:
    """Return the index in `TINTS` for a score."""
    return min(4, int(5 * cell.points / cell.matches))


def history_chart(history: RatingHistory, standings: Sequence[Standing]) -> Chart | None:
    """Chart the ratings of the best bots, from the point where all are on one scale."""
    marks = list(takewhile(lambda mark: mark.rated, reversed(history.marks)))[::-1]
    lines = []
    for row in standings[:LINES_MAX]:
        found = [mark.rated.get(row.version, (math.nan, math.nan)) for mark in marks]
        values = [(rating, error) if math.isfinite(error) else None for rating, error in found]
        lines.append(
            ChartLine(
                name=row.bot,
                values=[None if each is None else round(each[0], 1) for each in values],
                errors=[None if each is None else round(each[1], 1) for each in values],
            )
        )
    chart = Chart(
        title="Rating by round" if history.is_by_round else "Rating by matches played",
        x_name="round" if history.is_by_round else "matches",
        y_name="rating",
        x=[mark.after for mark in marks],
        lines=lines,
    )
    return chart if chart.is_worth_drawing and lines else None


def rounds_of(
    ties: Sequence[BracketTie], *, is_cut: bool = True
) -> list[tuple[int, list[BracketTie]]]:
    """Return rounds with their ties; if `is_cut`, the newest alone, and of a bracket all."""
    rounds = [(number, list(each)) for number, each in groupby(ties, lambda tie: tie.round)]
    if not is_cut:
        return rounds
    if len(ties) > TIES_SHOWN:
        rounds = rounds[-1:]
    elif not any(tie.through for tie in ties):
        rounds = rounds[-ROUNDS_SHOWN:]
    return [(number, each[:TIES_SHOWN]) for number, each in rounds]


def _used(rows: Sequence[Standing]) -> frozenset[int]:
    """Return the positions of the tie-breaks that some bot has a value of."""
    return frozenset(
        place for row in rows for place, value in enumerate(row.tiebreaks) if value is not None
    )


def _is_bracket(look: FollowUpdate) -> bool:
    return look.row.config.format.partition(":")[0] == "knockout" and bool(look.ties)


def _is_test(look: FollowUpdate) -> bool:
    return look.row.config.format.partition(":")[0] == "sprt"


def _tie_rule(look: FollowUpdate) -> str:
    """Say what decides a tie of a knockout that is level."""
    rule = make_format(look.row.config.format)
    return "by lot" if isinstance(rule, Knockout) and rule.decide == "lot" else "by seed"


def _measure_head(look: FollowUpdate, table: Standings) -> str:
    if _is_bracket(look):
        return "reached"
    return "moved" if table.outlook.order is TableOrder.PLACES and look.ties else ""


def _measures(
    look: FollowUpdate, table: Standings, bracket: Bracket | None
) -> dict[int, TableColumnValue]:
    """Return what each version achieved, where points do not say it."""
    entrants = look.row.config.entrants
    if bracket is not None:
        found = reached(bracket).items()
        return {entrants[each]: TableColumnValue(text) for each, text in found}
    if table.outlook.order is not TableOrder.PLACES or not look.ties:
        return {}
    return {entrants[each]: value for each, value in _climbs(look.ties, len(entrants)).items()}


def _climbs(ties: Sequence[BracketTie], entrants: int) -> dict[int, TableColumnValue]:
    """Return how far each entrant of a ladder has climbed, as a whole and in the last round."""
    shape = Field(entrants=entrants, seats=2, rounds=1, seed=0)
    played = [tie for tie in ties if tie.points]
    if not played:
        return {}

    def after(some: Sequence[BracketTie]) -> dict[int, int]:
        results = [
            EncounterResult(Encounter(tie.round, 0, tie.entrants), (tie.points,)) for tie in some
        ]
        return {entrant: spot for spot, entrant in enumerate(spots(shape, results))}

    now = after(played)
    before = after([tie for tie in played if tie.round < played[-1].round])
    return {each: _climb(each - spot, before[each] - spot) for each, spot in now.items()}


def _climb(whole: int, newest: int) -> TableColumnValue:
    kind = "won" if whole > 0 else "lost" if whole < 0 else "quiet"
    last = f"last round {_arrow(newest)}" if newest else ""
    return TableColumnValue(_arrow(whole), last, kind)


def _arrow(spots_up: int) -> str:
    if not spots_up:
        return "="
    return f"▲ {spots_up}" if spots_up > 0 else f"▼ {-spots_up}"


def _test(trial: SprtProgress) -> SprtPanel:
    unit = "matches" if trial.counts.matches_each == 1 else "encounters"
    low, high = trial.test.bounds
    chart = Chart(
        title="Log-likelihood ratio",
        x_name=unit,
        y_name="LLR",
        x=[number for number, _ in trial.path],
        lines=[ChartLine("LLR", [round(value, 3) for _, value in trial.path])],
        digits=2,
        bounds=(
            (f"H0 accepted ({_signed(trial.test.elo0)})", low),
            (f"H1 accepted ({_signed(trial.test.elo1)})", high),
        ),
    )
    estimate = SprtEstimate.of(trial.test, trial.counts)
    shown = chart if chart.is_worth_drawing else None
    return SprtPanel(trial, shown, estimate)


def _signed(elo: float) -> str:
    return true_minus(f"{elo:+g}") if elo else "0"


def _rate(per_s: float) -> str:
    """Write how many matches an hour has."""
    return f"{short_count(round(per_s * 3600))} an hour"


def _about(seconds: float) -> str:
    """Write a span of time without more digits than are known: 40 s, 12 min, 3 h 20 min."""
    if seconds < 55:
        return f"{math.ceil(seconds / 5) * 5} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 10 else f"{hours} h"
