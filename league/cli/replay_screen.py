"""A replay on the whole terminal: the board, the moves, what was told, and the scores in a line."""

from bisect import bisect_right

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key, Resize
from textual.screen import Screen
from textual.timer import Timer

from games.support.printable import printable
from league.analysis.replay import Replay
from league.analysis.win_chance import usual_size
from league.cli.board_view import LAST, BoardSize, BoardView
from league.cli.move_list import MoveList
from league.cli.replay_steps import Stepper
from league.cli.textual_app import LeagueApp, PlainText, name_of
from league.render.text.replay import cells_of, told_of

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
FRAME_LINES = 2
"""The title and the keys, which stand around every board."""


class ReplayScreen(Screen[None]):
    """Steps through one match; dismissed by `q`."""

    CSS = """
    #board { width: auto; margin: 0 2 0 0; }
    #body { height: 1fr; }
    #moves { width: 1fr; height: 1fr; background: ansi_default; color: ansi_default; }
    #told { height: auto; }
    #help { height: 1fr; display: none; }
    #small { height: 1fr; display: none; }
    #scores { height: 1; }
    """

    def __init__(self, replay: Replay, ply: int = 0) -> None:
        super().__init__()
        self.stepper = Stepper(replay, ply)
        self._timer: Timer | None = None
        self._board = BoardSize.of(frame.state for frame in replay.frames)
        self._cells = [cells_of(replay, frame) for frame in replay.frames[1:]]
        self._late = {
            frame.ply for frame in replay.frames if frame.record and frame.record.over_ns > 0
        }

    def compose(self) -> ComposeResult:
        """Put the parts one below the other."""
        yield PlainText("title", "head")
        yield PlainText("ending", "dim")
        with Horizontal(id="body"):
            yield BoardView()
            yield MoveList()
        yield PlainText("help")
        yield PlainText("small")
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

    def on_move_list_chosen(self, event: MoveList.Chosen) -> None:
        """Go to the move that was pressed."""
        self.stepper.go(event.ply)
        self._restart()
        self._show()

    def on_mount(self) -> None:
        """Write what does not change."""
        self.query_one("#help", PlainText).say(HELP, keep_lines=True)

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
        title = Text(f" {printable(replay.title)}")
        title.truncate(max(1, width - len(count)), overflow="ellipsis", pad=True)
        self.query_one("#title", PlainText).update(Text(title.plain + count, no_wrap=True))
        self.query_one("#ending", PlainText).say(f" {replay.ending}")
        board = self.query_one(BoardView)
        board.styles.width = self._board.columns
        board.show(frame.state, replay.frames[frame.ply - 1].state if frame.ply else None)
        self.query_one(MoveList).show(self._cells, stepper.ply, self._late)
        room = max(0, self.app.size.height - self._board.lines - FRAME_LINES)
        told = list(told_of(replay, frame, stepper.shows_line))
        lines = "\n".join(printable(line) for line in told[: max(1, min(DETAIL_LINES, room - 2))])
        self.query_one("#told", PlainText).update(Text(lines))
        self.query_one("#told", PlainText).styles.max_height = max(1, room - 2)
        self.query_one("#scores", PlainText).update(self._scores(width - 2))
        keys = KEYS.format(play="pause" if stepper.is_playing else "play")
        self.query_one("#keys", PlainText).say(f" {stepper.message}" if stepper.message else keys)
        small = self._board.too_small(self.app.size, FRAME_LINES)
        self.query_one("#small", PlainText).say(small)
        self.query_one("#small").display = bool(small) and not stepper.shows_help
        self.query_one("#help").display = stepper.shows_help
        is_shown = not small and not stepper.shows_help
        # The least important part goes first if there is little room.
        for part, least in (("#body", 0), ("#told", 1), ("#scores", 2), ("#ending", 3)):
            self.query_one(part).display = is_shown and room >= least

    def _scores(self, width: int) -> Text:
        """Draw the scores in one line of blocks, where the reader is marked."""
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
            is_here = column == here and self.stepper.ply > 0
            drawn.append(
                sign, Style(color=LAST, bgcolor=LAST if sign == " " else None) if is_here else ""
            )
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
