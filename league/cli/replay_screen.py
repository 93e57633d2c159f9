"""A replay on the whole terminal: the board, the moves, what was told, and the scores in a line."""

from bisect import bisect_right

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key, MouseDown, Resize
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import DataTable

from league.analysis.replay import Replay
from league.cli.replay_steps import Stepper
from league.cli.textual_app import LeagueApp, PlainText, name_of
from league.render.match_plots import usual_size
from league.render.text.printable import clean
from league.render.text.replay import cells_of, heads_of, told_of

HELP = """\
→ or l     one ply on             ← or h     one ply back
↓          ten plies on           ↑          ten plies back
End or G   the last position      Home or g  the first position
space      play, and pause        1 to 9     plies a second; 0 stops
b          the biggest swing of a score
e          what the bot expected: shown, or not
?          this help              q          quit

The list tells who moved what, the time it took, depth and nodes of the search,
and the score as that bot saw it: above 0 where it thought itself ahead. A time
in red came after the limit, within the grace. 'expects' is the line of play
that the bot foresaw, its own move first. The line of blocks has the scores, as
the first side would see them where there are two sides."""
KEYS = " ←→ step ↑↓ ten Home End space {play} 1-9 speed b swing e line ? help q quit"
BLOCKS = "▁▂▃▄▅▆▇█"
DETAIL_LINES = 5


class ReplayScreen(Screen[None]):
    """Steps through one match; dismissed by `q`."""

    CSS = """
    #board { width: auto; margin: 0 2 0 0; }
    #body { height: 1fr; }
    #told { height: auto; margin: 1 0 0 0; }
    #help { height: 1fr; display: none; }
    #scores { height: 1; }
    """

    def __init__(self, replay: Replay, ply: int = 0) -> None:
        super().__init__()
        self.stepper = Stepper(replay, ply)
        self._heads: list[str] = []
        self._timer: Timer | None = None
        boards = [frame.state.render().splitlines() for frame in replay.frames]
        self._lines = max(map(len, boards))
        # Below most boards a line says who moves: it may fold, the board may not.
        self._columns = max(len(line) for board in boards for line in board[:-1] or board)

    def compose(self) -> ComposeResult:
        """Put the parts one below the other."""
        yield PlainText("title", "head")
        yield PlainText("ending", "dim")
        with Horizontal(id="body"):
            yield PlainText("board")
            table: DataTable[Text] = DataTable(id="moves", cursor_type="row")
            table.can_focus = False
            yield table
        yield PlainText("help")
        yield PlainText("told")
        yield PlainText("scores")
        yield PlainText("keys", "dim")

    def on_key(self, event: Key) -> None:
        """Do what a key asks for."""
        stepper = self.stepper
        pause_s, was_playing = stepper.pause_s, stepper.is_playing
        stepper.press(name_of(event))
        event.stop()
        if stepper.is_over:
            self.dismiss()
            return
        if (stepper.pause_s, stepper.is_playing) != (pause_s, was_playing):
            self._restart()
        self._show()

    def on_resize(self, event: Resize) -> None:
        """Take what columns there is room for now."""
        self._show()

    def on_mouse_down(self, event: MouseDown) -> None:
        """Go to the move that was clicked."""
        row = event.style.meta.get("row", -1)
        if row >= 0:
            self.stepper.go(row + 1)
            self._restart()
            self._show()

    def _restart(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = None
        if self.stepper.is_playing:
            self._timer = self.set_interval(self.stepper.pause_s, self._tick)

    def _tick(self) -> None:
        self.stepper.tick()
        if not self.stepper.is_playing:
            self._restart()
        self._show()

    def _show(self) -> None:
        """Bring every part up to date."""
        stepper, replay = self.stepper, self.stepper.replay
        frame, width = replay.frames[stepper.ply], self.app.size.width
        count = f" ply {stepper.ply} of {stepper.last} "
        title = Text(f" {clean(replay.title)}")
        title.truncate(max(1, width - len(count)), overflow="ellipsis", pad=True)
        self.query_one("#title", PlainText).update(Text(title.plain + count, no_wrap=True))
        self.query_one("#ending", PlainText).say(f" {replay.ending}")
        board = self.query_one("#board", PlainText)
        board.styles.width = min(self._columns, max(1, width - 20))
        board.say(frame.state.render(), keep_lines=True)
        self._show_moves(width - self._columns - 2)
        told = told_of(replay, frame, stepper.shows_line)
        room = max(1, min(DETAIL_LINES, self.app.size.height - self._lines - 5))
        lines = "\n".join(clean(line) for line in list(told)[:room])
        self.query_one("#told", PlainText).update(Text(lines))
        self.query_one("#scores", PlainText).update(self._scores(width - 2))
        keys = KEYS.format(play="pause" if stepper.is_playing else "play")
        self.query_one("#keys", PlainText).say(f" {stepper.message}" if stepper.message else keys)
        self.query_one("#help", PlainText).say(HELP, keep_lines=True)
        self.query_one("#help").display = stepper.shows_help
        for part in ("#body", "#told", "#scores"):
            self.query_one(part).display = not stepper.shows_help

    def _show_moves(self, width: int) -> None:
        replay = self.stepper.replay
        table: DataTable[Text] = self.query_one("#moves", DataTable)
        heads = heads_of(replay, width)
        if heads != self._heads:
            self._heads = heads
            table.clear(columns=True)
            for head in heads:
                table.add_column(head, key=head)
            for frame in replay.frames[1:]:
                cells = cells_of(replay, frame)
                is_late = frame.record is not None and frame.record.over_ns > 0
                table.add_row(
                    *(
                        Text(
                            cells[head],
                            style="red" if head == "time" and is_late else "",
                            justify="left" if head in ("bot", "move") else "right",
                        )
                        for head in heads
                    )
                )
        table.show_cursor = self.stepper.ply > 0
        table.move_cursor(row=max(0, self.stepper.ply - 1), animate=False)

    def _scores(self, width: int) -> Text:
        """Draw the scores in one line of blocks, where the reader is reversed."""
        known = self.stepper.replay.scores()
        if not known or width < 1:
            return Text()
        places = [ply for ply, _, _ in known]
        most = usual_size([score for _, _, score in known])
        shown = min(width, self.stepper.last)
        drawn = Text(" ")
        here = (self.stepper.ply - 1) * shown // max(1, self.stepper.last)
        for column in range(shown):
            ply = 1 + column * self.stepper.last // shown
            found = bisect_right(places, ply)
            share = max(-1.0, min(1.0, known[found - 1][2] / most)) if found else 0.0
            sign = BLOCKS[round((share + 1) / 2 * (len(BLOCKS) - 1))] if found else " "
            drawn.append(sign, style="reverse" if column == here and self.stepper.ply else "")
        return drawn


class ReplayApp(LeagueApp):
    """The replay of one match, from a ply on."""

    def __init__(self, replay: Replay, ply: int = 0) -> None:
        super().__init__()
        self.replay_screen = ReplayScreen(replay, ply)

    def on_mount(self) -> None:
        """Show it, and end with it."""
        super().on_mount()
        self.push_screen(self.replay_screen, lambda _: self.exit())
