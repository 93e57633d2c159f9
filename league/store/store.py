"""The store: one league's database, opened."""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Engine, func, select

from league.store.bots import BotReader, BotTable
from league.store.cache import Cache, Value
from league.store.conduct import ConductReader, ConductTable
from league.store.database import Database
from league.store.engine import make_engine, path_of, translated
from league.store.exploitability import ExploitabilityReader, ExploitabilityTable
from league.store.game_texts import RuleReader, RuleTable
from league.store.kept_standings import KEY, has_sides, kept_text, read_basis
from league.store.live_matches import LiveReader, LiveTable
from league.store.matches import MatchReader, MatchTable
from league.store.migration import check_revision, current_revision
from league.store.migration import create as create_database
from league.store.model_calls import CallReader, CallTable
from league.store.opening_books import BookReader, BookTable
from league.store.rating_snapshots import SnapshotReader, SnapshotTable
from league.store.results import ResultReader
from league.store.settings import SettingReader, SettingTable
from league.store.tables import BOT, CONDUCT, EXPLOITABILITY, TOURNAMENT, VERSION
from league.store.totals import TotalReader, TotalTable
from league.store.tournaments import TournamentReader, TournamentTable
from league.store.voids import VoidReader, VoidTable

# Not the newest match's number: PostgreSQL commits numbers out of order.
_TOURNAMENTS = select(
    func.count(),
    func.sum(TOURNAMENT.c.saves),
    func.sum(TOURNAMENT.c.revision),
    func.sum(func.length(TOURNAMENT.c.state)),
)
_CONDUCT = select(
    func.sum(CONDUCT.c.matches),
    func.sum(CONDUCT.c.kills + CONDUCT.c.failed_starts + CONDUCT.c.hangs),
    func.sum(func.length(CONDUCT.c.suspended)),
)
_BOTS = (
    # Not a count alone: a bot may be renamed or retired.
    select(BOT.c.name, BOT.c.is_retired).order_by(BOT.c.id),
    select(func.max(VERSION.c.id)),
    select(func.count(), func.sum(EXPLOITABILITY.c.value)),
)


Opened = TypeVar("Opened", bound="Store")


class StoreReader(Database):
    """What may be read of a league by everybody who sees its pages.

    Each table has its queries. Every one is a consistent read, and may raise `DatabaseError`.
    """

    bots: BotReader
    tournaments: TournamentReader
    matches: MatchReader
    results: ResultReader
    totals: TotalReader
    voids: VoidReader
    snapshots: SnapshotReader
    conduct: ConductReader
    exploitability: ExploitabilityReader
    calls: CallReader
    live: LiveReader
    books: BookReader
    rules: RuleReader
    settings: SettingReader

    memory: Cache | None = None

    def recall(
        self,
        key: Hashable,
        make: Callable[[], Value],
        *,
        game: str | None = None,
        tournament: int | None = None,
    ) -> Value:
        """Return `make()`, cached per state of the database if the store has a cache.

        The result must be immutable and depend only on the key, the matches, the tournaments with
        the bots' conduct, and the bots: with a `game` or a `tournament`, on the matches and
        tournaments of that alone. Then it stays while other matches are stored.
        """
        memory = self._memory_of(key)
        if memory is None:
            return make()
        return memory.recall(self.state(game, tournament), key, make)

    def _memory_of(self, key: Hashable) -> Cache | None:
        """Return where the values of a key are remembered."""
        return self.memory

    def recall_recent(
        self, key: Hashable, make: Callable[[], Value], *, game: str | None = None
    ) -> Value:
        """Return `make()` as `recall` does, or of a recent state where it takes long."""
        if self.memory is None:
            return make()
        return self.memory.recent(self.state(game), key, make)

    def state(self, game: str | None = None, tournament: int | None = None) -> object:
        """Return a value that changes with every stored match, tournament, bot and conduct.

        With a `game` or a `tournament`, of the tournaments, matches and conduct only those there
        count.
        """
        tournaments, conduct = _TOURNAMENTS, _CONDUCT
        if tournament is not None:
            tournaments = tournaments.where(TOURNAMENT.c.id == tournament)
            conduct = conduct.where(CONDUCT.c.tournament_id == tournament)
        elif game is not None:
            tournaments = tournaments.where(TOURNAMENT.c.game == game)
            conduct = conduct.join_from(CONDUCT, TOURNAMENT).where(TOURNAMENT.c.game == game)
        with self.reading() as connection:
            return tuple(
                tuple(map(tuple, connection.execute(each).cursor.fetchall()))
                for each in (tournaments, conduct, *_BOTS)
            )


class Store(StoreReader):
    """A league's database, opened; use it in a `with` statement.

    Every query of its tables is one short transaction or consistent read.
    """

    bots: BotTable
    tournaments: TournamentTable
    matches: MatchTable
    totals: TotalTable
    voids: VoidTable
    snapshots: SnapshotTable
    conduct: ConductTable
    exploitability: ExploitabilityTable
    calls: CallTable
    live: LiveTable
    books: BookTable
    rules: RuleTable
    settings: SettingTable

    def __init__(
        self, engine: Engine, target: str, path: Path | None, is_read_only: bool = False
    ) -> None:
        super().__init__(engine, target, path, is_read_only)
        self.bots = BotTable(self)
        self.tournaments = TournamentTable(self)
        self.matches = MatchTable(self)
        self.results = ResultReader(self)
        self.totals = TotalTable(self)
        self.voids = VoidTable(self)
        self.snapshots = SnapshotTable(self)
        self.conduct = ConductTable(self)
        self.exploitability = ExploitabilityTable(self)
        self.calls = CallTable(self)
        self.live = LiveTable(self)
        self.books = BookTable(self)
        self.rules = RuleTable(self)
        self.settings = SettingTable(self)

    def standings_basis(self) -> str | None:
        """Return a digest of all that standings follow from; None if they are not to be kept."""
        if self.path is None or self.is_read_only:
            return None
        with self.reading() as connection:
            if has_sides(connection.exec_driver_sql):
                return None
            return read_basis(connection.exec_driver_sql)

    def keep_standings(self, basis: str, blocks: list[Any]) -> None:
        """Keep the standings as they are shown, unless their basis has changed meanwhile."""
        if self.standings_basis() == basis:
            self.settings.set(KEY, kept_text(basis, blocks))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the database go."""
        self.is_closed = True
        self.engine.dispose()


def open_store(
    target: str, *, create: bool = False, read_only: bool = False, remembers: bool = False
) -> Store:
    """Open the database `target` (a file or URL); if `create`, create it if missing.

    With `remembers`, the store caches results computed from its matches until these change, for
    processes that answer the same questions repeatedly. Raises `DatabaseError` if the database is
    missing, of another revision, damaged or unreachable.
    """
    return open_as(Store, target, create=create, read_only=read_only, remembers=remembers)


def open_as(
    kind: type[Opened], target: str, *, create: bool, read_only: bool, remembers: bool
) -> Opened:
    """Open a database as `open_store` does, as a store of that kind."""
    engine = make_engine(target, create=create, read_only=read_only)
    with translated(target):
        with engine.connect() as connection:
            is_new = create and current_revision(connection) == ""
            if not is_new:
                check_revision(connection, target)
        if is_new:
            create_database(target)
    store = kind(engine, target, path_of(target), read_only)
    store.memory = Cache() if remembers else None
    return store
