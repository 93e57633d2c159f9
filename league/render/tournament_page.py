"""The live parts of a tournament's page, grouped by when they change."""

from collections.abc import Container, Mapping, Sequence
from functools import partial
from typing import Any

from games.support.move_marks import mark_last
from league.analysis.crosstable import Cell
from league.analysis.follow import FollowUpdate
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings
from league.formats.format import Format
from league.model.number_format import rough_span, short_count
from league.model.records import MatchKey
from league.render.bracket import LEVEL_RULE, decided_by, is_by_lot
from league.render.chart_data import LINES_MAX
from league.render.data_uri import picture
from league.render.rating_history_chart import begins_late
from league.render.round_scores import ROUNDS_SHOWN, rounds_of
from league.render.template import render
from league.render.tournament_view import NewestMatches, SlowParts, TournamentView
from league.tournament.live_board import MatchInPlay

LINKED_MAX = 24
"""Cells of a wider crosstable have no links: hundreds of them would be in the way of the keys."""

TINTS = ("under 20%", "20 to 40%", "about half", "60 to 80%", "80% and more")

SMALL = 10
"""Beside a crosstable of so many bots, a wide screen has room for the rating history."""

CROSS_SHARE = 0.25
"""The share of a crosstable's cells that have a number; an emptier one is not shown."""

VAGUE_ERROR = 400
"""The rating of a gauntlet's opponent is not shown with a wider half of its interval."""

MEDALS = 3
"""Number of bots on the podium, and one more that shares the last place."""

PARTS = (
    "head",
    "outcome",
    "boards",
    "tuning",
    "course",
    "table",
    "rounds",
    "cross",
    "history",
    "matches",
)
"""The parts of the page, from the top down."""


def draw_head(look: FollowUpdate, rate: float | None = None, cost: str = "") -> str:
    """Draw the tournament's progress; `rate` is in matches a second, None if unknown.

    `cost` says what its language models cost, '' for none.
    """
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
        left=None if left_s is None else rough_span(left_s),
        cost=cost,
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
    view = TournamentView.of(look, table, cells, slow.history)
    crossed = _crossed(view, slow.order)
    is_small = bool(crossed) and 1 < len(view.rows) <= SMALL
    values = view.values()
    values["is_half"] = is_small and bool(view.history or "history" in values["unread"])
    return {
        "outcome": _draw_outcome(view, values),
        "tuning": render("_tournament_tuning.html", **values),
        "course": _draw_course(view, values),
        "table": _draw_table(view, slow, values),
        "rounds": _draw_rounds(view, values),
        "cross": _draw_cross(view, crossed, newest, values),
        "history": render(
            "_tournament_history.html",
            begins_late=begins_late(view.history, look),
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


def _draw_outcome(view: TournamentView, values: Mapping[str, Any]) -> str:
    return render(
        "_tournament_outcome.html",
        says=view.says,
        near=view.near,
        podium=podium_of(view.rows) if view.has_podium else [],
        vague=VAGUE_ERROR,
        **values,
    )


def _draw_course(view: TournamentView, values: Mapping[str, Any]) -> str:
    ties = view.look.ties
    level = [tie for tie in ties if tie.through and len(set(tie.points)) == 1]
    return render(
        "_tournament_course.html",
        bracket=view.bracket,
        decided_by=partial(decided_by, view.rule, ties, view.seeds),
        level=level,
        level_rule=LEVEL_RULE if level and not is_by_lot(view.rule) else "",
        **values,
    )


def _draw_table(view: TournamentView, slow: SlowParts, values: Mapping[str, Any]) -> str:
    entrants = view.look.row.config.entrants
    return render(
        "_tournament_table.html",
        listed=view.listed,
        seed_of={entrants[entrant]: seed for entrant, seed in view.seeds.items()},
        bars=slow.bars,
        ends=slow.ends,
        used=_used(view.rows),
        scores=view.scores,
        columns=1 + max((number for _, number in view.scores), default=-1),
        **values,
    )


def _draw_rounds(view: TournamentView, values: Mapping[str, Any]) -> str:
    by_round = [] if view.bracket else rounds_of(view.look.ties, is_cut=False)[::-1]
    return render("_tournament_rounds.html", by_round=by_round, newest=ROUNDS_SHOWN, **values)


def _draw_cross(
    view: TournamentView,
    crossed: Sequence[Standing],
    newest: NewestMatches,
    values: Mapping[str, Any],
) -> str:
    is_linked = len(crossed) <= LINKED_MAX
    is_over = view.look.row.is_over(is_in_play=view.look.is_in_play)
    is_uneven = len({cell.matches for cell in view.cells.values()}) > 1
    return render(
        "_tournament_cross.html",
        crossed=crossed,
        cells=view.cells,
        tint=tint,
        tints=TINTS,
        is_linked=is_linked,
        has_counts=is_linked and (is_uneven or not is_over),
        seats=max((len(each.versions) for each in newest.rows), default=2),
        **values,
    )


def _crossed(view: TournamentView, order: Sequence[int]) -> list[Standing]:
    """Return the rows of the crosstable, by version in this order and then the new ones.

    There are none where another part tells the same.
    """
    if view.opponents or view.bracket or view.scores or view.test:
        return []
    if not view.look.is_read and view.rule.lag == 1:
        # Later, the rounds tell what the crosstable would.
        return []
    by_version = {row.version: row for row in view.rows}
    rows = [by_version[version] for version in order if version in by_version]
    rows += [row for row in view.rows if row.version not in order]
    return rows if _is_full(view.rule, rows, view.cells) else []


def podium_of(rows: Sequence[Standing]) -> Sequence[Standing]:
    """Return the first three, and a fourth that shares the last place of them."""
    is_shared = len(rows) > MEDALS and rows[MEDALS].shown_rank == rows[MEDALS - 1].shown_rank
    is_fifth = len(rows) > MEDALS + 1 and rows[MEDALS + 1].shown_rank == rows[MEDALS].shown_rank
    return rows[: MEDALS + 1 if is_shared and not is_fifth else MEDALS]


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


def _used(rows: Sequence[Standing]) -> frozenset[int]:
    """Return the positions of the tie-breaks that tell bots apart."""
    values = [{*column} - {None} for column in zip(*(row.tiebreaks for row in rows), strict=True)]
    return frozenset(place for place, found in enumerate(values) if len(found) > 1)


def _rate(per_s: float) -> str:
    """Write how many matches an hour has."""
    count = round(per_s * 3600)
    return f"{count:,} an hour" if count < 10_000 else f"{short_count(count)} an hour"
