"""A match against a bot on the whole terminal: the board, the moves, and a line to type in."""

import time
from collections.abc import Callable
from threading import Thread
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key, Resize
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input

from games.support.errors import MoveError, brief
from games.support.game import CHANCE, State
from games.support.printable import cut, printable
from league.cli.board_view import BoardSize, BoardView
from league.cli.move_list import MoveList
from league.cli.textual_app import LeagueApp, PlainText, name_of, run
from league.match.session import Session, SessionMove
from league.model.number_format import clock_time, numbers, short_count, short_time, told_score
from league.render.text.board_grid import Pointing, Square
from league.seats.seat import SeatFault, SeatKilled

TICK_S = 0.2
THINKS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
FRAME_LINES = 2
TOLD_LINES = 4
USED_WIDTH = 60
LEGAL_SHOWN = 60
LOG_LINES = 12
KEYS = " type a move or press its squares  ↑↓ earlier positions  undo  resign  help  quit"
OVER = " Enter or q leaves"


class PlayApp(LeagueApp):
    """The board of a session; `ended` is what to say of the match afterwards, '' before its end."""

    CSS = (
        LeagueApp.CSS
        + """
    #board { margin: 0 2 0 0; }
    #body { height: 1fr; }
    #moves { width: 1fr; height: 1fr; background: ansi_default; color: ansi_default; }
    #told { height: auto; }
    #small { height: 1fr; display: none; }
    Input, Input:focus { background: ansi_default; color: ansi_default; padding: 0 1; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d", "leave", show=False, priority=True),
        Binding("up,pageup", "look(-1)", show=False),
        Binding("down,pagedown", "look(1)", show=False),
    ]

    class Answered(Message):
        """A bot or luck has moved, or failed to."""

        def __init__(self, move: SessionMove | None, error: Exception | None) -> None:
            super().__init__()
            self.move, self.error = move, error

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._bot = printable(session.bot)
        self._states: list[State] = [session.state]
        self._cells: list[dict[str, str]] = []
        self._chosen: tuple[Square, ...] = ()
        self._pointing: Pointing | None = None
        self._told = ""
        self._view: int | None = None
        self._begin_s = time.monotonic()
        self._used_s = {True: 0.0, False: 0.0}
        self.ended = ""
        self.error: Exception | None = None

    def compose(self) -> ComposeResult:
        """Put the parts one below the other."""
        yield PlainText("title", "head")
        with Horizontal(id="body"):
            yield BoardView()
            yield MoveList()
        yield PlainText("small")
        yield PlainText("told")
        yield Input(id="entry", compact=True, select_on_focus=False)
        yield PlainText("keys", "dim")

    def on_mount(self) -> None:
        """Begin the match."""
        super().on_mount()
        self.query_one(Input).focus()
        self.set_interval(TICK_S, self._show_title)
        self._turn()

    def on_resize(self, event: Resize) -> None:
        """Take what room there is now."""
        self.call_after_refresh(self._show)

    def action_leave(self) -> None:
        """End it without a result."""
        self.exit()

    def action_look(self, step: int) -> None:
        """Show the position of an earlier ply."""
        self._look_at((len(self._cells) if self._view is None else self._view) + step)

    def on_move_list_chosen(self, event: MoveList.Chosen) -> None:
        """Show the position after the move that was pressed."""
        self._look_at(event.ply)

    def on_key(self, event: Key) -> None:
        """Leave after the end; forget the chosen square."""
        if self.ended and name_of(event) in ("enter", "q", "escape"):
            self.exit()
        elif event.key == "escape":
            self._chosen, self._view = (), None
            self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Make the move that was typed, or do what a word asks for."""
        text = event.value.strip()
        self._view, self._chosen = None, ()
        if not text or not self._is_mine:
            self._show(f"{self._bot} is thinking" if text and not self.ended else None)
            return
        event.input.clear()
        self._obey(text)

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        """Choose a square; both ends of a move, or its only one, make it."""
        if not self._is_mine or self._view is not None:
            return
        state = self._session.state
        self._pointing = self._pointing or Pointing(state)
        for chosen in ((*self._chosen, event.square), (event.square,)):
            found = self._pointing.found(chosen)
            if found and event.square not in self._chosen:
                self._chosen = chosen
                if not self._pointing.is_whole(chosen, found[0]):
                    self._show("")
                elif len(found) == 1:
                    self._obey(state.text(found[0]))
                else:
                    texts = ", ".join(printable(state.text(move)) for move in found[:LEGAL_SHOWN])
                    self._show(f"type which: {texts}")
                return
        self._chosen = ()
        self._show("")

    @property
    def _is_mine(self) -> bool:
        return not self.ended and self._session.is_persons_turn

    def _obey(self, text: str) -> None:
        session = self._session
        try:
            # A game may call a move like one of the words below; then it is a move.
            move = session.state.text(session.state.parse(text))
            session.play(text)
        except MoveError:
            self._do(text)
            return
        self._told = ""
        self._add(session.seat, move, self._spent(is_persons=True))
        self._turn()

    def _do(self, text: str) -> None:
        word, session = text.lower(), self._session
        if word in ("quit", "q", "exit"):
            self.exit()
        elif word == "resign":
            self._end(f"You resigned. {self._bot} won.")
        elif word == "undo":
            if session.undo():
                del self._states[session.plies + 1 :], self._cells[session.plies :]
                self._told = "your last move is taken back"
                self._turn()
            else:
                self._show("there is no move of yours to take back")
        else:
            texts = [printable(session.state.text(move)) for move in session.state.legal_moves()]
            legal = ", ".join(texts[:LEGAL_SHOWN]) + (", …" if len(texts) > LEGAL_SHOWN else "")
            asked = word in ("help", "h", "?")
            wrong = "" if asked else f"{printable(brief(text))} is no legal move; "
            self._show(f"{wrong}legal moves: {legal}")

    def _turn(self) -> None:
        """Let whoever is to move begin."""
        session = self._session
        self._begin_s = time.monotonic()
        self._pointing, self._chosen = None, ()
        if session.is_over:
            self._end(session.result())
            return
        if session.is_persons_turn:
            texts = [session.state.text(move) for move in session.state.legal_moves()]
            self.query_one(Input).suggester = SuggestFromList(texts, case_sensitive=False)
        else:
            # A thread that nothing waits for: a bot may think for an hour after a Ctrl-C.
            Thread(target=self._ask, daemon=True).start()
        self._show()

    def _ask(self) -> None:
        try:
            self.post_message(self.Answered(self._session.step(), None))
        except Exception as error:  # it is raised again by `play_on_screen`
            self.post_message(self.Answered(None, error))

    def on_play_app_answered(self, event: Answered) -> None:
        """Show the move of a bot, or the end that it made of the match."""
        if self.ended:
            return
        if event.move is not None:
            self._take(event.move)
        elif isinstance(event.error, SeatFault):
            fault = event.error
            self._end(
                f"{self._bot} loses by {fault.termination}: {printable(fault.detail)}\nYou won."
            )
            logs = [line for log in self._session.logs for line in log.strip().splitlines()]
            self.ended += "".join(f"\n  {printable(line)}" for line in logs[-LOG_LINES:])
        elif isinstance(event.error, SeatKilled):
            self._end(f"{self._bot}: {event.error}; the match has no result")
        else:
            self.error = event.error
            self.exit()

    def _take(self, move: SessionMove) -> None:
        self._spent(is_persons=False)
        self._add(move.seat, move.text, move.wall_ns, move)
        report = move.report
        words = [numbers(report), printable(report.text)] if report else []
        self._told = ", ".join(word for word in words if word)
        self._view = None
        self._turn()

    def _spent(self, *, is_persons: bool) -> int:
        spent_s = time.monotonic() - self._begin_s
        self._used_s[is_persons] += spent_s
        return int(spent_s * 1e9)

    def _add(self, seat: int, text: str, wall_ns: int, move: SessionMove | None = None) -> None:
        report = move.report if move else None
        name = "you" if seat == self._session.seat else "luck" if seat == CHANCE else self._bot
        self._states.append(self._session.state)
        self._cells.append(
            {
                "ply": str(len(self._cells) + 1),
                "bot": name,
                "move": printable(text),
                "time": "" if seat == CHANCE else short_time(wall_ns),
                "clock": "",
                "depth": str(report.depth) if report and report.depth is not None else "",
                "nodes": short_count(report.nodes) if report and report.nodes is not None else "",
                "score": told_score(report) if report else "",
            }
        )

    def _end(self, text: str) -> None:
        self.ended = text
        self.query_one(Input).disabled = True
        self._show(text)

    def _look_at(self, ply: int) -> None:
        last = len(self._cells)
        self._view = None if ply >= last else max(0, ply)
        self._show("" if self._view is None else f"ply {self._view} of {last}: Esc goes back")

    def _show(self, told: str | None = None) -> None:
        """Bring every part up to date; a text replaces what was told before."""
        if told is not None:
            self._told = told
        ply = len(self._cells) if self._view is None else self._view
        state, before = self._states[ply], self._states[ply - 1] if ply else None
        need = BoardSize.of(self._states[-2:])
        board = self.query_one(BoardView)
        board.styles.width = need.columns
        board.show(state, before, self._chosen)
        self.query_one(MoveList).show(self._cells, ply)
        self.query_one("#told", PlainText).say(self._told, keep_lines=True)
        room = max(0, self.size.height - need.lines - FRAME_LINES)
        self.query_one("#told").styles.max_height = max(1, min(TOLD_LINES, room - 1))
        self.query_one("#keys", PlainText).say(OVER if self.ended else KEYS)
        small = need.too_small(self.size, FRAME_LINES)
        self.query_one("#small", PlainText).say(small)
        self.query_one("#small").display = bool(small)
        self.query_one("#body").display = not small
        self.query_one("#told").display = room >= 1 and bool(self._told)
        self.query_one("#keys").display = room >= 2
        # Without a line for it, what there is to tell stands where nothing is typed.
        self.query_one(Input).placeholder = "" if room else self._told.partition("\n")[0]
        self._show_title()

    def _show_title(self) -> None:
        session = self._session
        now_s = time.monotonic() - self._begin_s
        if self.ended:
            now = "over"
        elif self._is_mine:
            now = f"your move {clock_time(now_s, is_running=True)}"
        else:
            sign = THINKS[int(now_s / TICK_S) % len(THINKS)]
            now = f"{sign} {cut(self._bot, 16)} thinks {now_s:.0f} s of {session.limits.move_s:g} s"
        used = " – ".join(clock_time(self._used_s[mine], is_running=True) for mine in (True, False))
        right = f" {now}, used {used} " if self.size.width >= USED_WIDTH else f" {now} "
        seat = session.game.seat_names[session.seat]
        title = Text(f" {session.game.title}: you ({seat}) – {self._bot}")
        title.truncate(max(1, self.size.width - len(right)), overflow="ellipsis", pad=True)
        self.query_one("#title", PlainText).update(Text(title.plain + right, no_wrap=True))


def play_on_screen(session: Session, say: Callable[[str], None]) -> None:
    """Play a session on the terminal, and say how it ended; raise KeyboardInterrupt at Ctrl-C."""
    with session:
        app = PlayApp(session)
        try:
            run(app)
        finally:
            say(f"{printable(session.state.render(), keep_lines=True)}\n")
            say(app.ended or "stopped, without a result")
        if app.error is not None:
            raise app.error
