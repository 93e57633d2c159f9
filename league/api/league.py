"""One league: its bots, tournaments, matches and ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack, cast

from games.support.errors import UnknownNameError
from league.api.answer import Answer
from league.api.arguments import checked_options, checks_arguments
from league.api.match import Match, Matches
from league.api.options import GateOptions, PlayOptions, RegisterOptions, Settings, TrialOptions
from league.api.progress import ShowProgress
from league.api.statistics import Statistics
from league.api.tools import Tools
from league.api.tournament import Tournament, Tournaments
from league.model.errors import SettingError, SetupError
from league.model.records import Isolation, Limits
from league.store.match_filter import MatchFilter
from league.store.rows import BotRow
from league.store.soundness import back_up
from league.store.store import open_store
from league.tournament.run_options import RunOptions

if TYPE_CHECKING:
    from league.analysis.exploit import Exploited
    from league.analysis.verify import VerifyFinding
    from league.api.gate import Gate, PlayTest
    from league.api.tools import BotSource
    from league.interchange.import_pgn import Imported
    from league.match.session import Session
    from league.model.tournament_spec import TournamentSpec
    from league.registration.changes import Removal
    from league.registration.register import Registration
    from league.registration.submissions import Submitted
    from league.store.store import Store, StoreReader

Word = TypeVar("Word", bound=StrEnum)


@checks_arguments
class League(Statistics, Tools):
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
    def of(cls, store: StoreReader) -> Self:
        """Return the league of a store that is open already; it changes nothing in a mere view."""
        league = cls.__new__(cls)
        league.target, league.store = store.target, cast("Store", store)
        return league

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
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
        from league.api.registration import registered
        from league.render.text.registration import registration_blocks

        found = registered(self.store, name, source, how)
        games = () if found.is_new else self.store.bots.get(found.version.name).games
        return Answer(found, lambda: registration_blocks(found, games))

    def register_engine(
        self,
        name: str,
        spec: str,
        options: Mapping[str, str] | None = None,
        folder: str | None = None,
        *,
        limits: Limits | None = None,
    ) -> Answer[Registration]:
        """Register an engine for a tournament at once: it is started, but plays no trial match.

        It starts under the tournament's `limits`, by default in a minute. A new program under a
        known name is a new version of that bot. Raises `SpecError`, or `CheckError` for an engine
        that does not start or does not take its options.
        """
        from league.api.tools import level_of, version_from
        from league.registration.register import register_program
        from league.render.text.registration import registration_blocks

        how: RegisterOptions = {"options": options or {}, "folder": folder}
        limits = limits or Limits(isolation=Isolation.AUTO)
        level = level_of(str(limits.isolation))
        version = version_from(name, spec, how, level)
        found = register_program(self.store, version, replace(limits, isolation=level))
        return Answer(found, lambda: registration_blocks(found))

    def take_back(self, found: Registration) -> None:
        """Delete the version that `register_engine` has added; no tournament may have it."""
        if found.is_new:
            self.store.bots.delete_version(found.version.id)

    def retire(self, name: str, *, undo: bool = False) -> None:
        """Take a bot out of future tournaments, or bring it back; its matches and ratings stay."""
        if undo:
            self.store.bots.restore(name)
        else:
            self.store.bots.retire(name)

    def register_all(
        self,
        source: str | Path,
        *,
        games: str | Sequence[str] = (),
        check: bool = True,
        on_submission: Callable[[int, int, str], None] = lambda done, total, name: None,
        **trial: Unpack[TrialOptions],
    ) -> Answer[list[Submitted]]:
        """Register a class: a folder of submissions, or a roster in CSV.

        Each file, folder and zip in the folder is a bot, named as it is; a roster has the columns
        `name` and `bot`. One that fails stops no other; the value says why.
        `on_submission` gets the number done, the total, and the name of the next one. Raises
        `SetupError` if the source can't be read.
        """
        from league.api.tools import trial_of, words_of
        from league.registration.submissions import (
            register_submissions,
            submissions_in,
            submissions_of,
        )
        from league.render.text.registration import submitted_blocks

        path = Path(source)
        found = submissions_in(path) if path.is_dir() else submissions_of(path)
        results = register_submissions(
            self.store,
            found,
            words_of(games),
            is_checked=check,
            trial=trial_of(trial),
        )
        value = []
        for done, each in enumerate(found):
            on_submission(done, len(found), each.name)
            value.append(next(results))
        return Answer(value, lambda: submitted_blocks(value))

    def rename(self, old: str, new: str) -> None:
        """Give a bot another name; its versions, matches and ratings stay.

        Raises `NameInUseError` for a name that is taken, not allowed, or looks like another one.
        """
        from league.registration.changes import rename

        rename(self.store, old, new)

    def remove(self, name: str, *, purge: bool = False) -> Answer[Removal]:
        """Delete a bot that has been in no tournament.

        With `purge`, one that has: its name, sources, files and options are deleted, and its
        results stay under another name, because they are those of its opponents too. Raises
        `SetupError` for a bot that is in an unfinished tournament, or has results without `purge`.
        """
        from league.registration.changes import remove
        from league.render.text.registration import removal_blocks

        found = remove(self.store, name, is_purged=purge)
        return Answer(found, lambda: removal_blocks(found))

    def bots(self, *, retired: bool = False) -> Answer[tuple[BotRow, ...]]:
        """List the bots by name, retired ones too if asked."""
        from league.api.lists import bot_list

        return bot_list(self.store.bots.all(include_retired=retired), retired=retired)

    def bot(self, name: str) -> Answer[BotRow]:
        """Show a bot with its versions; raise `UnknownRowError` if there is none of that name."""
        from league.render.text.listings import bot_blocks

        found = self.store.bots.get(name)
        return Answer(found, lambda: bot_blocks(found), rows="versions")

    def create(
        self,
        game: str | TournamentSpec,
        *,
        tell: Callable[[str], None] = lambda line: None,
        options: RunOptions | None = None,
        **settings: Unpack[Settings],
    ) -> Tournament:
        """Store a tournament that nobody has played yet; see `run` for what describes it.

        `tell` hears which openings of its file are skipped. `Tournament.resume` plays it. With the
        `options` of that, a bot that can't play so is refused before anything is stored.
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
        return Tournament(self.store, create_tournament(self.store, spec, tell, options).id)

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
        tournament = self.create(game, tell=options.tell, options=options, **settings)
        tournament.play(options, progress)
        return tournament

    def gate(
        self,
        change: BotSource,
        against: str | Sequence[str | Mapping[str, Any]],
        *,
        play: PlayTest | None = None,
        **how: Unpack[GateOptions],
    ) -> Gate:
        """Test whether a change of a bot is weaker than its opponents.

        `change` is registered as `register` does. `against` are registered bots (`main@newest`) or
        specs, or mappings with `against` and the settings that differ for that opponent. Each test
        is a tournament of format `sprt`: an unfinished one of both versions with the same settings
        continues, and a decided one is not played again. `play` plays a tournament for at most so
        many seconds, by default as `resume` does. The value has the `verdict`; it is `undecided`
        where time or encounters are used up, or after a KeyboardInterrupt.

        >>> found = cup.gate("minimax:depth=2", "shallow", game="tictactoe", rounds=1, depth=2)
        >>> str(found.value.verdict)
        'undecided'
        """
        from league.api.gate import Gate, gate_of

        return Gate(gate_of(self.store, change, against, play, how))

    def tournament(self, number: int | None = None) -> Tournament:
        """Return a tournament by number, or the newest; raise `UnknownRowError` for none."""
        from league.tournament.stored import newest

        return Tournament(self.store, newest(self.store, number).id)

    def tournaments(self) -> Tournaments:
        """List the tournaments by number."""
        return Tournaments(self.store, self.store.tournaments.all())

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
        from league.tournament.stored import unfinished

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
        self,
        number: int,
        rounds: int = 0,
        *,
        until_error: float | None = None,
        until_best: float | None = None,
    ) -> Tournament:
        """Add rounds to a tournament, or make the error in Elo or the probability stricter."""
        tournament = self.tournament(number)
        return tournament.extend(rounds, until_error=until_error, until_best=until_best)

    def matches(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        since: str | int | None = None,
        until: str | int | None = None,
        **wanted: Unpack[MatchFilter],
    ) -> Matches:
        """List all matches, newest first; `MatchFilter` says by what to choose.

        `limit` is the most to list, after the first `offset` ones; None is no limit.
        `since` and `until` are when a match ended: a date or a time of UTC, a span ago such as
        '7d', or seconds since 1970. A date as `until` includes that day.

        >>> len(cup.matches(limit=3, bot="chance"))
        3
        >>> len(cup.matches(bot="chance", result="won", since="7d"))
        0
        """
        from league.analysis.match_selection import read_since, read_until
        from league.model.records import Result, Termination

        if (limit is not None and limit < 1) or offset < 0:
            raise SetupError(f"limit {limit}, offset {offset}: expected 1 or more, and 0 or more")
        if (game := wanted.get("game")) is not None:
            wanted["game"] = self.games(game)[0]
        for each in (wanted.get("bot"), wanted.get("opponent")):
            if each is not None:
                self.store.bots.get(each)
        if (tournament := wanted.get("tournament")) is not None:
            self.store.tournaments.get(tournament)
        if (termination := wanted.get("termination")) is not None:
            wanted["termination"] = _word("termination", termination, Termination)
        if (result := wanted.get("result")) is not None:
            wanted["result"] = _word("result", result, Result)
        if since is not None:
            wanted["ended_from"] = read_since(since) if isinstance(since, str) else since
        if until is not None:
            wanted["ended_before"] = read_until(until) if isinstance(until, str) else until
        rows = self.store.matches.page(limit=limit, offset=offset, **wanted)
        return Matches(self.store, [row.id for row in rows], rows, limit)

    def match(self, number: int | None = None) -> Match:
        """Return a match by number, or the newest; raise `UnknownRowError` for none.

        Its methods are `replay`, `why`, `repro` and `explain`.
        """
        from league.analysis.replay import newest_match

        if number is None:
            number = newest_match(self.store)
        (row,) = self.store.matches.rows([number])
        return Match(self.store, row)

    def verify(
        self,
        tournament: int | None = None,
        *,
        on_match: Callable[[int, int], None] = lambda done, total: None,
    ) -> Answer[list[VerifyFinding]]:
        """Replay every stored match, or a tournament's, and say what does not hold.

        `on_match` gets the number done and the total. An empty value is good.

        >>> cup.verify().value
        []
        """
        from league.analysis.verify import verify
        from league.render.text.verification import verify_blocks

        done, findings = verify(self.store, tournament, on_match)
        rows = (
            self.store.tournaments.all()
            if tournament is None
            else [self.store.tournaments.get(tournament)]
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
        from league.interchange.files import write_file

        if to is not None and format is None:
            format = Path(to).suffix.removeprefix(".") or None
        parts = list(self.export_parts(matches, format=format, **options))
        if to is not None:
            write_file(to, parts)
        texts = [each for each in parts if isinstance(each, str)]
        if len(texts) == len(parts):
            return "".join(texts)
        return b"".join(each.encode() if isinstance(each, str) else each for each in parts)

    def export_parts(
        self,
        matches: Sequence[int | Match] | None = None,
        *,
        format: str | None = None,
        **options: Any,
    ) -> Iterator[str | bytes]:
        """Yield what `export` returns piece by piece, for more matches than fit in memory."""
        from league.interchange.export import EXPORTS
        from league.interchange.export_matches import written

        if matches is None:
            matches = self.tournament().matches
        if isinstance(matches, Matches):
            matches = matches.numbers
        if format:
            options = checked_options(options, type(EXPORTS.find(format)))
        numbers = [each.number if isinstance(each, Match) else index(each) for each in matches]
        return written(self.store, numbers, format, options)

    def import_pgn(
        self,
        path: str | Path,
        game: str = "chess",
        *,
        names: Mapping[str, str] | None = None,
        on_game: Callable[[int], None] = lambda done: None,
        strict: bool = False,
    ) -> Answer[Imported]:
        """Take the matches of a PGN file into the league, as a tournament of format `import`.

        `names` says which bot a name of the file is. `on_game` gets the number of games done.
        `strict` refuses a file in which a game's tag and its moves have different results.
        """
        from league.interchange.import_pgn import import_file
        from league.interchange.import_text import import_blocks

        found = import_file(self.store, str(path), game, names or {}, on_game, is_strict=strict)
        return Answer(found, lambda: import_blocks(found))

    def play(
        self, game: str, against: str, *, seat: int = 0, **how: Unpack[PlayOptions]
    ) -> Session:
        """Sit down at a board against a bot, registered or by its spec.

        `seat` is yours; 0 moves first. See `Session` for what it does.
        """
        from league.api.sessions import session_of, version_of

        version = version_of(self.store, against, how.get("options") or {})
        return session_of(self.store.path, game, version, seat, **how)

    def exploit(
        self,
        bot: str,
        game: str,
        *,
        samples: int | None = None,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
        **how: Unpack[PlayOptions],
    ) -> Answer[Exploited]:
        """Find how much a best response wins against a bot, registered or by its spec.

        The game has secrets, and few positions. A bot that can't tell its probabilities is asked
        `samples` times in each information set; `on_progress` gets how many are done, of how many.
        Standings show what is found of a registered bot under its own options.

        >>> found = League(":memory:").exploit("random", "kuhn").value
        >>> round(found.exploitability, 4)
        0.4583
        """
        from games.support.trial import tried_game
        from league.analysis.exploit import exploit
        from league.api.sessions import limits_of, version_of
        from league.render.text.exploit import exploit_blocks
        from league.seats.process.environment import BotEnvironment

        version = version_of(self.store, bot, how.get("options") or {})
        rules = tried_game(game)
        environment = BotEnvironment.of(self.store.path, [rules.spec])
        found = exploit(
            version, rules, limits_of(how), environment, samples=samples, tell=on_progress
        )
        if version.id and not how.get("options"):
            samples = 0 if found.is_exact else found.samples
            self.store.exploitability.save(version.id, rules.spec, found.exploitability, samples)
        return Answer(found, lambda: exploit_blocks(found))

    def back_up(self, copy: str | Path) -> None:
        """Copy the database to a new file, even while a tournament runs, and check the copy.

        Raises `SetupError` if the file exists or the database is a server's.
        """
        back_up(self.store, Path(copy))


def _word(kind: str, word: str, known: type[Word]) -> Word:
    """Return the member of an enumeration of words; raise `UnknownNameError`."""
    words = [str(each) for each in known]
    if word not in words:
        raise UnknownNameError(kind, word, words)
    return known(word)


def _verify_document(matches: int, imported: int, findings: Sequence[VerifyFinding]) -> object:
    from league.interchange.documents.matches import Verified

    return Verified.of(None, matches=matches, imported=imported, findings=findings)
