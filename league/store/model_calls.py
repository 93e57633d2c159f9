"""The calls of language models: what was asked, answered and paid."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, and_, case, exists, func, insert, or_, select, update

from league.model.clock import now
from league.model.model_calls import CallFault, ModelCall
from league.model.records import MatchKey
from league.store.database import Queries
from league.store.tables import LLM_CALL, MATCH, TOURNAMENT

_CALL = LLM_CALL.c
_FIELDS = [
    column for column in _CALL if column.name in (*ModelCall.__dataclass_fields__, "version_id")
]

_MATCH_NAMES = ("tournament_id", "encounter", "rotation")
"""The columns that name the match of a call."""

_NOT_OF_MODEL = [fault.value for fault in CallFault if not fault.is_of_model]


class CallTotal(NamedTuple):
    """The calls of a version: their number, and of those that were answered the sums.

    `matches` have such a call, and `moves` are answers that were played. Tokens and `cost` are None
    if no call has them; of calls without tokens, `uncounted`, nobody knows the cost, unless it was
    an error of the provider: then tokens and cost are at least the sums. `void_cost` is the part of
    void matches, and `unfinished_cost` that of unfinished ones. `latency_ms` counts calls
    that a model answered or was late for, `answers` of them. `faults` counts calls by their fault.
    """

    version: int
    matches: int
    calls: int
    moves: int
    answers: int
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost: float | None
    void_cost: float | None
    unfinished_cost: float | None
    uncounted: int
    latency_ms: int
    faults: dict[CallFault, int]

    @property
    def tokens(self) -> int | None:
        """The tokens in and out; None if they are not known."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return self.tokens_in + self.tokens_out

    @property
    def match_cost(self) -> float | None:
        """The mean cost of a match; None if it is not known."""
        return None if self.cost is None or not self.matches else self.cost / self.matches

    @property
    def move_tokens(self) -> float | None:
        """The mean number of tokens of a move, wrong answers included; None if not known."""
        return None if self.tokens is None or not self.moves else self.tokens / self.moves


class CallReader(Queries):
    """The calls of matches."""

    def of_match(self, tournament: int, key: MatchKey) -> tuple[ModelCall, ...]:
        """Return the calls of a match that counts, in order."""
        query = select(*_FIELDS).where(_is_of(tournament, key), _CALL.is_void == 0)
        with self._db.reading() as connection:
            return tuple(map(_call_of, connection.execute(query.order_by(_CALL.id))))

    def totals(
        self, game: str | None = None, tournament: int | None = None, *, is_finished: bool = False
    ) -> tuple[CallTotal, ...]:
        """Return the calls of each version that has any, in a game and a tournament if given.

        All calls, those of void matches too; if it `is_finished`, those of matches that count.
        """
        counts = [
            func.count().filter(_CALL.fault == fault.value).label(fault.name) for fault in CallFault
        ]
        match = (_CALL.version_id, _CALL.tournament_id, _CALL.encounter, _CALL.rotation)
        names = ("tokens_in", "tokens_out", "tokens_cached", "cost")
        latency = case((_CALL.fault.not_in(_NOT_OF_MODEL), _CALL.latency_ms), else_=0)
        has_no_count = or_(_CALL.tokens_in.is_(None), _CALL.tokens_out.is_(None))
        uncounted = and_(has_no_count, _CALL.fault != CallFault.PROVIDER.value)
        is_unfinished = and_(MATCH.c.id.is_(None), _CALL.is_void == 0)
        query = select(
            _CALL.version_id,
            func.count().label("calls"),
            func.count().filter(_CALL.fault == "").label("moves"),
            *(func.sum(_CALL[name]).label(name) for name in names),
            func.sum(_CALL.cost).filter(_CALL.is_void == 1).label("void_cost"),
            func.sum(_CALL.cost).filter(is_unfinished).label("unfinished_cost"),
            func.count().filter(uncounted).label("uncounted"),
            func.sum(latency).label("latency_ms"),
            *counts,
        ).group_by(_CALL.version_id)
        places = select(*match).distinct()
        query = _chosen(_with_matches(query, is_finished), game, tournament)
        among = _chosen(_with_matches(places, is_finished), game, tournament).subquery()
        matches = select(among.c.version_id, func.count()).group_by(among.c.version_id)
        with self._db.reading() as connection:
            played = dict(tuple(row) for row in connection.execute(matches))
            rows = connection.execute(query.order_by(_CALL.version_id)).all()
        return tuple(_total_of(row, played[row.version_id]) for row in rows)

    def open_calls(
        self, game: str | None = None, tournament: int | None = None
    ) -> dict[tuple[int, int], int]:
        """Count the calls that may be under way by tournament and version.

        They have no answer, and their match has asked nothing since.
        """
        later = LLM_CALL.alias()
        is_older = exists().where(
            later.c.id > _CALL.id,
            *(later.c[name] == _CALL[name] for name in (*_MATCH_NAMES, "seat")),
        )
        place = (_CALL.tournament_id, _CALL.version_id)
        unanswered = _CALL.fault == CallFault.UNANSWERED.value
        query = select(*place, func.count()).where(unanswered, _CALL.is_void == 0, ~is_older)
        with self._db.reading() as connection:
            rows = connection.execute(_chosen(query, game, tournament).group_by(*place)).all()
        return {(place, version): count for place, version, count in rows}


def _with_matches(query: Select[Any], is_finished: bool) -> Select[Any]:
    """Join calls with their matches; if it `is_finished`, only those that count are left."""
    is_its = and_(*(MATCH.c[name] == _CALL[name] for name in _MATCH_NAMES))
    query = query.join_from(LLM_CALL, MATCH, is_its, isouter=not is_finished)
    return query.where(_CALL.is_void == 0) if is_finished else query


def _chosen(query: Select[Any], game: str | None, tournament: int | None) -> Select[Any]:
    """Choose the calls of a game and of a tournament, if given."""
    if game is not None:
        played = select(TOURNAMENT.c.id).where(TOURNAMENT.c.game == game)
        query = query.where(_CALL.tournament_id.in_(played))
    return query if tournament is None else query.where(_CALL.tournament_id == tournament)


class CallTable(CallReader):
    """Storage of the calls of matches."""

    def note(self, tournament: int, key: MatchKey, call: ModelCall) -> int:
        """Store a call that is about to be sent, and return its number.

        It survives a power cut, as does its end: it may cost money.
        """
        row = _row_of(call) | {"tournament_id": tournament, "called_at": now()}
        with self._db.writing(is_durable=True) as connection:
            added = insert(LLM_CALL).values(**row, **key._asdict()).returning(_CALL.id)
            number: int = connection.execute(added).scalar_one()
        return number

    def settle(self, number: int, call: ModelCall) -> None:
        """Replace the call of that number by what became of it."""
        with self._db.writing(is_durable=True) as connection:
            ended = update(LLM_CALL).where(_CALL.id == number)
            connection.execute(ended.values(_row_of(call)))

    def find(self, tournament: int, key: MatchKey, asked: ModelCall) -> ModelCall | None:
        """Return the call of a match that asks the same at the same place, if it was answered."""
        query = select(*_FIELDS).where(
            _is_of(tournament, key),
            _CALL.is_void == 0,
            _CALL.fault.not_in(_NOT_OF_MODEL),
            *(_CALL[name] == getattr(asked, name) for name in ("ply", "seat", "attempt", "digest")),
        )
        with self._db.reading() as connection:
            row = connection.execute(query.order_by(_CALL.id).limit(1)).first()
        return _call_of(row) if row else None

    def spent(self, tournament: int, version: int) -> float:
        """Return the cost of all calls of a version in a tournament, as far as it is known."""
        query = select(func.coalesce(func.sum(_CALL.cost), 0.0)).where(
            _CALL.tournament_id == tournament, _CALL.version_id == version
        )
        with self._db.reading() as connection:
            return float(connection.execute(query).scalar_one())


def _is_of(tournament: int, key: MatchKey) -> Any:
    return and_(
        _CALL.tournament_id == tournament,
        _CALL.encounter == key.encounter,
        _CALL.rotation == key.rotation,
    )


def _row_of(call: ModelCall) -> dict[str, Any]:
    row = {column.name: getattr(call, _named(column.name)) for column in _FIELDS}
    return row | {"fault": call.fault or ""}


def _named(column: str) -> str:
    return column.removesuffix("_id")


def _call_of(row: Row[Any]) -> ModelCall:
    values = {_named(name): value for name, value in row._mapping.items()}
    return ModelCall(**{**values, "fault": CallFault(row.fault) if row.fault else None})


def _total_of(row: Row[Any], matches: int) -> CallTotal:
    counts: Sequence[tuple[CallFault, int]] = [
        (fault, getattr(row, fault.name)) for fault in CallFault
    ]
    faults = {fault: count for fault, count in counts if count}
    return CallTotal(
        version=row.version_id,
        matches=matches,
        calls=row.calls,
        moves=row.moves,
        answers=row.calls - sum(faults.get(each, 0) for each in CallFault if not each.is_of_model),
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        tokens_cached=row.tokens_cached,
        cost=row.cost,
        void_cost=row.void_cost,
        unfinished_cost=row.unfinished_cost,
        uncounted=row.uncounted,
        latency_ms=row.latency_ms,
        faults=faults,
    )
