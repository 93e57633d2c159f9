"""What a tournament's page shows, worked out once for all its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from league.analysis.crosstable import Cell
from league.analysis.follow import FollowUpdate
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings
from league.formats.format import Format, TableOrder
from league.formats.knockout import Knockout
from league.formats.schedule import EXHAUSTED
from league.render import rating_bars
from league.render.bracket import Bracket, bracket_of, seeds_of
from league.render.chart_data import Chart
from league.render.rating_history_chart import history_chart
from league.render.round_scores import RoundScores, round_scores
from league.render.sprt_panel import SprtPanel
from league.render.template import markup
from league.render.tournament_headline import (
    Opponent,
    challengers_of,
    format_of,
    near_told,
    opponents_of,
    outcome_told,
    ranked,
    trial_told,
)
from league.render.tournament_measures import Measure, measure_head, measures_of
from league.render.tuning_panel import TuningPanel
from league.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class NewestMatches:
    """The newest matches, words of the game for their endings, and the format of a file of all.

    `endings` are by match; `file` is '' for no format.
    """

    rows: Sequence[MatchRow]
    endings: Mapping[int, str] = field(default_factory=dict)
    file: str = ""


@dataclass(slots=True)
class SlowParts:
    """The parts that are redrawn less often than the rest, because every redraw changes them all.

    `order` are the versions of the crosstable in the order of the table, and `bars` the intervals
    of the ratings by version, whose scale has the numbers `ends`.
    """

    order: tuple[int, ...] = ()
    bars: Mapping[int, str] = field(default_factory=dict)
    ends: tuple[str, str] | None = None
    history: Chart | None = None

    @classmethod
    def of(cls, look: FollowUpdate, table: Standings) -> "SlowParts":
        """Make the parts for the standings of now."""
        rows = ranked(table)
        values = [(row.rating, row.error) for row in rows]
        bars = rating_bars.intervals(values)
        return cls(
            order=tuple(row.version for row in rows),
            bars={row.version: markup(bar) for row, bar in zip(rows, bars, strict=True)},
            ends=rating_bars.interval_ends(values),
            history=history_chart(look.history, rows) if look.history else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentView:
    """A tournament's state, and what its format makes of it.

    `rows` are the bots with a match. `test`, `tuning`, `bracket`, `opponents` of challengers and
    `scores` by round each belong to some formats; the others have none. `seeds` are by entrant, and
    `history` is None where another part tells it.
    """

    look: FollowUpdate
    table: Standings
    cells: Mapping[tuple[int, int], Cell]
    rule: Format
    rows: Sequence[Standing]
    test: SprtPanel | None
    tuning: TuningPanel | None
    bracket: Bracket | None
    challengers: frozenset[int]
    opponents: Sequence[Opponent]
    seeds: Mapping[int, int]
    scores: RoundScores
    measures: Mapping[int, Measure]
    history: Chart | None

    @classmethod
    def of(
        cls,
        look: FollowUpdate,
        table: Standings,
        cells: Mapping[tuple[int, int], Cell],
        history: Chart | None,
    ) -> "TournamentView":
        """Work out the view; `history` is the chart of the ratings, if there is one."""
        rows, config = ranked(table), look.row.config
        rule, challengers = format_of(config), challengers_of(config)
        is_cup = isinstance(rule, Knockout) and bool(look.ties)
        names = ("tuned values", "start") if rule.is_tuning else look.names[:2]
        bracket = bracket_of(look.ties, len(look.names)) if is_cup else None
        return cls(
            look=look,
            table=table,
            cells=cells,
            rule=rule,
            rows=rows,
            test=SprtPanel.of(look.trial, names) if look.trial else None,
            tuning=TuningPanel.of(look.tuning) if look.tuning else None,
            bracket=bracket,
            challengers=challengers,
            opponents=opponents_of(rows, cells, challengers),
            seeds=seeds_of(rule, config) if is_cup else {},
            scores={} if bracket else round_scores(look.ties, config.entrants, rows),
            measures=measures_of(look, table, bracket),
            # The bracket, or the chart of the ratio or of the parameters, is the history.
            history=None if rule.is_test or rule.is_tuning or bracket else history,
        )

    @property
    def says(self) -> str:
        """The headline."""
        look, table, test = self.look, self.table, self.test
        is_over = look.row.is_over(is_in_play=look.is_in_play)
        if self.tuning is not None:
            return self.tuning.says
        if test is not None:
            says = trial_told(
                look.names[0], test.trial.state, test.conclusion, test.matches, is_over=is_over
            )
            return f"{says}: {EXHAUSTED}" if table.says.endswith(EXHAUSTED) else says
        says = outcome_told(table, self.rows, self.opponents, is_over=is_over)
        if not self.has_own_outcome:
            return says
        # Neither points nor ratings lead there.
        if table.says:
            return f"{says[:1].upper()}{says[1:]}" if self.rule.is_test else says
        if self.bracket is not None:
            name = self.bracket.rounds[-1]
            return f"{name.capitalize()} {'in play' if look.is_in_play else 'is not over yet'}"
        return "Not decided" if is_over else "Not decided yet"

    @property
    def near(self) -> str:
        """The line below the headline: the bots that are not separated from the first."""
        if self.has_own_outcome:
            return ""
        return near_told(self.table, self.rows, self.opponents)

    @property
    def has_own_outcome(self) -> bool:
        """Whether the format's outcome is neither points nor ratings, but places or evidence."""
        return self.rule.is_test or self.rule.table_order is TableOrder.PLACES

    @property
    def has_podium(self) -> bool:
        """Whether the first bots are shown large."""
        if not (self.opponents or self.has_own_outcome):
            return True
        # Until a cup is decided, the bracket tells more than who is left.
        return self.bracket.is_decided if self.bracket else bool(self.measures)

    @property
    def listed(self) -> Sequence[Standing]:
        """The rows of the standings; none where the outcome tells the same.

        Of a gauntlet these are several challengers, whom the outcome does not compare.
        """
        look = self.look
        if self.rule.is_test or (self.has_own_outcome and not (look.is_read or look.ties)):
            return []
        if not self.opponents:
            return self.rows
        own = {each.challenger.version for each in self.opponents}
        ranks = sorted(row.shown_rank for row in self.rows if row.version in own)
        if len(ranks) < 2:
            return []
        return [
            replace(row, rank=1 + ranks.index(row.shown_rank), ties=0)
            for row in self.rows
            if row.version in own
        ]

    @property
    def unread(self) -> frozenset[str]:
        """The parts that come when all matches have been read."""
        look, rule = self.look, self.rule
        if not self.rows or look.is_read or rule.is_test or rule.is_tuning:
            return frozenset()
        if isinstance(rule, Knockout):
            return frozenset() if look.ties else frozenset({"course"})
        has_ties = rule.lag == 1 and not look.ties
        return frozenset({"history", "rounds"} if has_ties else {"history"})

    def values(self) -> dict[str, Any]:
        """Return what several parts show, by the names that their templates have for it."""
        look = self.look
        config = look.row.config
        bots = {row.version: row.name for row in self.table.rows}
        return {
            "look": look,
            "row": look.row,
            "game": config.game,
            "table": self.table,
            "test": self.test,
            "tuning": self.tuning,
            "rows": self.rows,
            "history": self.history,
            "unread": self.unread,
            "measures": self.measures,
            "measure_head": measure_head(look, self.table, self.bracket),
            "challengers": self.challengers,
            "opponents": self.opponents,
            "names": dict(enumerate(look.names)),
            "seeds": self.seeds,
            # The sides of a tuning's test are no bots of their own.
            "bots": [None, None] if self.tuning else [bots.get(each) for each in config.entrants],
        }
