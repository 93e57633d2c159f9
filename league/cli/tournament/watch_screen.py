"""A tournament in play on the whole terminal: progress, standings, and its newest matches."""

import asyncio
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.widgets import DataTable, ProgressBar

from league.analysis.replay import load_replay
from league.analysis.standings import Standing, standings
from league.cli.replay_screen import ReplayScreen
from league.cli.textual_app import LeagueApp, PlainText, name_of
from league.render.text.printable import clean
from league.store.rows import MatchRow, TournamentRow
from league.store.store import Store
from league.tournament.lifecycle import is_running

LATEST = 50
"""How many of the newest matches are listed."""

BEST = 12
"""How many rows of the standings are shown."""

WIDE = 400
"""No terminal is wider: the title is a bar across all of it."""

HELP = """\
↑ ↓        choose a match         Enter      replay it; q comes back
?          this help              q          quit; the tournament goes on

Standings are of this tournament alone, in the order of its format. The newest
matches stand below, the newest on top."""
KEYS = " ↑↓ choose  Enter replay  ? help  q quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchUpdate:
    """What the database said at one moment."""

    row: TournamentRow
    is_in_play: bool
    expected: int | None
    says: str
    rows: tuple[Standing, ...]
    matches: tuple[MatchRow, ...]


def look(store: Store, number: int) -> WatchUpdate:
    """Ask for all that the screen shows."""
    row = store.tournament(number)
    found = standings(store, row.config.game, number)
    return WatchUpdate(
        row=row,
        is_in_play=is_running(store, row),
        expected=found.outlook.expected,
        says=found.says,
        rows=tuple(found.rows[:BEST]),
        matches=tuple(store.matches(tournament=number, limit=LATEST)),
    )


class WatchApp(LeagueApp):
    """Follows a tournament until no runner is at work on it, looking every `interval_s` seconds."""

    CSS = (
        LeagueApp.CSS
        + """
    #bar { height: 1; }
    #bar Bar { width: 1fr; }
    #standings { height: auto; margin: 1 0; }
    #help { display: none; height: auto; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape,ctrl+d", "leave", show=False)]

    def __init__(self, store: Store, row: TournamentRow, interval_s: float = 1.0) -> None:
        super().__init__()
        self._interval_s = interval_s
        self._store, self._row = store, row
        self._matches: tuple[int, ...] = ()

    def compose(self) -> ComposeResult:
        """Put the parts one below the other."""
        yield PlainText("title", "head")
        yield ProgressBar(id="bar", show_eta=False)
        yield PlainText("progress")
        yield PlainText("help")
        table: DataTable[Text] = DataTable(id="standings", cursor_type="none")
        table.can_focus = False
        yield table
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
        self.query_one("#standings", DataTable).add_columns(
            "", "bot", "points", "score", "+", "=", "-"
        )
        matches = self.query_one("#matches", DataTable)
        matches.add_columns("match", "bots", "score", "plies", "end")
        matches.focus()
        self.run_worker(self._follow())

    def on_key(self, event: Key) -> None:
        """Show the keys, or not."""
        if name_of(event) == "?":
            self.query_one("#help").display = not self.query_one("#help").display

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
        row = seen.row
        self.query_one("#bar", ProgressBar).update(total=seen.expected, progress=row.played)
        has_guess = bool(seen.expected) and row.total is None
        of = f" of about {seen.expected}" if has_guess else ""
        told = f"{row.progress}{of} matches"
        self.query_one("#progress", PlainText).say(f"{told}  {seen.says}" if seen.says else told)
        _filled(
            self.query_one("#standings", DataTable),
            [
                (
                    str(each.rank or "–"),
                    each.bot,
                    f"{each.points if each.total is None else each.total:g}",
                    f"{each.score:.1%}",
                    *(str(count) for count in (each.wins, each.draws, each.losses)),
                )
                for each in seen.rows
            ],
        )
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
                    " – ".join(f"{score:g}" for score in match.scores),
                    str(match.plies),
                    str(match.termination),
                )
                for match in seen.matches
            ],
        )
        if number in self._matches:
            chosen.move_cursor(row=self._matches.index(number), animate=False)


def _filled(table: DataTable[Text], rows: list[tuple[str, ...]]) -> None:
    table.clear()
    if table.cursor_type == "none":
        table.styles.height = len(rows) + 1
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
