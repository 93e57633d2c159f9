"""`league play`."""

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from games.support.errors import MoveError, brief
from games.support.game import CHANCE, State
from games.support.printable import printable
from league.cli.console import is_interactive, usage_errors
from league.cli.option_types import MOVE_TIME
from league.cli.options import db_option, isolation_option, pairs
from league.cli.play_tournament import end_strays_at_last
from league.model.number_format import numbers, short_time

if TYPE_CHECKING:
    from league.match.session import Session, SessionMove
    from league.seats.seat import SeatFault

LEGAL_SHOWN = 60
LOG_LINES = 12
TEXT_SHOWN = 60
LINE_MAX = 200


@click.command("play")
@click.argument("game")
@click.option("--against", required=True, metavar="BOT", help="A registered bot, or a bot's spec.")
@click.option(
    "--seat", type=click.IntRange(0), default=0, show_default=True, help="Your seat; 0 moves first."
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@click.option(
    "--move-time",
    type=MOVE_TIME,
    default="1s",
    show_default=True,
    help="The bot's time for each move.",
)
@click.option("--seed", type=click.IntRange(0), help="Makes the bot's random choices repeatable.")
@isolation_option
@db_option
def command(
    game: str,
    against: str,
    options: tuple[str, ...],
    db: str,
    **how: Any,
) -> None:
    """Play GAME against a bot, by typing moves.

    On a terminal the board has colours, and you can move with the mouse: click the square where the
    move begins and the one where it ends. The arrow keys show earlier positions.

    BOT is the name of a registered bot, a built-in bot with its options, or a file. Besides moves
    you can type undo, resign, quit or help.

    \b
    Examples:
      league play connectfour --against iterative
      league play tictactoe --against minimax:depth=2 --seat 1
    """
    from league.api.sessions import session_at

    end_strays_at_last()
    with usage_errors():
        session = session_at(db, game, against, options=pairs(options), **how)
    if isinstance(sys.stdin, TextIOWrapper):
        # A mistyped byte is a mistyped move, not the end.
        sys.stdin.reconfigure(errors="replace")
    if is_interactive():
        from league.cli.play_screen import play_on_screen

        play_on_screen(session, click.echo)
    else:
        _Board(session).play()


class _Board:
    """The board of a session, written line by line."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self.game = session.game
        self.bot = printable(session.bot)

    def play(self) -> None:
        """Play to the end, and say how it ended; the end of the input ends it too."""
        from league.seats.seat import SeatFault, SeatKilled, SeatUnavailable

        session = self.session
        try:
            with session:
                self._greet()
                while not session.is_over:
                    if not session.is_persons_turn:
                        self._show_move(session.step())
                    elif not self._person():
                        return
                self._show_board()
                click.echo(session.result())
        except EOFError:
            click.echo("\nstopped, without a result")
        except KeyboardInterrupt:
            click.echo("\nstopped, without a result")
            raise
        except SeatFault as fault:
            self._show_fault(fault)
        except (SeatKilled, SeatUnavailable) as killed:
            click.echo(f"{self.bot}: {killed}; the match has no result")

    def _greet(self) -> None:
        state, limits = self.session.state, self.session.limits
        sides = ", ".join(
            f"{name}: {'you' if number == self.session.seat else self.bot}"
            for number, name in enumerate(self.game.seat_names)
        )
        click.echo(f"{self.game.title}. {sides}; {limits.move_s:g} s a move for the bot.")
        if state.to_move >= 0 and state.outcome() is None:
            click.echo(f"Moves are written like {_listed(state, 9)[:LINE_MAX]}.")
        click.echo("undo takes your last move back; resign and quit end it; help lists the moves.")

    def _person(self) -> bool:
        """Ask for a move until there is one; return whether the match goes on."""
        self._show_board()
        session = self.session
        while True:
            text = input(f"{self.game.seat_names[session.seat]}, your move: ").strip()
            if text:
                try:
                    # A game may call a move like one of the words below; then it is a move.
                    session.play(text)
                    return True
                except MoveError:
                    pass
            word = text.lower()
            if word in ("quit", "q", "exit"):
                click.echo("stopped, without a result")
                return False
            if word == "resign":
                click.echo(f"You resigned. {self.bot} won.")
                return False
            if word == "undo":
                self._undo()
            elif word in ("help", "h", "?"):
                click.echo(f"legal moves: {_listed(session.state)}; or undo, resign, quit")
            elif word:
                shown = printable(brief(text))
                click.echo(f"{shown} is no legal move; legal are {_listed(session.state)}")

    def _undo(self) -> None:
        if self.session.undo():
            self._show_board()
        else:
            click.echo("there is no move of yours to take back")

    def _show_move(self, move: "SessionMove") -> None:
        if not move.text:
            return
        if move.seat == CHANCE:
            click.echo(f"luck draws {printable(move.text)}")
            return
        report = move.report
        told = [numbers(report), report.text[:TEXT_SHOWN]] if report else []
        words = ", ".join(part for part in [short_time(move.wall_ns), *told] if part)
        name = self.game.seat_names[move.seat]
        click.echo(printable(f"{name} ({self.bot}) plays {move.text}  [{words}]"))

    def _show_board(self) -> None:
        click.echo(f"\n{printable(self.session.state.render(), keep_lines=True)}\n")

    def _show_fault(self, fault: "SeatFault") -> None:
        click.echo(f"{self.bot} loses by {fault.termination}: {printable(fault.detail)}\nYou won.")
        for log in self.session.logs:
            for line in log.strip().splitlines()[-LOG_LINES:]:
                click.echo(f"  {printable(line)}")


def _listed(state: State, most: int = LEGAL_SHOWN) -> str:
    """Write the legal moves as people do, or the first of them."""
    texts = [printable(state.text(move)) for move in state.legal_moves()]
    return ", ".join(texts[:most]) + (", …" if len(texts) > most else "")
