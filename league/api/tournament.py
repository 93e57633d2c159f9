"""Handles of tournaments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast, overload

from games.support.errors import UnknownNameError
from league.api.answer import Answer, Shown, plain, rows_of, with_version
from league.api.arguments import checks_arguments
from league.api.match import Matches, Stored
from league.api.options import StandingsOptions
from league.api.plots import Plotted, draw_standings
from league.api.progress import ShowProgress, shown
from league.model.errors import SetupError, StoppedError
from league.store.rows import TournamentRow
from league.store.store import Store, StoreReader
from league.tournament.run_options import RunOptions

if TYPE_CHECKING:
    from league.analysis.match_selection import Selection
    from league.analysis.standing_rows import Standing
    from league.analysis.standings import Standings
    from league.execution.run_log import RunLog
    from league.formats.format import TuningProgress
    from league.interchange.report.contents import Contents
    from league.interchange.running_export import RunningExport, Target
    from league.model.records import BotVersion
    from league.model.tournament_spec import TournamentSpec
    from league.model.webhook import Webhook
    from league.render.text.standings import Cells
    from league.render.text.table import Block
    from league.tournament.progress import Progress


@checks_arguments
class Tournament(Stored):
    """A tournament of a league, by its `number`.

    >>> tournament.game, len(tournament.matches), tournament.is_finished
    ('tictactoe', 4, True)
    >>> print(tournament.standings())  # doctest: +ELLIPSIS
    tictactoe, tournament 1
    ...
    """

    def __init__(self, store: StoreReader, number: int) -> None:
        row = store.tournaments.get(number)
        super().__init__(store, row.id)
        # That of a mere view can be asked, and not changed.
        self._store: Store = cast("Store", store)
        self._game = row.config.game

    @property
    def row(self) -> TournamentRow:
        """The tournament as it stands in the database now."""
        return self._store.tournaments.get(self.number)

    @property
    def game(self) -> str:
        """Its game, with options."""
        return self._game

    @property
    def spec(self) -> TournamentSpec:
        """The spec that holds it again, with its seed."""
        from league.tournament.settings import spec_of

        return spec_of(self._store, self.row)

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing left to play."""
        return self.row.is_finished

    @property
    def is_in_play(self) -> bool:
        """Whether a process is playing it now."""
        return self._store.tournaments.is_in_play(self.number)

    @property
    def matches(self) -> Matches:
        """Its matches so far, in the order in which they were stored."""
        return Matches(self._store, self._store.matches.numbers(self.number))

    def settings(self) -> dict[str, Any]:
        """Return the settings that hold it again, as in a TOML file of `league run --save`."""
        from league.tournament.settings import settings_of

        return settings_of(self._store, self.row)

    def limits_in_words(self) -> str:
        """List all that limits its bots and matches in one line, as `league run` does."""
        from league.tournament.settings import limits_in_words

        return limits_in_words(self.settings())

    def running_export(self, targets: Sequence[Target], *, appends: bool) -> RunningExport:
        """Return what writes its matches to files while it is played."""
        from league.interchange.running_export import RunningExport

        return RunningExport(self._store, self.number, targets, appends=appends)

    def labels(self) -> dict[int, str]:
        """Return the names of its bots, by the ids of their versions."""
        found = self._store.bots.labels(self._store.tournaments.entrants(self.number))
        return {version: str(label) for version, label in found.items()}

    def bot_specs(self) -> set[str]:
        """Return the specs of its bots, without options."""
        versions = self._store.bots.versions(self._store.tournaments.entrants(self.number))
        return {version.spec for version in versions.values()}

    def failing(self) -> Iterator[str]:
        """Try the bots that have not played this game yet; yield what goes wrong, a line a bot."""
        from league.tournament.tryout import failing

        return failing(self._store, self.row)

    def remarks(self, spec: TournamentSpec) -> list[str]:
        """List what to know of it after its creation: its isolation, and what `spec` left out."""
        from league.tournament.remarks import remarks

        return remarks(self._store, spec, self.row)

    def lopsided_opening(self) -> str:
        """Name the opening that one seat wins most clearly, with its score; '' if none does."""
        from league.analysis.opening_statistics import lopsided_sentence

        return lopsided_sentence(self._store, self.row)

    def standings(self, **how: Unpack[StandingsOptions]) -> Plotted[list[Standings]]:
        """Show its format's table, with ratings by its results alone; see `StandingsOptions`."""
        from league.analysis.match_selection import EVERYTHING

        return standings_of(self._store, [self.game], self.number, EVERYTHING, **how)

    @property
    def tuning(self) -> TuningProgress | None:
        """How far its parameters are tuned; None if it tunes none, or has no result yet."""
        from league.analysis.outlook import outlook

        return outlook(self._store, self.row).tuning

    def tuned_version(self) -> BotVersion:
        """Return its first bot with the tuned values among its options.

        Raises `SetupError` if there are no tuned values yet.
        """
        found = self.tuning
        if found is None:
            raise SetupError(f"tournament {self.number} has tuned no parameters yet")
        version = self._store.bots.version(self.row.config.entrants[0])
        return version.with_options(found.values)

    def register_tuned(self) -> str:
        """Register its first bot with the tuned values, and return the label of that version.

        Raises `SetupError` if there are no tuned values yet.
        """
        tuned, bots = self.tuned_version(), self._store.bots
        kept = bots.register(tuned, bots.get(tuned.name).games)
        return f"{kept.name}@{kept.number}"

    def crosstable(self) -> Crosstable:
        """Show what each of its bots scored against each other: points / matches."""
        return Crosstable(self._store, self.game, self.number)

    def resume(
        self,
        *,
        progress: ShowProgress = True,
        options: RunOptions = RunOptions(),  # noqa: B008 (frozen)
    ) -> Tournament:
        """Play what is missing.

        `progress` is True for a bar, False for nothing, or a function of each `Progress`. A
        KeyboardInterrupt comes through once finished matches are stored: call it again to go on.
        Raises `StoppedError` if a match can't be played, or a provider or a budget allows no more,
        and `SetupError` if another process plays it, or a bot can't play, such as
        a web server that does not answer.
        """
        self.play(options, progress)
        return self

    def play(
        self,
        options: RunOptions,
        progress: ShowProgress = True,
        run_log: RunLog | None = None,
    ) -> Progress:
        """Play what is missing as `resume` does, keep its ratings and standings.

        Returns what was played.

        If that finishes it, the webhook of `options` is called, in a thread that nothing waits for.
        """
        from league.analysis.rating_history import keep
        from league.api.kept_standings import keep_standings
        from league.tournament.runner import run_tournament
        from league.tournament.tryout import require_playable

        was_finished = self.is_finished
        if not was_finished:
            require_playable(self._store, self.row.config, options, self.number)
        with shown(progress) as show:
            try:
                done = run_tournament(
                    self._store, self.number, options, on_progress=show, run_log=run_log
                )
            except KeyboardInterrupt as stop:
                stop.add_note(f"tournament {self.number} is not finished: resume() continues")
                # Else the next run had to rate all these matches, however few it plays.
                keep(self._store, self.game)
                raise
            except StoppedError:
                keep(self._store, self.game)
                raise
        keep(self._store, self.game)
        keep_standings(self._store)
        if options.webhook is not None and self.is_finished and not was_finished:
            self._tell_webhook(options.webhook, options.tell)
        return done

    def _tell_webhook(self, webhook: Webhook, tell: Callable[[str], None]) -> None:
        from league.interchange.webhook import deliveries, send_later

        name = "league" if self._store.path is None else self._store.path.stem
        send_later(webhook, deliveries(self._store, self.number, name), tell)

    def pause(self) -> Tournament:
        """Make its runner, another process or thread, finish the matches in play and stop."""
        from league.tournament import lifecycle

        lifecycle.pause(self._store, self.number)
        return self

    def cancel(self) -> Tournament:
        """End it for good; what was played stays and counts."""
        from league.tournament import lifecycle

        lifecycle.cancel(self._store, self.number)
        return self

    def join(self, bots: Sequence[str]) -> Tournament:
        """Add bots, also while it runs; the matches they lack are played."""
        from league.tournament import lifecycle

        lifecycle.join(self._store, self.number, bots)
        return self

    def withdraw(self, bot: str) -> Tournament:
        """Withdraw a bot; what it has played stays."""
        from league.tournament import lifecycle

        lifecycle.withdraw(self._store, self.number, bot)
        return self

    def extend(
        self,
        rounds: int = 0,
        *,
        until_error: float | None = None,
        until_best: float | None = None,
    ) -> Tournament:
        """Add rounds, lower the error in Elo that ends it, or raise the probability that does."""
        from league.tournament import lifecycle

        lifecycle.extend(self._store, self.number, rounds, until_error, until_best)
        return self

    def set_budgets(self, budgets: Mapping[str, float]) -> Tournament:
        """Set the most money that language models may cost in it, by name, and keep that with it.

        It stands in place of the option `budget` of their versions.
        """
        from league.tournament import lifecycle

        lifecycle.set_budgets(self._store, self.number, budgets)
        return self

    def report(
        self, format: str = "html", *, on_match: Callable[[int, int], None] = lambda done, of: None
    ) -> str:
        """Return a report: standings, crosstable, notable matches, settings.

        `format` is html (a page that needs no other file), markdown or json. `on_match` gets
        the number of matches looked at and the total.
        """
        from league.interchange.report.contents import contents_of
        from league.interchange.report.markdown import markdown
        from league.interchange.report.page import page

        writers = {"html": page, "markdown": markdown, "json": _report_document}
        if format not in writers:
            raise UnknownNameError("format of a report", format, writers)
        return writers[format](contents_of(self._store, self.row, on_match))

    def to_dict(self) -> Any:
        """Return the document of `league tournaments N --json`."""
        from league.interchange.documents.tournaments import tournament_document

        return plain(tournament_document(self._store, self.row))

    def __repr__(self) -> str:
        if self._store.is_closed:
            return f"tournament {self.number}, whose league is closed"
        row = self.row
        return (
            f"tournament {self.number}: {row.config.game}, {len(row.config.entrants)} bots, "
            f"{row.progress} matches, {row.state}"
        )

    def _repr_html_(self) -> str:
        return self.standings()._repr_html_()


class Tournaments(Shown, Sequence[Tournament]):
    """Tournaments of a league; a slice of them is one too.

    >>> [each.number for each in cup.tournaments()]
    [1]
    """

    def __init__(self, store: StoreReader, rows: Sequence[TournamentRow]) -> None:
        self._store = store
        self.rows = rows

    @overload
    def __getitem__(self, index: int) -> Tournament: ...
    @overload
    def __getitem__(self, index: slice) -> Tournaments: ...
    def __getitem__(self, index: int | slice) -> Tournament | Tournaments:
        """Return a tournament, or the tournaments of a slice."""
        if isinstance(index, slice):
            return Tournaments(self._store, self.rows[index])
        return Tournament(self._store, self.rows[index].id)

    def __len__(self) -> int:
        return len(self.rows)

    def to_dict(self) -> Any:
        """Return the tournaments as `league tournaments --json` prints them."""
        return plain(self.rows)

    def blocks(self) -> list[Block]:
        """Return the table that `league tournaments` prints."""
        from league.render.text.listings import tournaments_blocks

        return tournaments_blocks(self.rows)


def _report_document(contents: Contents) -> str:
    from league.interchange.documents.document import json_text

    return json_text(plain(contents), indent=2) + "\n"


def standings_of(
    store: StoreReader,
    games: Sequence[str],
    tournament: int | None,
    selection: Selection,
    **how: Unpack[StandingsOptions],
) -> Plotted[list[Standings]]:
    """Rank the bots of games, or of one tournament."""
    from league.analysis.standings import Anchor, standings
    from league.render.text.standings import blocks_of_all, matrix_blocks, standings_blocks

    anchor, system = how.get("anchor"), how.get("system", "fitted")
    held = None if anchor is None else Anchor.read(str(anchor))
    tables = [standings(store, game, tournament, system, held, selection) for game in games]
    has_matrix = how.get("matrix", False)
    write = matrix_blocks if has_matrix else standings_blocks
    answer = Answer(
        tables,
        lambda: blocks_of_all(tables, write),
        lambda: _standings_documents(tables, has_matrix),
        lambda: _standings_rows(store, tables),
    )
    of_game = {table.game: table for table in tables if table.rows}
    return Plotted(answer, list(of_game), lambda game, ax: draw_standings(of_game[game], ax))


def _standings_rows(store: StoreReader, tables: Sequence[Standings]) -> list[dict[str, Any]]:
    """Return the rows of the documents, with bots and versions as in `name@2`."""
    rows = rows_of(plain(_standings_documents(tables, has_matrix=False)), "standings")
    labels = store.bots.labels([row["version"] for row in rows])
    return [with_version(row, labels[row["version"]]) for row in rows]


def _standings_documents(tables: Sequence[Standings], has_matrix: bool) -> object:
    from league.interchange.documents.tournaments import standings_document

    return [standings_document(table, has_matrix) for table in tables]


class Crosstable(Answer[Any]):
    """The score of each bot against each other bot; the value holds the rows and the cells."""

    def __init__(self, store: StoreReader, game: str, tournament: int | None) -> None:
        from league.analysis.crosstable import crosstable
        from league.render.text.score_parts import where
        from league.render.text.standings import crosstable_table

        rows, cells = crosstable(store, game, tournament)
        self._title = where(game, tournament)
        super().__init__(
            (rows, cells),
            lambda: [crosstable_table(game, rows, cells)],
            lambda: _crosstable_document(game, tournament, rows, cells),
            "cells",
        )

    def to_html(self) -> str:
        """Return it as a page that needs no other file."""
        from league.interchange.crosstable import page as crosstable_page

        return crosstable_page(self._title, *self.value)

    def to_markdown(self) -> str:
        """Return it as the Markdown of GitHub."""
        from league.interchange.crosstable import markdown

        return markdown(self._title, *self.value)


def _crosstable_document(
    game: str, tournament: int | None, rows: Sequence[Standing], cells: Cells
) -> object:
    from league.interchange.documents.tournaments import crosstable_document

    return crosstable_document(game, tournament, rows, cells)
