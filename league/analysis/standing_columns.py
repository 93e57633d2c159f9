"""The columns of standings: an entry here is a column in text, CSV, Markdown, reports and pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from league.analysis.outlook import Outlook
from league.analysis.places import WDL, of_two_sides, record_head, record_told
from league.analysis.standing_rows import Standing
from league.formats.format import TableOrder
from league.model.number_format import exact_number
from league.model.tiebreak import Tiebreak


@dataclass(frozen=True, slots=True)
class StandingColumn:
    """A column of standings.

    `key` is its name in CSV and `value` its cell there, None if CSV lacks it. `head` is its heading
    elsewhere, '' if only CSV has it, and `about` explains that. `text` writes its cell, with so
    many digits of a rating. `is_shown` says whether any of the rows needs it.
    """

    key: str
    head: str = ""
    text: Callable[[Standing, int], object] = lambda row, digits: ""
    value: Callable[[Standing], object] | None = None
    is_shown: Callable[[Sequence[Standing]], bool] = lambda rows: True
    about: str = ""
    is_text: bool = False

    @property
    def title(self) -> str:
        """The heading on a page."""
        return self.head[:1].upper() + self.head[1:]


def _has_faults(rows: Sequence[Standing]) -> bool:
    return any(row.forfeits for row in rows)


def _points(points: float | None) -> str:
    return "–" if points is None else exact_number(points)


def _error(row: Standing, digits: int) -> str:
    return "–" if row.error is None else f"±{row.error:.{digits}f}"


def _los(row: Standing, _: int) -> str:
    """Write a likelihood; an almost certain one is not written as certain."""
    return "–" if row.los is None else f"{min(max(row.los, 0.001), 0.999):.1%}"


def _payoff_head(rows: Sequence[Standing]) -> str:
    """Return the heading of payoffs: what they count in a match."""
    return next(f"{row.payoff.unit}/match" for row in rows if row.payoff)


def _rounded(number: float | None, digits: int = 4) -> float | None:
    return None if number is None or number != number else round(number, digits)


def _least(row: Standing) -> str:
    """Return the sign before a sum that lacks calls of a language model whose cost is unknown."""
    return "≥" if row.calls and row.calls.uncounted else ""


def _match_cost(row: Standing) -> float | None:
    return row.calls.match_cost if row.calls else None


def _move_tokens(row: Standing) -> float | None:
    return row.calls.move_tokens if row.calls else None


COLUMNS = (
    StandingColumn("pool", value=lambda row: row.pool or None),
    StandingColumn("rank", "rank", lambda row, _: row.shown_rank, lambda row: row.rank or None),
    StandingColumn("bot", "bot", lambda row, _: row.bot, lambda row: row.bot, is_text=True),
    StandingColumn("version", value=lambda row: row.version),
    StandingColumn("total", "points", lambda row, _: _points(row.total), lambda row: row.total),
    StandingColumn(
        "rating",
        "rating",
        lambda row, digits: f"{row.rating:.{digits}f}",
        lambda row: _rounded(row.rating),
    ),
    StandingColumn(
        "share",
        "mix",
        lambda row, _: f"{row.share:.1%}" if row.share else "–",
        lambda row: _rounded(row.share),
        lambda rows: any(row.share is not None for row in rows),
    ),
    StandingColumn("error", "±95%", _error, lambda row: _rounded(row.error)),
    StandingColumn("interval", "95% interval"),
    StandingColumn(
        "score", "score", lambda row, _: f"{row.score:.1%}", lambda row: _rounded(row.score)
    ),
    StandingColumn(
        "payoff",
        "payoff",
        lambda row, _: row.payoff or "–",
        lambda row: row.payoff and _rounded(row.payoff.mean),
        lambda rows: any(row.payoff for row in rows),
        about="the mean payoff of a match, with its 95% interval",
    ),
    StandingColumn("payoff_error", value=lambda row: row.payoff and _rounded(row.payoff.error)),
    StandingColumn(
        "exploitability",
        "exploitability",
        lambda row, _: "–" if row.exploitability is None else f"{row.exploitability:.4f}",
        lambda row: _rounded(row.exploitability, 6),
        lambda rows: any(row.exploitability is not None for row in rows),
        about="what a best response gains against it: 0 if nobody can exploit it",
    ),
    StandingColumn(
        "match_cost",
        "cost/match",
        lambda row, _: "–" if (cost := _match_cost(row)) is None else f"{_least(row)}{cost:.4f}",
        lambda row: _rounded(_match_cost(row), 6),
        lambda rows: any(_match_cost(row) is not None for row in rows),
        about="the mean cost of a language model in a match, by the prices among its options",
    ),
    StandingColumn(
        "move_tokens",
        "tokens/move",
        lambda row, _: (
            "–" if (tokens := _move_tokens(row)) is None else f"{_least(row)}{tokens:.0f}"
        ),
        lambda row: _rounded(_move_tokens(row), 1),
        lambda rows: any(_move_tokens(row) is not None for row in rows),
        about="the mean number of a language model's tokens for a move, wrong answers included",
    ),
    StandingColumn(
        "calls_uncounted", value=lambda row: None if row.calls is None else row.calls.uncounted
    ),
    StandingColumn("points", value=lambda row: row.points),
    StandingColumn("W", value=of_two_sides("wins")),
    StandingColumn("D", value=of_two_sides("draws")),
    StandingColumn("L", value=of_two_sides("losses")),
    StandingColumn("record", WDL, lambda row, _: record_told(row)),
    StandingColumn("matches", "matches", lambda row, _: row.matches, lambda row: row.matches),
    StandingColumn("los_next", "LOS", _los, lambda row: _rounded(row.los, 6)),
    StandingColumn(
        "forfeits",
        "forfeits",
        lambda row, _: row.forfeits.total() or "–",
        lambda row: row.forfeits.total(),
        _has_faults,
    ),
    StandingColumn(
        "stand_ins",
        "failed moves",
        lambda row, _: row.stand_ins or "–",
        lambda row: row.stand_ins,
        lambda rows: any(row.stand_ins for row in rows),
        about="moves that the game made because the bot failed to make one",
    ),
    # The same in words.
    StandingColumn(
        "faults", "forfeits", lambda row, _: row.forfeits_told, is_shown=_has_faults, is_text=True
    ),
)


_HEADS: Mapping[str, Callable[[Sequence[Standing]], str]] = {
    "record": record_head,
    "payoff": _payoff_head,
}
"""The columns whose heading depends on the rows."""


def columns_of(
    rows: Sequence[Standing],
    without: Sequence[str] = (),
    outlook: Outlook = Outlook(),  # noqa: B008 (frozen)
) -> list[StandingColumn]:
    """Return the columns that show rows, with points and tie-breaks if they make the order."""
    if outlook.order is not TableOrder.POINTS:
        without = (*without, "total")
    found = []
    for each in COLUMNS:
        if each.head and each.key not in without and each.is_shown(rows):
            head = _HEADS[each.key](rows) if each.key in _HEADS else each.head
            found.append(replace(each, head=head))
            if each.key == "total":
                found += [_tiebreak(*tiebreak) for tiebreak in enumerate(outlook.tiebreaks)]
    return found


def _tiebreak(place: int, tiebreak: Tiebreak) -> StandingColumn:
    return StandingColumn(
        tiebreak,
        tiebreak.short,
        lambda row, _: _points(row.tiebreaks[place]),
        about=tiebreak.words,
    )
