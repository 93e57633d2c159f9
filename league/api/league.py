"""One league: its bots, tournaments, matches and ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from games.support.errors import UnknownNameError
from league.api.answer import Answer
from league.api.match import Match, Matches
from league.api.options import (
    PlayOptions,
    RegisterOptions,
    Settings,
    StandingsOptions,
    check_known,
)
from league.api.progress import ShowProgress
from league.api.tools import Tools
from league.api.tournament import Crosstable, Tournament, standings_of
from league.model.errors import SettingError, SetupError
from league.store.rows import BotRow
from league.store.store import open_store
from league.tournament.run_options import RunOptions

if TYPE_CHECKING:
    from league.analysis.bot_health import Health
    from league.analysis.calibration_report import PoolCalibration
    from league.analysis.pool_statistics import PoolStatistics
    from league.analysis.standings import Standings
    from league.analysis.verify import VerifyFinding
    from league.analysis.versus import Versus
    from league.api.tools import BotSource
    from league.interchange.import_pgn import Imported
    from league.match.session import Session
    from league.model.tournament_spec import TournamentSpec
    from league.registration.register import Registration
    from league.store.matches import MatchFilter
    from league.store.store import Store


class League(Tools):
    """A league, kept in one database.

    `target` is the path of an SQLite file or a PostgreSQL URL; it is made if it is missing, unless
    `create` is False. With `read_only` it must exist and stays as it is. Use it in a `with`
    statement, or call `close`.

    Every method raises `InputError` (`LeagueError` and its kinds among them) for what a user can
    mend, and leaves the database as it was.

    >>> with League("cup.db") as cup:
    ...     print(cup.bots())
     bot       spec      options   versions   games
     ──────────────────────────────────────────────
     chance    random    –                1   any
     shallow   minimax   depth=2          1   any
    """

    def __init__(
        self, target: str | Path = "league.db", *, create: bool = True, read_only: bool = False
    ) -> None:
        self.target = str(target)
        is_made = create and not read_only
        self.store = open_store(self.target, create=is_made, read_only=read_only)

    @classmethod
    def of(cls, store: Store) -> Self:
        """Return the league of a store that is open already."""
        league = cls.__new__(cls)
        league.target, league.store = store.target, store
        return league

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the database go."""
        self.store.close()

    def __repr__(self) -> str:
        return f"League({self.target!r})"

    def register(
        self, name: str, source: BotSource, **how: Unpack[RegisterOptions]
    ) -> Answer[Registration]:
        """Register a bot under a name, or a new version of it.

        `source` is a spec (`iterative:depth=6`, `uci:stockfish`), a Python file, or a function
        `choose(state, clock)` or class of this program or notebook, whose source is stored as a
        file's. The bot is tried out first. `RegisterOptions` says what else can be given. Raises
        `SpecError` or `CheckError` for a bot that can't be loaded or does not play.

        >>> def first(state, clock):
        ...     return state.legal_moves()[0]
        >>> cup.register("first", first, games=["tictactoe"], check=False)
        registered first (version 1)
        """
        from league.api.tools import level_of, version_from, words_of
        from league.registration.register import register_version
        from league.render.text.registration import registration_blocks

        check_known(how, RegisterOptions)
        level = level_of(how.get("isolation", "auto"))
        found = register_version(
            self.store,
            version_from(name, source, how),
            games=words_of(how.get("games", ())),
            is_checked=how.get("check", True),
            isolation=level,
        )
        return Answer(found, lambda: registration_blocks(found))

    def retire(self, name: str, *, undo: bool = False) -> None:
        """Take a bot out of future tournaments, or bring it back; its matches and ratings stay."""
        if undo:
            self.store.restore(name)
        else:
            self.store.retire(name)

    def bots(self, *, retired: bool = False) -> Answer[tuple[BotRow, ...]]:
        """List the bots by name, retired ones too if asked."""
        from league.render.text.listings import bots_blocks

        found = self.store.bots(include_retired=retired)
        return Answer(found, lambda: bots_blocks(found, has_retired=retired))

    def bot(self, name: str) -> Answer[BotRow]:
        """Show a bot with its versions; raise `UnknownRowError` if there is none of that name."""
        from league.render.text.listings import bot_blocks

        found = self.store.bot(name)
        return Answer(found, lambda: bot_blocks(found), rows="versions")

    def create(self, game: str | TournamentSpec, **settings: Unpack[Settings]) -> Tournament:
        """Store a tournament that nobody has played yet; see `run` for what describes it.

        `Tournament.resume` plays it.
        """
        from league.model.tournament_spec import TournamentSpec
        from league.tournament.create import create_tournament
        from league.tournament.settings import read_settings, write_settings

        words = {name.replace("_", "-"): value for name, value in settings.items()}
        try:
            if not isinstance(game, TournamentSpec):
                spec = read_settings({"bots": ["all"], **words, "game": game})
            elif words:
                spec = read_settings({**write_settings(game), **words})
            else:
                spec = game
        except SettingError as error:
            raise SettingError(error.reason, error.setting.replace("-", "_")) from None
        return Tournament(self.store, create_tournament(self.store, spec).id)

    def run(
        self,
        game: str | TournamentSpec,
        *,
        progress: ShowProgress = True,
        options: RunOptions = RunOptions(),  # noqa: B008 (frozen)
        **settings: Unpack[Settings],
    ) -> Tournament:
        """Play a tournament to its end and return it.

        `game` with settings describes it, or a `TournamentSpec`, which settings change. They are
        the options of `league run` with underscores; `Settings` lists them. Times are in seconds or
        text such as '50ms'. Without a limit a bot has 100 ms for each move; without `bots` all of
        them play. `progress` is True for a bar, False for nothing, or a function of each
        `Progress`. Works beside other threads and inside an event loop. After a KeyboardInterrupt,
        `resume` goes on. If another process pauses it, it is returned as it stands.

        >>> knockout = cup.run("tictactoe", format="knockout", depth=2, seed=1)
        >>> knockout.is_finished
        True
        """
        if not isinstance(options, RunOptions):
            raise SetupError(f"options {options!r}: expected RunOptions(workers=2) or the like")
        tournament = self.create(game, **settings)
        tournament.play(options, progress)
        return tournament

    def tournament(self, number: int | None = None) -> Tournament:
        """Return a tournament by number, or the newest; raise `UnknownRowError` for none."""
        from league.tournament.create import newest

        return Tournament(self.store, newest(self.store, number).id)

    def tournaments(self) -> list[Tournament]:
        """List the tournaments by number."""
        return [Tournament(self.store, row.id) for row in self.store.tournaments()]

    def resume(
        self,
        number: int | None = None,
        *,
        progress: ShowProgress = True,
        options: RunOptions = RunOptions(),  # noqa: B008 (frozen)
    ) -> Tournament:
        """Play what a tournament lacks: the newest unfinished one, or the one given."""
        tournament = self.unfinished(number)
        tournament.play(options, progress)
        return tournament

    def unfinished(self, number: int | None = None) -> Tournament:
        """Return a tournament by number, or the newest unfinished one, as `resume` plays it."""
        from league.tournament.create import unfinished

        return Tournament(self.store, unfinished(self.store, number).id)

    def pause(self, number: int) -> Tournament:
        """Make the runner of a tournament finish the matches in play and stop."""
        return self.tournament(number).pause()

    def cancel(self, number: int) -> Tournament:
        """End a tournament for good; what was played stays and counts."""
        return self.tournament(number).cancel()

    def join(self, number: int, bots: Sequence[str]) -> Tournament:
        """Add bots to a tournament, also while it runs; the matches they lack are played."""
        return self.tournament(number).join(bots)

    def withdraw(self, number: int, bot: str) -> Tournament:
        """Withdraw a bot from a tournament; what it has played stays."""
        return self.tournament(number).withdraw(bot)

    def extend(
        self, number: int, rounds: int = 0, *, until_error: float | None = None
    ) -> Tournament:
        """Add rounds to a tournament, or lower the error in Elo that ends it."""
        return self.tournament(number).extend(rounds, until_error=until_error)

    def standings(
        self, game: str | None = None, **how: Unpack[StandingsOptions]
    ) -> Answer[list[Standings]]:
        """Rank the bots of a game, or game by game; see `StandingsOptions`.

        Ratings and their errors, half the 95% interval, are in Elo.

        >>> table = cup.standings("tictactoe").value[0]
        >>> table.rows[0].bot
        'shallow'
        """
        return standings_of(self.store, self.games(game), None, **how)

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

    def matches(
        self, *, limit: int = 20, offset: int = 0, **wanted: Unpack[MatchFilter]
    ) -> Matches:
        """List matches, newest first; `MatchFilter` says by what to choose.

        >>> len(cup.matches(limit=3, bot="chance"))
        3
        """
        from league.model.records import Termination
        from league.store.matches import MatchFilter

        check_known(wanted, MatchFilter)
        if limit < 1 or offset < 0:
            raise SetupError(f"limit {limit}, offset {offset}: expected 1 or more, and 0 or more")
        if (game := wanted.get("game")) is not None:
            wanted["game"] = self.games(game)[0]
        if (bot := wanted.get("bot")) is not None:
            wanted["bot"] = self.store.bot(bot).name
        if (tournament := wanted.get("tournament")) is not None:
            self.store.tournament(tournament)
        if (termination := wanted.get("termination")) is not None:
            kinds = [str(kind) for kind in Termination]
            if termination not in kinds:
                raise UnknownNameError("termination", termination, kinds)
            wanted["termination"] = Termination(termination)
        rows = self.store.matches(limit=limit, offset=offset, **wanted)
        return Matches(self.store, [row.id for row in rows], rows)

    def match(self, number: int | None = None) -> Match:
        """Return a match by number, or the newest; raise `UnknownRowError` for none.

        Its methods are `replay`, `why`, `repro` and `explain`.
        """
        from league.analysis.replay import newest_match

        if number is None:
            number = newest_match(self.store)
        (row,) = self.store.match_rows([number])
        return Match(self.store, row)

    def verify(
        self,
        tournament: int | None = None,
        *,
        on_match: Callable[[int, int], None] = lambda done, total: None,
    ) -> Answer[list[VerifyFinding]]:
        """Replay every stored match, or a tournament's, and say what does not hold.

        `on_match` is told the number done and the total. An empty value is good.

        >>> cup.verify().value
        []
        """
        from league.analysis.verify import verify
        from league.render.text.verification import verify_blocks

        done, findings = verify(self.store, tournament, on_match)
        rows = (
            self.store.tournaments() if tournament is None else [self.store.tournament(tournament)]
        )
        imported = sum(row.played for row in rows if row.config.is_imported)
        return Answer(
            findings,
            lambda: verify_blocks(done, imported, findings),
            lambda: _verify_document(done, imported, findings),
            "findings",
        )

    def export(
        self,
        matches: Sequence[int | Match] | None = None,
        *,
        to: str | Path | None = None,
        format: str | None = None,
        **options: Any,
    ) -> str | bytes:
        """Write matches for other programs and return the text, or the bytes of a picture.

        `matches` are numbers or matches; None is all of the newest tournament. `to` is a file to
        write too. `format` is pgn, csv, json, html, svg, animated or gif; None is that of the
        file's name, else pgn for chess and json for other games.

        >>> cup.export([1], format="csv").splitlines()[0][:5]
        'match'
        """
        from league.interchange.export_matches import matches_of, written

        found = matches_of(self.store, None) if matches is None else matches
        numbers = [each.number if isinstance(each, Match) else each for each in found]
        if to is not None and format is None:
            format = Path(to).suffix.removeprefix(".") or None
        parts = list(written(self.store, numbers, format, options))
        texts = [each for each in parts if isinstance(each, str)]
        whole: str | bytes = "".join(texts)
        if len(texts) < len(parts):
            whole = b"".join(e.encode() if isinstance(e, str) else e for e in parts)
        if to is not None:
            try:
                Path(to).write_bytes(whole.encode() if isinstance(whole, str) else whole)
            except OSError as error:
                raise SetupError(f"can't write {str(to)!r}: {error.strerror}") from None
        return whole

    def import_pgn(
        self,
        path: str | Path,
        game: str = "chess",
        *,
        names: Mapping[str, str] | None = None,
        on_game: Callable[[int], None] = lambda done: None,
    ) -> Answer[Imported]:
        """Take the matches of a PGN file into the league, as a tournament of format `import`.

        `names` says which bot a name of the file is. `on_game` is told the games done.
        """
        from league.interchange.import_pgn import import_file
        from league.interchange.import_text import import_blocks

        found = import_file(self.store, str(path), game, names or {}, on_game)
        return Answer(
            found,
            lambda: import_blocks(str(path), found),
            lambda: _import_document(str(path), found),
        )

    def play(
        self, game: str, against: str, *, seat: int = 0, **how: Unpack[PlayOptions]
    ) -> Session:
        """Sit down at a board against a bot, registered or by its spec.

        `seat` is yours; 0 moves first. See `Session` for what it does.
        """
        from league.api.sessions import session_of, version_of

        version = version_of(self.store, against, how.get("options") or {})
        return session_of(self.store.path, game, version, seat, **how)

    def stats(
        self, game: str | None = None, *, tournament: int | None = None
    ) -> Answer[list[PoolStatistics]]:
        """Show how matches went: draws, the first seat, lengths, endings, openings, cycles.

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

        Looks at each bot's newest `matches`. The value holds a row for each bot, by game; times are
        in seconds.

        >>> [row.late for row in cup.health("chance").value["tictactoe"]]
        [0]
        """
        from league.analysis.bot_health import health
        from league.render.text.health import health_blocks

        how: dict[str, Any] = {"bot": bot, "is_all_versions": all_versions, "matches": matches}
        found = {
            each: health(self.store, each, tournament=tournament, **how)
            for each in self._played(game, tournament)
        }
        return Answer(
            found,
            lambda: health_blocks(found, tournament, matches, bot),
            lambda: _health_documents(found, tournament, matches),
            "bots",
        )

    def calibration(
        self, game: str | None = None, *, tournament: int | None = None
    ) -> Answer[list[PoolCalibration]]:
        """Show whether one number describes each bot: expected against actual scores.

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

    def _played(self, game: str | None, tournament: int | None) -> list[str]:
        """Return the games to tell of: that of a tournament, one, or all that were played."""
        if tournament is not None:
            return [self.store.tournament(tournament).config.game]
        return self.games(game)

    def back_up(self, copy: str | Path) -> None:
        """Copy the database to a new file, also while a tournament runs; the copy is checked.

        Raises `SetupError` if the file exists or the database is a server's.
        """
        self.store.back_up(Path(copy))

    def games(self, game: str | None = None) -> list[str]:
        """List the games that were played, with their options; or that one of them."""
        played = list(self.store.games_played())
        if game is None:
            return played
        from games.support.specs import find_game

        return [game if game in played else find_game(game).spec]


def _verify_document(matches: int, imported: int, findings: Sequence[VerifyFinding]) -> object:
    from league.interchange.documents.matches import Verified, VerifyFault

    found = [VerifyFault.of(each) for each in findings]
    return Verified(matches=matches, imported=imported, findings=found)


def _health_documents(
    found: Mapping[str, list[Health]], tournament: int | None, matches: int
) -> object:
    from league.interchange.documents.bots import health_document

    return [
        health_document(game, rows, tournament=tournament, matches=matches)
        for game, rows in found.items()
    ]


def _import_document(path: str, found: Imported) -> object:
    from league.interchange.documents.reports import ImportedFile

    return ImportedFile.of(found, file=path)
