"""Counts of the matches of each bot and each game of a league."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from league.analysis.places import sum_of_places
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings, newest_standings, results_of
from league.store.rows import BotRow
from league.store.store import StoreReader


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of matches, and the time when the newest one ended, 0 for none."""

    matches: int = 0
    finished_at: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """Return both together."""
        newest = max(self.finished_at, other.finished_at)
        return Tally(self.matches + other.matches, newest)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotRecord:
    """The matches of all versions of a bot, in one game or in several.

    `places` counts them by place if all are of games with as many sides, more than two.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    places: tuple[int, ...] = ()
    points: float = 0.0
    forfeits: int = 0

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the possible points, 0 to 1."""
        return self.points / self.matches if self.matches else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSummary:
    """A bot, what it has played by game, most matches first, and its rating.

    `record` is over all of these games. `rated` is the game that it has played most of those that
    rate it, and its row there; None for a bot without a rating, a retired one too. `rank_told` is
    its rank there among the bots that it can be compared with.
    """

    bot: BotRow
    by_game: dict[str, Tally]
    record: BotRecord
    rated: tuple[str, Standing] | None
    rank_told: str = ""

    @property
    def options(self) -> str:
        """The options of its newest version in words, '' for none."""
        return " ".join(f"{name}={value}" for name, value in self.bot.versions[-1].options.items())

    @property
    def tally(self) -> Tally:
        """Return the sum over all of its games."""
        return sum(self.by_game.values(), Tally())


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """A game that was played, and by how many bots."""

    spec: str
    bots: int
    tally: Tally


def summarize_bots(store: StoreReader, game: str | None = None) -> list[BotSummary]:
    """Return every bot by name; with a game, only what it did there, and only those that played."""
    played: dict[int, dict[str, Tally]] = {}
    for (each, number), tally in _tallies(store)[1].items():
        if game in (each, None):
            played.setdefault(number, {})[each] = tally
    games = sorted({each for found in played.values() for each in found})
    newest = {each: newest_standings(store, each) for each in games}
    ratings = {
        each: {row.name: row for row in found.rows if row.rank} for each, found in newest.items()
    }
    rows: dict[int, list[Standing]] = {}
    for each in games:
        for row in results_of(store, each):
            rows.setdefault(row.version, []).append(row)
    summaries = []
    for bot in store.bots.all(include_retired=True):
        if game is not None and bot.id not in played:
            continue
        by_game = sorted(played.get(bot.id, {}).items(), key=lambda each: -each[1].matches)
        # The best of several ratings would be the noisiest one, and of another scale.
        rated = next(
            ((each, ratings[each][bot.name]) for each, _ in by_game if bot.name in ratings[each]),
            None,
        )
        summaries.append(
            BotSummary(
                bot=bot,
                by_game=dict(by_game),
                record=record_of(
                    row for version in bot.versions for row in rows.get(version.id, ())
                ),
                rated=rated,
                rank_told=_rank_told(newest, rated),
            )
        )
    return summaries


def summarize_games(store: StoreReader) -> list[GameSummary]:
    """Return every game that was played, most matches first."""
    by_game, by_bot = _tallies(store)
    bots = [game for game, _ in by_bot]
    found = [
        GameSummary(spec=game, bots=bots.count(game), tally=tally)
        for game, tally in by_game.items()
    ]
    return sorted(found, key=lambda each: (-each.tally.matches, each.spec))


def record_of(rows: Iterable[Standing]) -> BotRecord:
    """Return the record that a bot's rows of standings sum up to."""
    found = list(rows)
    return BotRecord(
        wins=sum(row.wins for row in found),
        draws=sum(row.draws for row in found),
        losses=sum(row.losses for row in found),
        places=sum_of_places(found),
        points=sum(row.points for row in found),
        forfeits=sum(row.forfeits.total() for row in found),
    )


def _rank_told(newest: Mapping[str, Standings], rated: tuple[str, Standing] | None) -> str:
    """Write a rank with its pool where the bots of the game never met all the others."""
    if rated is None:
        return ""
    game, row = rated
    found = newest[game]
    if found.pools < 2:
        return f"#{row.shown_rank}"
    return f"#{row.shown_rank} of {found.pool_sizes[row.pool]}, pool {row.pool}"


def _tallies(store: StoreReader) -> tuple[dict[str, Tally], dict[tuple[str, int], Tally]]:
    """Return what was played by game, and by game and number of the bot."""
    return store.recall_recent(("tallies",), lambda: _tally(store))


def _tally(store: StoreReader) -> tuple[dict[str, Tally], dict[tuple[str, int], Tally]]:
    bots = {
        version.id: bot.id
        for bot in store.bots.all(include_retired=True)
        for version in bot.versions
    }
    by_game: dict[str, Tally] = {}
    by_bot: dict[tuple[str, int], Tally] = {}
    for row in store.totals.activity():
        tally = Tally(row.matches, row.finished_at)
        by_game[row.game] = by_game.get(row.game, Tally()) + tally
        # A match of a bot against itself is one.
        for bot in {bots[version] for version in row.versions}:
            by_bot[row.game, bot] = by_bot.get((row.game, bot), Tally()) + tally
    return by_game, by_bot
