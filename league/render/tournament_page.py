"""The live parts of a tournament's page, grouped by when they change."""

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, takewhile

from games.support.move_marks import mark_last
from league.analysis.crosstable import Cell
from league.analysis.follow import FollowUpdate, RatingHistory
from league.analysis.standings import Standing, Standings
from league.formats.format import BracketTie, Format, TableOrder
from league.formats.knockout import Knockout
from league.formats.schedule import EXHAUSTED
from league.model.number_format import short_count
from league.model.records import MatchKey, TournamentConfig
from league.render import match_plots
from league.render.bracket import Bracket, bracket_of
from league.render.chart_data import LINES_MAX, Chart, ChartLine
from league.render.data_uri import picture
from league.render.round_scores import round_scores
from league.render.sprt_panel import SprtPanel
from league.render.template import markup, render
from league.render.tournament_headline import (
    Opponent,
    challengers_of,
    format_of,
    named,
    near_told,
    opponents_of,
    outcome_told,
    ranked,
    trial_told,
)
from league.render.tournament_measures import measure_head, measures_of
from league.store.rows import MatchRow
from league.tournament.live_board import MatchInPlay

LINKED_MAX = 24
"""Cells of a wider crosstable have no links: hundreds of them would be in the way of the keys."""

ROUNDS_SHOWN = 4
"""Number of the newest rounds that a terminal shows, and that a page with many does not fold."""

TIES_SHOWN = 200
"""Maximum number of ties that a terminal shows in all rounds together."""

TINTS = ("under 20%", "20 to 40%", "about half", "60 to 80%", "80% and more")

SMALL = 10
"""Beside a crosstable of so many bots, a wide screen has room for the rating history."""

CROSS_SHARE = 0.25
"""The share of a crosstable's cells that have a number; an emptier one is not shown."""

VAGUE_ERROR = 400
"""The rating of a gauntlet's opponent is not shown with a wider half of its interval."""

MEDALS = 3
"""Number of bots on the podium, and one more that shares the last place."""

LEVEL_RULE = (
    "A tie that is level after its replays goes to the better seed. A bot that beats a better seed "
    "takes its place, and counts as that seed from then on."
)

PARTS = ("head", "outcome", "boards", "course", "table", "rounds", "cross", "history", "matches")
"""The parts of the page, from the top down."""


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
        bars = match_plots.intervals(values)
        return cls(
            order=tuple(row.version for row in rows),
            bars={row.version: markup(bar) for row, bar in zip(rows, bars, strict=True)},
            ends=match_plots.interval_ends(values),
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


def draw_boards(
    tournament: int,
    matches: Sequence[MatchInPlay],
    over: Container[MatchKey] = (),
    *,
    is_in_play: bool = False,
) -> str:
    """Draw the matches in play, and the last ones that are `over`.

    Return '' for none, unless the tournament `is_in_play`: then the card keeps its place.
    """
    if not matches and not is_in_play:
        return ""
    boards = [(each, picture(mark_last(each.state.svg(), each.marks))) for each in matches]
    return render("_boards.html", tournament=tournament, boards=boards, over=over)


def keep_places(before: Sequence[MatchInPlay], matches: Sequence[MatchInPlay]) -> list[MatchInPlay]:
    """Return the matches in the places of those before; one that is over stays until another comes.

    Otherwise the page would jump between two matches.
    """
    by_key = {each.key: each for each in matches}
    known = {each.key for each in before}
    new = [each for each in matches if each.key not in known]
    found = [by_key.get(each.key) or (new.pop(0) if new else each) for each in before]
    return found + new


def draw_body(
    look: FollowUpdate,
    table: Standings,
    cells: Mapping[tuple[int, int], Cell],
    newest: NewestMatches,
    slow: SlowParts,
) -> dict[str, str]:
    """Draw everything else, by part."""
    rows, config = ranked(table), look.row.config
    rule = format_of(config)
    bots = {row.version: row.name for row in table.rows}
    by_version = {row.version: row for row in rows}
    crossed = [by_version[version] for version in slow.order if version in by_version]
    crossed += [row for row in rows if row.version not in slow.order]
    test = SprtPanel.of(look.trial) if look.trial else None
    each_played = {cell.matches for cell in cells.values()}
    challengers = challengers_of(config)
    met = opponents_of(rows, cells, challengers)
    is_cup = isinstance(rule, Knockout) and bool(look.ties)
    bracket = bracket_of(look.ties, len(look.names)) if is_cup else None
    seeds = _seeds(rule, config) if is_cup else {}
    level = [each for each in look.ties if each.through and len(set(each.points)) == 1]
    scores = {} if bracket else round_scores(look.ties, config.entrants, rows)
    # Later, the rounds tell what the crosstable would.
    is_crossed = _is_full(rule, crossed, cells) and not (met or bracket or scores or test)
    is_crossed &= look.is_read or rule.lag != 1
    # The bracket, or the chart of the ratio, is the history.
    history = None if rule.is_test or bracket else slow.history
    unread = _unread(look, rule) if rows else frozenset()
    measures = measures_of(look, table, bracket)
    values = {
        "look": look,
        "row": look.row,
        "game": config.game,
        "table": table,
        "test": test,
        "rows": rows,
        "history": history,
        "unread": unread,
        "is_half": 1 < len(rows) <= SMALL and is_crossed and bool(history or "history" in unread),
        "measures": measures,
        "measure_head": measure_head(look, table, bracket),
        "challengers": challengers,
        "opponents": met,
        "names": dict(enumerate(look.names)),
        "seeds": seeds,
        "bots": [bots.get(version) for version in config.entrants],
    }
    # Until a cup is decided, the bracket tells more than who is left.
    has_podium = bracket.is_decided if bracket else bool(measures)
    has_podium |= not (met or _has_own_outcome(rule))
    return {
        "outcome": render(
            "_tournament_outcome.html",
            says=_says(look, table, rows, met, test, bracket),
            near="" if _has_own_outcome(rule) else near_told(table, rows, met),
            podium=podium_of(rows) if has_podium else [],
            vague=VAGUE_ERROR,
            **values,
        ),
        "course": render(
            "_tournament_course.html",
            bracket=bracket,
            decided_by=partial(_decided_by, rule, look.ties, seeds),
            level=level,
            level_rule=LEVEL_RULE if level and not _is_by_lot(rule) else "",
            **values,
        ),
        "table": render(
            "_tournament_table.html",
            listed=_listed(look, rule, rows, met),
            seed_of={config.entrants[entrant]: seed for entrant, seed in seeds.items()},
            bars=slow.bars,
            ends=slow.ends,
            used=_used(rows),
            scores=scores,
            columns=1 + max((number for _, number in scores), default=-1),
            **values,
        ),
        "rounds": render(
            "_tournament_rounds.html",
            by_round=[] if bracket else rounds_of(look.ties, is_cut=False)[::-1],
            newest=ROUNDS_SHOWN,
            **values,
        ),
        "cross": render(
            "_tournament_cross.html",
            crossed=crossed if is_crossed else [],
            cells=cells,
            tint=tint,
            tints=TINTS,
            is_linked=len(crossed) <= LINKED_MAX,
            has_counts=len(crossed) <= LINKED_MAX
            and (len(each_played) > 1 or not look.row.is_over(is_in_play=look.is_in_play)),
            seats=max((len(each.versions) for each in newest.rows), default=2),
            **values,
        ),
        "history": render(
            "_tournament_history.html",
            begins_late=_begins_late(history, look),
            lines_max=LINES_MAX,
            **values,
        ),
        "matches": render(
            "_tournament_matches.html",
            matches=newest.rows,
            endings=newest.endings,
            file=newest.file,
            **values,
        ),
    }


def _says(
    look: FollowUpdate,
    table: Standings,
    rows: Sequence[Standing],
    met: Sequence[Opponent],
    test: SprtPanel | None,
    bracket: Bracket | None,
) -> str:
    """Write the headline."""
    is_over = look.row.is_over(is_in_play=look.is_in_play)
    if test is not None:
        says = trial_told(
            look.names[0], test.trial.state, test.conclusion, test.matches, is_over=is_over
        )
        return f"{says}: {EXHAUSTED}" if table.says.endswith(EXHAUSTED) else says
    says = outcome_told(table, rows, met, is_over=is_over)
    rule = format_of(look.row.config)
    if not _has_own_outcome(rule):
        return says
    # Neither points nor ratings lead there.
    if table.says:
        return f"{says[:1].upper()}{says[1:]}" if rule.is_test else says
    if bracket is not None:
        name = bracket.rounds[-1]
        return f"{name.capitalize()} {'in play' if look.is_in_play else 'is not over yet'}"
    return "Not decided" if is_over else "Not decided yet"


def _unread(look: FollowUpdate, rule: Format) -> frozenset[str]:
    """Return the parts that come when all matches have been read."""
    if look.is_read or rule.is_test:
        return frozenset()
    if isinstance(rule, Knockout):
        return frozenset() if look.ties else frozenset({"course"})
    has_ties = rule.lag == 1 and not look.ties
    return frozenset({"history", "rounds"} if has_ties else {"history"})


def podium_of(rows: Sequence[Standing]) -> Sequence[Standing]:
    """Return the first three, and a fourth that shares the last place of them."""
    is_shared = len(rows) > MEDALS and rows[MEDALS].shown_rank == rows[MEDALS - 1].shown_rank
    is_fifth = len(rows) > MEDALS + 1 and rows[MEDALS + 1].shown_rank == rows[MEDALS].shown_rank
    return rows[: MEDALS + 1 if is_shared and not is_fifth else MEDALS]


def _listed(
    look: FollowUpdate, rule: Format, rows: Sequence[Standing], met: Sequence[Opponent]
) -> Sequence[Standing]:
    """Return the rows of the standings; none where the outcome tells the same.

    Of a gauntlet these are several challengers, whom the outcome does not compare.
    """
    if rule.is_test or (_has_own_outcome(rule) and not (look.is_read or look.ties)):
        return []
    if not met:
        return rows
    own = {each.challenger.version for each in met}
    ranks = sorted(row.shown_rank for row in rows if row.version in own)
    if len(ranks) < 2:
        return []
    return [
        replace(row, rank=1 + ranks.index(row.shown_rank), ties=0)
        for row in rows
        if row.version in own
    ]


def _is_full(rule: Format, rows: Sequence[Standing], cells: Mapping[tuple[int, int], Cell]) -> bool:
    """Whether a crosstable tells enough, or will: of two bots, or of few meetings, others do."""
    if len(rows) < 3:
        return False
    pairs = len(rows) * (len(rows) - 1)
    met = sum((one.version, other.version) in cells for one in rows for other in rows)
    return rule.lag is None or met >= CROSS_SHARE * pairs


def tint(cell: Cell) -> int:
    """Return the index in `TINTS` for a score."""
    return min(4, int(5 * cell.points / cell.matches))


def history_chart(history: RatingHistory, standings: Sequence[Standing]) -> Chart | None:
    """Chart the ratings of the best bots, from the point where all are on one scale."""
    marks = list(takewhile(lambda mark: mark.rated, reversed(history.marks)))[::-1]
    bots: dict[tuple[tuple[int, int] | None, ...], list[str]] = {}
    for row in standings[:LINES_MAX]:
        found = [mark.rated.get(row.version, (math.nan, math.nan)) for mark in marks]
        # As in the table: a browser would round halves, or a decimal, the other way.
        values = tuple(
            (round(rating), round(error)) if math.isfinite(error) else None
            for rating, error in found
        )
        bots.setdefault(values, []).append(row.bot)
    # Lines of the same values would hide one another.
    lines = [
        ChartLine(
            name=named(names, LINES_MAX),
            short=f"{len(names)} bots" if len(names) > 1 else "",
            values=[None if each is None else each[0] for each in values],
            errors=[None if each is None else each[1] for each in values],
        )
        for values, names in bots.items()
    ]
    chart = Chart(
        title="Rating by round" if history.is_by_round else "Rating by matches played",
        x_name="round" if history.is_by_round else "matches",
        y_name="rating",
        x=[mark.after for mark in marks],
        lines=lines,
    )
    return chart if chart.is_worth_drawing and lines else None


def _begins_late(chart: Chart | None, look: FollowUpdate) -> bool:
    """Whether a line of the rating history begins after the first results."""
    if chart is None or look.history is None:
        return False
    is_cut = chart.x[0] > look.history.marks[0].after
    return is_cut or any(line.values[0] is None for line in chart.lines)


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
    """Return the positions of the tie-breaks that tell bots apart."""
    values = [{*column} - {None} for column in zip(*(row.tiebreaks for row in rows), strict=True)]
    return frozenset(place for place, found in enumerate(values) if len(found) > 1)


def _has_own_outcome(rule: Format) -> bool:
    """Whether a format's outcome is neither points nor ratings, but places or evidence."""
    return rule.is_test or rule.table_order is TableOrder.PLACES


def _seeds(rule: Format, config: TournamentConfig) -> dict[int, int]:
    """Return the seeds of a knockout, from 1, by entrant."""
    if not isinstance(rule, Knockout):
        return {}
    order = rule.seeds(len(config.entrants), config.seed)
    return {entrant: seed for seed, entrant in enumerate(order, 1)}


def _decided_by(
    rule: Format, ties: Sequence[BracketTie], seeds: Mapping[int, int], tie: BracketTie
) -> str:
    """Say what decided a tie of a knockout that was level."""
    if _is_by_lot(rule):
        return "by lot"
    places = {each: _place_of(each, tie.round, ties, seeds) for each in tie.entrants}
    first = tie.through[0]
    if len(tie.entrants) > 2 or places[first] > min(places.values()):
        return "by place in the bracket"
    own = places[first] == seeds[first]
    return "by seed" if own else f"by seed: the winner counts as seed {places[first]}"


def _is_by_lot(rule: Format) -> bool:
    return isinstance(rule, Knockout) and rule.decide == "lot"


def _place_of(
    entrant: int, number: int, ties: Sequence[BracketTie], seeds: Mapping[int, int]
) -> int:
    """Return the seed that an entrant counts as in a round: the best of those it is there for."""
    beaten = [
        _place_of(other, each.round, ties, seeds)
        for each in ties
        if each.round < number and entrant in each.through
        for other in each.entrants
        if other != entrant
    ]
    return min(seeds[entrant], *beaten) if beaten else seeds[entrant]


def _rate(per_s: float) -> str:
    """Write how many matches an hour has."""
    count = round(per_s * 3600)
    return f"{count:,} an hour" if count < 10_000 else f"{short_count(count)} an hour"


def _about(seconds: float) -> str:
    """Write a span of time without more digits than are known: 40 s, 12 min, 3 h 20 min."""
    if seconds < 55:
        return f"{math.ceil(seconds / 5) * 5} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 10 else f"{hours} h"
