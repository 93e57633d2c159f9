"""Answers from a league's results: standings, crosstables, and other statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from league.api.answer import Answer, plain, with_version
from league.api.arguments import checks_arguments
from league.api.options import SelectionOptions
from league.api.plots import Plotted, draw_history
from league.api.tournament import Crosstable, standings_of
from league.model.errors import SetupError, UnknownRowError
from league.store.store import Store

if TYPE_CHECKING:
    from league.analysis.bot_health import Health
    from league.analysis.calibration_report import PoolCalibration
    from league.analysis.model_costs import ModelCost
    from league.analysis.pool_statistics import PoolStatistics
    from league.analysis.rating_history import HistoryPoint
    from league.analysis.standings import Standings
    from league.analysis.versus import Versus


SELECTING = ("tournaments", "since", "time", "versions", "include_retired")
"""The options of standings that choose matches and bots."""


@checks_arguments
class Statistics:
    """The part of `League` that answers from all results of a game, or of a tournament."""

    store: Store

    def standings(
        self, game: str | None = None, **how: Unpack[SelectionOptions]
    ) -> Plotted[list[Standings]]:
        """Rank the bots of a game, or game by game; see `SelectionOptions`.

        Ratings and their errors, half the 95% interval, are in Elo.

        >>> table = cup.standings("tictactoe").value[0]
        >>> table.rows[0].bot
        'shallow'

        Its `plot` draws them by matplotlib.
        """
        from league.analysis.match_selection import read_selection

        given: Any = {word: value for word, value in how.items() if value is not None}
        words = {word: given.pop(word) for word in SELECTING if word in given}
        selection = read_selection(**words)
        chosen = {self.game_of(each, game) for each in selection.tournaments}
        games = [each for each in self.games(game) if not chosen or each in chosen]
        return standings_of(self.store, games, None, selection, **given)

    def crosstable(self, game: str | None = None) -> Crosstable:
        """Show what every bot of a game scored against every other: points / matches.

        Raises `SetupError` if several games were played and none is given.
        """
        from league.render.text.standings import NO_MATCHES

        games = self.games(game)
        if len(games) != 1:
            told = f"several games were played: choose one of {', '.join(games)}"
            raise SetupError(told if games else NO_MATCHES)
        return Crosstable(self.store, games[0], None)

    def versus(
        self,
        bot: str,
        against: str,
        *,
        game: str | None = None,
        tournament: int | None = None,
        all_versions: bool = False,
    ) -> Answer[list[Versus]]:
        """Show what a bot scored against another, game by game, with error bars.

        >>> cup.versus("shallow", "chance").value[0].whole.matches > 0
        True
        """
        from league.analysis.versus import versus
        from league.render.text.score_parts import where
        from league.render.text.standings import NO_MATCHES
        from league.render.text.versus import versus_blocks

        games = self._played(game, tournament)
        how: dict[str, Any] = {"tournament": tournament, "is_all_versions": all_versions}
        found = [versus(self.store, each, bot, against, **how) for each in games]
        met = [each for each in found if each.newest]
        hint = "" if all_versions else "; '--versions all' looks at all their versions"
        place = where(" and ".join(games), tournament)
        none = f"{bot!r} and {against!r} have not met in {place}{hint}" if games else NO_MATCHES
        return Answer(
            met,
            lambda: (
                [block for each in met for block in versus_blocks(each, tournament, all_versions)]
                or [none]
            ),
        )

    def stats(
        self, game: str | None = None, *, tournament: int | None = None
    ) -> Answer[list[PoolStatistics]]:
        """Show how matches went: draws, first seat, lengths, endings, openings, cycles.

        >>> cup.stats("tictactoe").value[0].matches > 0
        True
        """
        from league.analysis.pool_statistics import pool
        from league.render.text.pool_statistics import pool_blocks
        from league.render.text.standings import NO_MATCHES

        games = self._played(game, tournament)
        found = [pool(self.store, each, tournament) for each in games]
        return Answer(
            found,
            lambda: [b for each in found for b in pool_blocks(each, tournament)] or [NO_MATCHES],
        )

    def model_costs(
        self, game: str | None = None, *, tournament: int | None = None
    ) -> Answer[list[ModelCost]]:
        """Show the calls, tokens and cost of language models, all that were made.

        Raises `UnknownRowError` for a tournament that there is not, or is not of the game.

        >>> cup.model_costs().value
        []
        """
        from league.analysis.model_costs import model_costs
        from league.render.text.model_costs import cost_blocks

        games = self._played(game, tournament)
        found = model_costs(self.store, None if game is None else games[0], tournament)
        return Answer(found, lambda: cost_blocks(found))

    def health(
        self,
        bot: str | None = None,
        *,
        game: str | None = None,
        tournament: int | None = None,
        all_versions: bool = False,
        matches: int = 200,
    ) -> Answer[dict[str, list[Health]]]:
        """Show how bots fare as programs, or one in detail: forfeits, time, speed, depth.

        Looks at each bot's newest `matches`; 0 counts all matches and their forfeits, and looks at
        no moves. The value holds a row for each bot, by game; times are in seconds.

        >>> [row.late for row in cup.health("chance").value["tictactoe"]]
        [0]
        """
        from league.analysis.bot_health import health, play_lines
        from league.render.text.health import health_blocks

        if matches < 0:
            raise SetupError(f"matches {matches}: expected 0 or more")
        store = self.store
        bots = store.bots.all(include_retired=True) if bot is None else [store.bots.get(bot)]
        how: dict[str, Any] = {"bots": bots, "is_all_versions": all_versions, "matches": matches}
        found = {
            each: health(store, each, tournament=tournament, **how)
            for each in self._played(game, tournament)
        }
        for each, rows in found.items() if matches else ():
            play_lines(store, each, tournament, rows, matches)
        return Answer(
            found,
            lambda: health_blocks(found, tournament, matches, bot),
            lambda: _health_documents(found, tournament, matches),
            "bots",
        )

    def calibration(
        self, game: str | None = None, *, tournament: int | None = None
    ) -> Answer[list[PoolCalibration]]:
        """Show whether one number describes each bot: expected and actual scores.

        >>> cup.calibration("tictactoe").value[0].game
        'tictactoe'
        """
        from league.analysis.calibration_report import calibration
        from league.render.text.calibration import calibration_blocks
        from league.render.text.standings import NO_MATCHES

        games = self._played(game, tournament)
        found = [calibration(self.store, each, tournament) for each in games]
        return Answer(
            found,
            lambda: (
                [b for each in found for b in calibration_blocks(each, tournament)] or [NO_MATCHES]
            ),
        )

    def ratings(
        self, bot: str, game: str | None = None, *, system: str = "fitted"
    ) -> Plotted[dict[str, list[HistoryPoint]]]:
        """List the ratings that a bot had, as they were kept; the value holds them by game.

        Its `plot` draws them by matplotlib.

        >>> [point.matches for point in cup.ratings("chance").value["tictactoe"]]
        [4]
        """
        from league.analysis.rating_history import history, system_of
        from league.render.text.ratings import history_blocks

        name = self.store.bots.get(bot).name
        digits = system_of(self.store, system).digits
        found = {each: history(self.store, each, system, bot) for each in self.games(game)}
        points = [point for of_game in found.values() for point in of_game]
        labels = self.store.bots.labels(sorted({point.version for point in points}))
        answer = Answer(
            found,
            lambda: history_blocks(found, labels, digits),
            lambda: points,
            lambda: [with_version(row, labels[row["version"]]) for row in plain(points)],
        )
        kept = [each for each, points in found.items() if points]
        return Plotted(
            answer,
            kept,
            lambda each, ax: draw_history(found[each], labels, f"{name}, {each}", ax),
        )

    def recompute(
        self, game: str | None = None, systems: Sequence[str] = ()
    ) -> Answer[list[tuple[str, str, int]]]:
        """Throw the kept ratings away and compute them from the matches again.

        `systems` are others than `fitted` and `elo`. The value holds games, systems, and how many
        ratings were kept.

        >>> print(cup.recompute())
        tictactoe: 1 snapshots of fitted
        tictactoe: 4 snapshots of elo
        """
        from league.analysis.rating_history import recompute
        from league.render.text.ratings import recomputed_blocks

        found = recompute(self.store, None if game is None else self.games(game)[0], systems)
        return Answer(found, lambda: recomputed_blocks(found), lambda: _recomputed_documents(found))

    def games(self, game: str | None = None) -> list[str]:
        """List the games that were played, with their options; or that one of them."""
        played = list(self.store.totals.games_played())
        if game is None:
            return played
        from games.support.specs import find_game

        return [game if game in played else find_game(game).spec]

    def _played(self, game: str | None, tournament: int | None) -> list[str]:
        """Return the games to tell of: that of a tournament, one, or all that were played."""
        if tournament is not None:
            return [self.game_of(tournament, game)]
        return self.games(game)

    def game_of(self, tournament: int, game: str | None = None) -> str:
        """Return the game of a tournament; raise `UnknownRowError` if that is not `game`."""
        played = self.store.tournaments.get(tournament).config.game
        if game is not None and self.games(game) != [played]:
            text = f"tournament {tournament} is of {played!r}, not of {game!r}"
            raise UnknownRowError(text, "tournament", tournament)
        return played


def _recomputed_documents(found: Sequence[tuple[str, str, int]]) -> object:
    from league.interchange.documents.tournaments import Recomputed

    return [Recomputed(game=game, system=system, snapshots=count) for game, system, count in found]


def _health_documents(
    found: Mapping[str, list[Health]], tournament: int | None, matches: int
) -> object:
    from league.interchange.documents.bots import health_document

    return [
        health_document(game, rows, tournament=tournament, matches=matches)
        for game, rows in found.items()
    ]
