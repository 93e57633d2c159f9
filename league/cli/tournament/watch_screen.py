"""A tournament in play on the whole terminal: progress, standings, and its newest matches."""

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key, Resize
from textual.widgets import DataTable, ProgressBar

from games.support.printable import printable
from league.analysis.places import match_result, record_told
from league.analysis.replay import load_replay
from league.analysis.standing_rows import Standing
from league.analysis.standings import standings
from league.cli.board_view import BoardSize, BoardView
from league.cli.replay_screen import ReplayScreen
from league.cli.textual_app import LeagueApp, PlainText, name_of
from league.formats.specs import make_format
from league.model.number_format import exact_span
from league.render.round_scores import rounds_of
from league.store.rows import MatchRow, TournamentRow
from league.store.store import Store
from league.tournament.lifecycle import is_running
from league.tournament.live_board import MatchInPlay, matches_in_play
from league.tournament.planner import Planner

LATEST = 50
"""Number of the newest matches to list."""

BEST = 12
"""Number of rows of the standings to show."""

WIDE = 400
"""No terminal is wider: the title is a bar across all of it."""

HELP = """\
↑ ↓        choose a match         Enter      replay it; q comes back
b          the bracket or rounds, where the format has them; the standings
?          this help              q          quit; the tournament goes on

Standings are of this tournament alone, in the order of its format, with some of
the boards in play beside them. The newest matches stand below, the newest on
top. The rate is that of the last minute."""
KEYS = " ↑↓ choose  Enter replay  b bracket  ? help  q quit"
RATE_S = 60.0
BOARDS = 3
TABLE_COLUMNS = 46
FRAME_LINES = 9
"""Height of everything around the boards, with a few of the newest matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchUpdate:
    """The contents of the database at one moment."""

    row: TournamentRow
    is_in_play: bool
    expected: int | None
    says: str
    rows: tuple[Standing, ...]
    matches: tuple[MatchRow, ...]
    playing: tuple[MatchInPlay, ...] = ()
    rounds: tuple[str, ...] = ()


def look(store: Store, number: int) -> WatchUpdate:
    """Ask for all that the screen shows."""
    row = store.tournaments.get(number)
    found = standings(store, row.config.game, number)
    return WatchUpdate(
        row=row,
        is_in_play=is_running(store, row),
        expected=found.outlook.expected,
        says=found.says,
        rows=tuple(found.rows[:BEST]),
        matches=tuple(store.matches.page(tournament=number, limit=LATEST)),
        playing=tuple(matches_in_play(store, number)[:BOARDS]),
        rounds=tuple(_rounds(store, row)),
    )


def _rounds(store: Store, row: TournamentRow) -> Iterator[str]:
    """Write the ties of a bracket, or the encounters of the newest rounds, line by line."""
    if row.config.is_imported or make_format(row.config.format).lag is None:
        return
    labels = store.bots.labels(row.config.entrants)
    names = [printable(str(labels[entrant])) for entrant in row.config.entrants]
    for number, ties in rounds_of(Planner(store, row.id).schedule.ties()):
        yield f"round {number + 1}"
        for tie in ties:
            points = " – ".join(f"{each:g}" for each in tie.points)
            through = ", ".join(names[who] for who in tie.through)
            yield f"  {' – '.join(names[who] for who in tie.entrants)}  {points}" + (
                f"  → {through}" if through else ""
            )


class Pace:
    """The speed of matches during the last minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def told(self, now_s: float, played: int, expected: int | None) -> str:
        """Write the rate and the time left after so many matches; '' while nothing is known."""
        self._seen.append((now_s, played))
        while now_s - self._seen[0][0] > RATE_S and len(self._seen) > 2:
            self._seen.popleft()
        begin_s, before = self._seen[0]
        if played <= before or now_s <= begin_s:
            return ""
        rate = (played - before) / (now_s - begin_s)
        left = "" if expected is None else f"  {exact_span(max(0, expected - played) / rate)} left"
        return f"  {rate:.1f}/s{left}"


class WatchApp(LeagueApp):
    """Follows a tournament until no runner is at work on it, looking every `interval_s` seconds."""

    CSS = (
        LeagueApp.CSS
        + """
    #bar { height: 1; }
    #bar Bar { width: 1fr; }
    #top { height: auto; margin: 1 0; }
    #standings { height: auto; width: 46; }
    #bracket { display: none; width: 46; height: auto; }
    .playing { width: auto; height: auto; margin: 0 2 0 0; }
    .playing PlainText { height: auto; }
    #help { display: none; height: auto; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape,ctrl+d", "leave", show=False)]

    def __init__(self, store: Store, row: TournamentRow, interval_s: float = 1.0) -> None:
        super().__init__()
        self._interval_s = interval_s
        self._store, self._row = store, row
        self._matches: tuple[int, ...] = ()
        self._pace = Pace()
        self._shows_rounds: bool | None = None
        self._seen: WatchUpdate | None = None

    def compose(self) -> ComposeResult:
        """Put the parts one below the other."""
        yield PlainText("title", "head")
        yield ProgressBar(id="bar", show_eta=False)
        yield PlainText("progress")
        yield PlainText("help")
        table: DataTable[Text] = DataTable(id="standings", cursor_type="none")
        table.can_focus = False
        with Horizontal(id="top"):
            yield table
            yield PlainText("bracket")
            for place in range(BOARDS):
                with Vertical(id=f"playing{place}", classes="playing"):
                    yield PlainText(f"names{place}")
                    yield BoardView(f"board{place}")
        matches: DataTable[Text] = DataTable(id="matches", cursor_type="row")
        yield matches
        yield PlainText("keys", "dim")

    def on_mount(self) -> None:
        """Begin to follow."""
        super().on_mount()
        row = self._row
        title = f" tournament {row.id}: {row.config.game}, {row.config.format}"
        self.query_one("#title", PlainText).say(title.ljust(WIDE))
        self.query_one("#help", PlainText).say(HELP, keep_lines=True)
        self.query_one("#keys", PlainText).say(KEYS)
        self.query_one("#standings", DataTable).add_columns("", "bot", "points", "score", "record")
        matches = self.query_one("#matches", DataTable)
        matches.add_columns("match", "bots", "score", "plies", "end")
        matches.focus()
        self.run_worker(self._follow())

    def on_key(self, event: Key) -> None:
        """Show the keys, or not; show the bracket, or the standings."""
        if name_of(event) == "?":
            self.query_one("#help").display = not self.query_one("#help").display
        elif name_of(event) == "b" and self._seen is not None and len(self.screen_stack) == 1:
            self._shows_rounds = not self._has_rounds(self._seen)
            self._show_top(self._seen)

    def on_resize(self, event: Resize) -> None:
        """Take what boards there is room for now."""
        if self._seen is not None and len(self.screen_stack) == 1:
            self.call_after_refresh(self._show_top, self._seen)

    def action_leave(self) -> None:
        """End the watching."""
        self.exit()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Replay the match that was chosen."""
        replay = load_replay(self._store, self._matches[event.cursor_row])
        self.push_screen(ReplayScreen(replay, len(replay.frames) - 1))

    async def _follow(self) -> None:
        while True:
            # Standings of many matches take a while: keys are obeyed meanwhile.
            seen = await asyncio.to_thread(look, self._store, self._row.id)
            if len(self.screen_stack) == 1:
                self._show_look(seen)
                if not seen.is_in_play:
                    self.exit()
                    return
            await asyncio.sleep(self._interval_s)

    def _show_look(self, seen: WatchUpdate) -> None:
        row = self._row = seen.row
        self._seen = seen
        self.query_one("#bar", ProgressBar).update(total=seen.expected, progress=row.played)
        has_guess = bool(seen.expected) and row.total is None
        of = f" of about {seen.expected}" if has_guess else ""
        pace = self._pace.told(time.monotonic(), row.played, seen.expected)
        told = f"{row.progress}{of} matches{pace}"
        self.query_one("#progress", PlainText).say(f"{told}  {seen.says}" if seen.says else told)
        _filled(
            self.query_one("#standings", DataTable),
            [
                (
                    str(each.shown_rank or "–"),
                    each.bot,
                    f"{each.points if each.total is None else each.total:g}",
                    f"{each.score:.1%}",
                    record_told(each),
                )
                for each in seen.rows
            ],
        )
        self._show_top(seen)
        chosen = self.query_one("#matches", DataTable)
        place = chosen.cursor_row
        number = self._matches[place] if 0 < place < len(self._matches) else None
        self._matches = tuple(match.id for match in seen.matches)
        _filled(
            chosen,
            [
                (
                    str(match.id),
                    " – ".join(str(version) for version in match.versions),
                    match_result(match),
                    str(match.plies),
                    str(match.termination),
                )
                for match in seen.matches
            ],
        )
        if number in self._matches:
            chosen.move_cursor(row=self._matches.index(number), animate=False)

    def _has_rounds(self, seen: WatchUpdate) -> bool:
        """Whether to show rounds for the standings: those of a knockout, unless a key said so."""
        if self._shows_rounds is None:
            return bool(seen.rounds) and seen.row.config.format.startswith("knockout")
        return self._shows_rounds and bool(seen.rounds)

    def _show_top(self, seen: WatchUpdate) -> None:
        """Show the standings or the rounds, and the boards that there is room for."""
        has_rounds = self._has_rounds(seen)
        self.query_one("#standings").display = not has_rounds
        bracket = self.query_one("#bracket", PlainText)
        bracket.display = has_rounds
        lines = max(BEST, self.size.height // 2)
        bracket.say("\n".join(seen.rounds[-lines:]), keep_lines=True)
        room = self.size.width - TABLE_COLUMNS
        for place in range(BOARDS):
            part = self.query_one(f"#playing{place}")
            match = seen.playing[place] if place < len(seen.playing) else None
            need = BoardSize.of([match.state]) if match else BoardSize(0, 0)
            room -= need.columns + 2
            is_high = self.size.height >= need.lines + FRAME_LINES
            part.display = match is not None and room >= 0 and is_high
            if match is not None and part.display:
                board = self.query_one(f"#board{place}", BoardView)
                part.styles.width = need.columns
                names = self.query_one(f"#names{place}", PlainText)
                names.say(f"{' – '.join(match.names)}\nply {match.plies}", keep_lines=True)
                board.show(match.state)


def _filled(table: DataTable[Text], rows: list[tuple[str, ...]]) -> None:
    table.clear()
    if table.cursor_type == "none":
        table.styles.height = len(rows) + 1
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
