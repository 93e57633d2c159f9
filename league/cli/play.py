"""`league play`."""

import secrets
import sys
from collections.abc import Mapping
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from games.support.errors import MoveError, brief
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import WireMove, decode_move, draw_move, encode_move
from games.support.specs import find_game
from league.cli.console import clean
from league.cli.option_types import DURATION
from league.cli.options import db_option, isolation_option, pairs
from league.cli.play_tournament import environment_of
from league.model.errors import CheckError, SpecError, UnknownRowError
from league.model.number_format import numbers, short_time
from league.model.records import IMPORTED, BotVersion, Limits, Termination

if TYPE_CHECKING:
    from league.seats.process.environment import BotEnvironment
    from league.seats.seat import SeatFault

LEGAL_SHOWN = 60
LOG_LINES = 12
TEXT_SHOWN = 60
LINE_MAX = 200


@click.command("play")
@click.argument("game")
@click.option("--against", required=True, metavar="BOT", help="A registered bot, or a bot's spec.")
@click.option(
    "--seat", type=click.IntRange(0), default=0, show_default=True, help="Yours; 0 moves first."
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the bot.")
@click.option(
    "--move-time",
    type=DURATION,
    default="1s",
    show_default=True,
    help="The bot's time for each move.",
)
@click.option("--seed", type=click.IntRange(0), help="Repeats the bot's random choices.")
@isolation_option
@db_option
def command(
    game: str,
    against: str,
    seat: int,
    options: tuple[str, ...],
    move_time: float,
    seed: int | None,
    isolation: str,
    db: str,
) -> None:
    """Play GAME against a bot, by typing moves.

    BOT is the name of a registered bot, a built-in one with its options, or a file. Besides moves
    there are: undo, resign, quit, help.

    \b
    Examples:
      league play connectfour --against iterative
      league play tictactoe --against minimax:depth=2 --seat 1
    """
    from league.seats.process.isolation import resolve

    rules = find_game(game)
    if seat >= rules.seats:
        raise click.BadParameter(
            f"{rules.spec} has seats 0 to {rules.seats - 1}", param_hint="'--seat'"
        )
    version = find_bot(db, against, pairs(options))
    level, _ = resolve(isolation)
    environment = environment_of(db, [rules.spec])
    limits = Limits(move_s=move_time, isolation=level)
    chosen = secrets.randbelow(1 << 32) if seed is None else seed
    if isinstance(sys.stdin, TextIOWrapper):
        # A mistyped byte is a mistyped move, not the end.
        sys.stdin.reconfigure(errors="replace")
    HumanSeat(rules, version, seat, limits, environment, chosen).play()


def find_bot(db: str, name: str, options: Mapping[str, str]) -> BotVersion:
    """Return the newest version of the bot of that name, else the bot that it is the spec of.

    `options` replace those it was registered with. The database need not exist. Raises
    `SpecError` or `OptionError` when it is neither.
    """
    from league.registration.source_snapshot import take_snapshot
    from league.store.store import open_store

    unknown = f"no league at {db!r}"
    if "://" in db or Path(db).exists():
        with open_store(db, read_only=True) as store:
            try:
                version = store.version(store.bot(name).versions[-1].id)
                if version.spec == IMPORTED:
                    raise SpecError(f"{name!r} is known by imported results alone", name)
                return replace(version, options={**version.options, **options})
            except UnknownRowError as error:
                unknown = str(error)
    try:
        return take_snapshot(name, name, dict(options))
    except SpecError as error:
        raise SpecError(f"{unknown}, and as a spec:\n{error}", name) from None


class HumanSeat:
    """A person and a bot at the board; a game for more has the same bot in every other seat."""

    def __init__(
        self,
        game: Game,
        version: BotVersion,
        seat: int,
        limits: Limits,
        environment: "BotEnvironment",
        seed: int,
    ) -> None:
        from league.match.play import chance_of
        from league.seats.bot_specs import make_seat

        self.game = game
        self.seat = seat
        self.limits = limits
        self.seed = seed
        self.luck = chance_of(seed)
        self.bot = clean(version.name)
        self.state: State = game.initial()
        self.history: list[WireMove] = []
        self.mine: list[tuple[State, int]] = []
        """Where each of the person's moves was made: the position, and the plies before it."""
        self.bots = {
            number: make_seat(version, limits, environment)
            for number in range(game.seats)
            if number != seat
        }

    def play(self) -> None:
        """Play to the end, and say how it ended; a Ctrl-C or a Ctrl-D ends it too."""
        from league.seats.seat import SeatFault, SeatKilled

        try:
            self._sit_down()
            is_on = True
            while is_on and self.state.outcome() is None:
                if len(self.history) >= self.limits.max_plies:
                    break
                if self.state.to_move == CHANCE:
                    self._draw()
                elif self.state.to_move == self.seat:
                    is_on = self._person()
                else:
                    self._answer(self.state.to_move)
            if is_on:
                self._show_board()
                click.echo(self._result())
        except (KeyboardInterrupt, EOFError):
            click.echo("\nstopped, without a result")
        except SeatFault as fault:
            self._show_fault(fault)
        except SeatKilled as killed:
            click.echo(f"{self.bot}: {killed}; the match has no result")
        finally:
            for bot in self.bots.values():
                bot.stop()

    def _sit_down(self) -> None:
        from league.seats.seat import SeatFault, SeatKilled

        try:
            for bot in self.bots.values():
                bot.start()
            self._tell_bots()
        except (SeatFault, SeatKilled) as fault:
            raise CheckError(f"{self.bot!r} {fault}", self.bot) from None
        except OSError as error:
            raise CheckError(f"{self.bot!r} can't be started: {error}", self.bot) from None
        sides = ", ".join(
            f"{name}: {'you' if number == self.seat else self.bot}"
            for number, name in enumerate(self.game.seat_names)
        )
        click.echo(f"{self.game.title}. {sides}; {self.limits.move_s:g} s a move for the bot.")
        if self.state.to_move >= 0 and self.state.outcome() is None:
            click.echo(f"Moves are written like {_listed(self.state, 9)[:LINE_MAX]}.")
        click.echo("undo takes your last move back; resign and quit end it; help lists the moves.")

    def _tell_bots(self) -> None:
        """Tell the bots of a match that stands where this one does."""
        from league.match.seeds import seed_of

        for number, bot in self.bots.items():
            bot.new_match(self.game, number, seed_of(self.seed, number), self.history)

    def _person(self) -> bool:
        """Ask for a move until there is one; return whether the match goes on."""
        self._show_board()
        while True:
            text = input(f"{self.game.seat_names[self.seat]}, your move: ").strip()
            # A game may call a move so; then it is a move.
            move = self._read(text)
            if move is not None:
                self.mine.append((self.state, len(self.history)))
                self._make(move)
                return True
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
                click.echo(f"legal moves: {_listed(self.state)}; or undo, resign, quit")
            elif word:
                shown = clean(brief(text))
                click.echo(f"{shown} is no legal move; legal are {_listed(self.state)}")

    def _read(self, text: str) -> Move | None:
        try:
            return self.state.parse(text) if text else None
        except MoveError:
            return None

    def _undo(self) -> None:
        if not self.mine:
            click.echo("there is no move of yours to take back")
            return
        self.state, plies = self.mine.pop()
        del self.history[plies:]
        self._tell_bots()
        self._show_board()

    def _answer(self, number: int) -> None:
        """Let the bot in seat `number` move; raise `SeatFault` when it does not."""
        from league.seats.seat import MoveBudget, SeatFault

        budget = MoveBudget.of(self.limits, self.game.seats)
        answer = self.bots[number].ask(self.state, self.history, budget)
        try:
            move = decode_move(self.state, answer.wire)
        except MoveError as error:
            raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}") from None
        report = answer.report
        told = [numbers(report), report.text[:TEXT_SHOWN]] if report else []
        words = ", ".join(part for part in [short_time(answer.wall_ns), *told] if part)
        name = self.game.seat_names[number]
        click.echo(clean(f"{name} ({self.bot}) plays {self.state.text(move)}  [{words}]"))
        self._make(move)

    def _draw(self) -> None:
        move = draw_move(self.state, self.luck)
        click.echo(f"luck draws {clean(self.state.text(move))}")
        self._make(move)

    def _make(self, move: Move) -> None:
        self.history.append(encode_move(self.state, move))
        self.state = self.state.play(move)

    def _show_board(self) -> None:
        click.echo(f"\n{clean(self.state.render(), keep_lines=True)}\n")

    def _result(self) -> str:
        from league.match.scores import scores_of

        placing = self.state.placing()
        if placing is None:
            return f"A draw: not over after {self.limits.max_plies} plies."
        scores = scores_of(placing, self.game.sides)
        mine = scores[self.seat]
        if mine == max(scores):
            return "A draw." if mine == min(scores) else "You won."
        return f"{self.bot} won."

    def _show_fault(self, fault: "SeatFault") -> None:
        click.echo(f"{self.bot} loses by {fault.termination}: {clean(fault.detail)}\nYou won.")
        for bot in self.bots.values():
            bot.stop()
            for line in bot.log.strip().splitlines()[-LOG_LINES:]:
                click.echo(f"  {clean(line)}")


def _listed(state: State, most: int = LEGAL_SHOWN) -> str:
    """Write the legal moves as people do, or the first of them."""
    texts = [clean(state.text(move)) for move in state.legal_moves()]
    return ", ".join(texts[:most]) + (", …" if len(texts) > most else "")
