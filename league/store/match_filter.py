"""The filter and the order of a list of matches."""

from enum import StrEnum
from typing import Any, TypedDict

from sqlalchemy import (
    ColumnElement,
    Float,
    String,
    Subquery,
    cast,
    func,
    literal,
    select,
    true,
)

from league.model.records import FAULTS, Result, Termination
from league.store.bots import is_named
from league.store.tables import BOT, LINEUP_SEAT, MATCH, TOURNAMENT, VERSION

_ID_DIGITS = 18
"""Every number of so many digits fits a column."""


class MatchFilter(TypedDict, total=False):
    """A filter of matches; a key that is None or missing filters nothing.

    `search` is a part of a bot's name or the number of a match. `opponent` is another bot in the
    match, and `result` is that of `bot`, or of any seat without one. `fault_of` are the matches
    that this bot lost by its own fault. `ended_from` and `ended_before` are in seconds since 1970.
    `before` are the matches below a number, whether or not that match exists. `machine` is the name
    of a pull worker's machine.
    """

    search: str | None
    game: str | None
    tournament: int | None
    bot: str | None
    opponent: str | None
    result: Result | None
    termination: Termination | None
    faults_only: bool
    fault_of: str | None
    ended_from: int | None
    ended_before: int | None
    before: int | None
    machine: str | None


class MatchOrder(StrEnum):
    """The orders of a list of matches, descending with a minus."""

    NEWEST = "-match"
    OLDEST = "match"
    LONGEST = "-plies"
    SHORTEST = "plies"
    SLOWEST = "-time"
    QUICKEST = "time"

    @property
    def columns(self) -> list[ColumnElement[Any]]:
        """The columns to order by; equal matches are newest first."""
        column = {"match": MATCH.c.id, "plies": MATCH.c.plies, "time": MATCH.c.wall_ms}[
            self.removeprefix("-")
        ]
        order = column.desc() if self.startswith("-") else column.asc()
        return [order] if column is MATCH.c.id else [order, MATCH.c.id.desc()]


def is_wanted(wanted: MatchFilter, dialect: str) -> ColumnElement[bool]:
    """Return the condition on `MATCH` of a filter."""
    found: list[ColumnElement[bool]] = []
    if search := wanted.get("search"):
        found.append(_is_searched(search))
    if (game := wanted.get("game")) is not None:
        games = select(TOURNAMENT.c.id).where(TOURNAMENT.c.game == game)
        found.append(MATCH.c.tournament_id.in_(games))
    if (tournament := wanted.get("tournament")) is not None:
        found.append(MATCH.c.tournament_id == tournament)
    bot, opponent, result = wanted.get("bot"), wanted.get("opponent"), wanted.get("result")
    if bot is not None and opponent is not None:
        found.append(MATCH.c.lineup_id.in_(_lineups_of_both(bot, opponent)))
    elif (either := bot if opponent is None else opponent) is not None:
        found.append(MATCH.c.lineup_id.in_(select(_seats(is_named(either)).c.lineup_id)))
    if result is not None:
        found.append(_has_result(bot, result, dialect))
    if (termination := wanted.get("termination")) is not None:
        found.append(MATCH.c.termination == str(termination))
    if (fault_of := wanted.get("fault_of")) is not None:
        seats = _seats(is_named(fault_of))
        is_its_seat = (seats.c.lineup_id == MATCH.c.lineup_id) & (
            seats.c.seat == MATCH.c.fault_seat
        )
        found.append(select(seats.c.seat).where(is_its_seat).exists())
    if fault_of is not None:
        found.append(MATCH.c.termination.in_([str(each) for each in FAULTS]))
    if wanted.get("faults_only"):
        ended = MATCH.c.termination.in_([str(each) for each in FAULTS])
        found.append(ended | MATCH.c.stand_ins.is_not(None))
    if (ended_from := wanted.get("ended_from")) is not None:
        found.append(MATCH.c.finished_at >= ended_from)
    if (ended_before := wanted.get("ended_before")) is not None:
        found.append(MATCH.c.finished_at < ended_before)
    if (before := wanted.get("before")) is not None:
        found.append(MATCH.c.id < before)
    if (machine := wanted.get("machine")) is not None:
        found.append(MATCH.c.machine == machine)
    condition: ColumnElement[bool] = true()
    for each in found:
        condition &= each
    return condition


def _is_searched(search: str) -> ColumnElement[bool]:
    text = search.strip()
    named = BOT.c.name_folded.contains(text.casefold(), autoescape=True)
    found: ColumnElement[bool] = MATCH.c.lineup_id.in_(select(_seats(named).c.lineup_id))
    if text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS:
        found |= MATCH.c.id == int(text)
    return found


def _seats(condition: ColumnElement[bool]) -> Subquery:
    """Return the seats of lineups that the versions of such bots have."""
    query = (
        select(LINEUP_SEAT.c.lineup_id, LINEUP_SEAT.c.seat)
        .join(VERSION, VERSION.c.id == LINEUP_SEAT.c.version_id)
        .join(BOT, BOT.c.id == VERSION.c.bot_id)
    )
    return query.where(condition).subquery()


def _lineups_of_both(one: str, other: str) -> Any:
    """Return the lineups in which the two have seats; of a bot against itself, two seats."""
    first, second = _seats(is_named(one)), _seats(is_named(other))
    return select(first.c.lineup_id).join(
        second, (second.c.lineup_id == first.c.lineup_id) & (second.c.seat != first.c.seat)
    )


def _has_result(bot: str | None, result: Result, dialect: str) -> ColumnElement[bool]:
    seats = _seats(true() if bot is None else is_named(bot))
    points = _points(seats.c.seat, dialect)
    least, most = _least_and_most(dialect)
    # As `league.match.scores.results_of_scores` has it.
    is_lost = (points == 0.0) | ((points == least) & (least < most))
    is_it = {
        Result.WON: points == 1.0,
        Result.LOST: is_lost,
        Result.DRAWN: (points != 1.0) & ~is_lost,
    }[Result(result)]
    return select(seats.c.seat).where(seats.c.lineup_id == MATCH.c.lineup_id, is_it).exists()


def _points(seat: ColumnElement[int], dialect: str) -> ColumnElement[float]:
    """Return the points of a seat from the text of all of them."""
    if dialect == "sqlite":
        place = literal("$[") + cast(seat, String) + "]"
        return cast(func.json_extract(literal("[") + MATCH.c.scores + "]", place), Float)
    return cast(func.split_part(MATCH.c.scores, ",", seat + 1), Float)


def _least_and_most(dialect: str) -> tuple[ColumnElement[float], ColumnElement[float]]:
    """Return the fewest and the most points of a match's seats."""
    value: ColumnElement[Any]
    if dialect == "sqlite":
        value = func.json_each(literal("[") + MATCH.c.scores + "]").table_valued("value").c.value
    else:
        texts = func.unnest(func.string_to_array(MATCH.c.scores, ","))
        value = cast(texts.column_valued("points"), Float)
    least, most = (select(kind(value)).scalar_subquery() for kind in (func.min, func.max))
    return least, most
