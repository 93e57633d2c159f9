"""The state of a tournament by its format: its table, its conclusion, and its expected length."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.support.errors import InputError
from games.support.specs import find_game
from league.analysis.payoffs import Payoff, payoffs_of
from league.analysis.rating_history import result_columns
from league.formats.format import TableOrder, TuningProgress
from league.formats.schedule import Schedule
from league.formats.table import PointsTable
from league.model.tiebreak import Tiebreak
from league.store.rows import TotalColumns, TournamentRow
from league.store.store import StoreReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The judgement of a tournament's format about its results.

    `says` is its conclusion so far in one line, or '', and `expected` the number of matches, None
    without a basis. `table` is None if the bots are in the order of their ratings. `tuning`
    is how far parameters are tuned, and `few_matches` is that of the format.
    """

    says: str = ""
    expected: int | None = None
    order: TableOrder = TableOrder.RATING
    table: PointsTable | None = None
    tuning: TuningProgress | None = None
    few_matches: str = ""

    @property
    def tiebreaks(self) -> tuple[Tiebreak, ...]:
        """The tie-breaks of the table."""
        return self.table.tiebreaks if self.table else ()


def outlook(store: StoreReader, row: TournamentRow) -> Outlook:
    """Return how a tournament stands; nothing of one that was imported, or whose game is gone."""
    return store.recall(
        ("outlook", row.id, row.state), lambda: _outlook(store, row), tournament=row.id
    )


def _outlook(store: StoreReader, row: TournamentRow) -> Outlook:
    if row.config.is_imported:
        return Outlook()
    try:
        schedule = _schedule(store, row)
    except InputError:
        return Outlook()
    labels = store.bots.labels(row.config.entrants)
    names = [str(labels[entrant]) for entrant in row.config.entrants]
    is_by_payoff = row.config.is_ranked_by_payoff
    ranking = payoffs_of(store, row.config.game, (row.id,)) if is_by_payoff else {}
    tuning, table = schedule.tuning(names), _table(store, row, schedule, ranking)
    says = tuning.says(names[0]) if tuning else schedule.says(names)
    order = schedule.format.table_order if table else TableOrder.RATING
    if table and ranking:
        order = TableOrder.PAYOFF
    if not says and table and row.is_finished:
        of_entrant = dict(zip(row.config.entrants, names, strict=True))
        says = _leader(ranking, of_entrant) if ranking else schedule.format.winner(table, names)
    return Outlook(
        says=says,
        expected=schedule.expected(),
        order=order,
        table=table,
        tuning=tuning,
        few_matches=schedule.format.few_matches,
    )


def _schedule(store: StoreReader, row: TournamentRow) -> Schedule:
    config = row.config
    schedule = Schedule(config, find_game(config.game))
    is_plain = schedule.lag is None and not config.withdrawn and not config.joined
    if is_plain or schedule.is_told_by_ratings:
        # Read results only where they matter: there may be a million.
        return schedule
    # With it comes all that plays a match: the standings of most tournaments need none of that.
    from league.tournament.planner import Planner  # noqa: PLC0415

    return Planner(store, row.id).schedule


def _table(
    store: StoreReader, row: TournamentRow, schedule: Schedule, payoffs: Mapping[int, Payoff]
) -> PointsTable | None:
    if schedule.format.table_order is TableOrder.RATING:
        return None
    columns = store.totals.columns(tournament=row.id)
    places = {version: place for place, version in enumerate(row.config.entrants)}
    if not _seated(columns) <= places.keys():
        # A match of versions that the tournament does not list is for `league db verify` to report.
        return None
    found = result_columns([columns], places, schedule.game.sides)
    return schedule.table(found, _by_payoff(payoffs, places) if payoffs else None)


def _by_payoff(payoffs: Mapping[int, Payoff], places: Mapping[int, int]) -> list[list[int]]:
    """Return the positions in groups with the same mean payoff, the highest first."""
    groups = defaultdict[float, list[int]](list)
    for version, place in places.items():
        groups[payoffs[version].mean if version in payoffs else -math.inf].append(place)
    return [groups[mean] for mean in sorted(groups, reverse=True)]


def _doubt(payoffs: Mapping[int, Payoff], names: Mapping[int, str], leader: int) -> str:
    """Name who may be as good as the leader by payoff; '' if luck does not explain its lead."""
    most = payoffs[leader]
    near = [
        names[version]
        for version, payoff in payoffs.items()
        if version in names and version != leader and most.may_equal(payoff)
    ]
    return f", and luck may explain its lead over {', '.join(near)}" if near else ""


def _leader(payoffs: Mapping[int, Payoff], names: Mapping[int, str]) -> str:
    """Say who has won by payoff, and how surely."""
    most = max(payoff.mean for payoff in payoffs.values())
    leaders = [version for version in names if version in payoffs and payoffs[version].mean == most]
    told = f"{payoffs[leaders[0]]} {payoffs[leaders[0]].unit} a match"
    if len(leaders) == 1:
        return f"{names[leaders[0]]} wins with {told}{_doubt(payoffs, names, leaders[0])}"
    return f"{', '.join(names[each] for each in leaders)} tie for first with {told}"


def _seated(columns: TotalColumns) -> set[int]:
    seatings: Iterable[tuple[int, ...]] = columns.seatings
    return {version for versions in seatings for version in versions}
