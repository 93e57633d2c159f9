"""The process of a Python bot: `python -m league.seats.python.host`.

Exchanges JSON lines with the seat: an object to load the bot, then one for each match and a list
for each question, with one line in answer to each. The bot's own prints go to its log.
"""

import gc
import json
import operator
import os
import resource
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import BuiltinFunctionType, CoroutineType, FunctionType, GeneratorType, MethodType
from typing import TYPE_CHECKING, Any, NoReturn

from bots.support.bot import PV_MAX, TEXT_MAX, Bot, Clock, Report
from bots.support.specs import is_built_in
from games.support.errors import brief
from games.support.game import Move, State
from games.support.moves import WireMove, encode_move, replay
from games.support.references import split_reference
from games.support.specs import find_game
from games.support.view import Sight, View
from league.seats.python import loading
from league.seats.python.file_watch import FileWatch
from league.seats.python.frozen import Freezer
from league.seats.python.loading import LoadFailure, load_bot
from league.seats.python.own_code import OwnCode
from league.seats.python.stack_sample import answer_signal

if TYPE_CHECKING:
    from league.seats.python.walk import Walker

_HOSTS = (__file__, sys.modules[Bot.__module__].__file__, loading.__file__)

_KINDS: tuple[tuple[str, Any], ...] = (
    ("nothing", type(None)),
    ("position", State),
    ("generator", GeneratorType),
    ("coroutine", CoroutineType),
    ("method", (FunctionType, BuiltinFunctionType, MethodType)),
    ("moves", (list, tuple, set, frozenset)),
)
"""The kinds of answers that are often given by mistake."""


class HostPipe:
    """The pipe's private ends; their old descriptors now lead to /dev/null and the bot's log."""

    def __init__(self) -> None:
        self._watch: FileWatch | None = None
        self._in = os.fdopen(os.dup(0), "rb", buffering=65536)
        self._out = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a real file
        answer_signal(self._out)

    def messages(self) -> Iterator[Any]:
        """Yield each message until the seat closes the pipe."""
        decode = json.JSONDecoder().decode
        for line in self._in:
            yield decode(line.decode())

    def answer(self, text: str) -> None:
        """Write whole lines."""
        os.write(self._out, text.encode() + b"\n")

    def watch_files(self, folder: Path | None) -> None:
        """Tell from now on, with `ready` and `fail`, which files the bot has read."""
        self._watch = FileWatch(folder)
        sys.addaudithook(self._watch)

    def ready(self, **more: object) -> str:
        """Return the answer of a bot that is ready."""
        return json.dumps({"ready": True, **more, **self._opened()})

    def _opened(self) -> dict[str, list[str]]:
        news = self._watch.news() if self._watch else []
        return {"opened": news} if news else {}

    def fail(self, kind: str, text: str) -> NoReturn:
        """Report to the seat why the bot can't continue, and exit."""
        try:
            sys.stdout.flush()
            sys.stderr.flush()
            self.answer(json.dumps({"error": kind, "text": text[:TEXT_MAX], **self._opened()}))
        finally:
            os._exit(1)


def main() -> None:
    """Load the bot, then answer messages until the pipe ends."""
    line = HostPipe()
    messages = line.messages()
    load = next(messages, None)
    if load is None:
        return
    if load["memory_mb"]:
        limit = load["memory_mb"] << 20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        folder = Path(load["folder"]) if load["folder"] else None
        if load.get("is_watched"):
            line.watch_files(folder)
        own = OwnCode(folder, split_reference(load["spec"])[0])
        loaded = load_bot(load["spec"], load["options"], load["files"], folder)
    except LoadFailure as failure:
        if failure.__cause__ is not None:
            traceback.print_exception(failure.__cause__)
        line.fail("load", str(failure))
    except MemoryError:
        line.fail("memory", "needs more memory than it may have, already to start")
    gc.freeze()
    line.answer(line.ready(note=loaded.note, prepares=bool(loaded.bot.prepares)))
    freezer = Freezer(own.has) if load["files"] or not is_built_in(load["spec"]) else None
    walker = None
    if load.get("counts_nodes"):
        # Imported late: no match needs it.
        from league.seats.python.walk import Walker  # noqa: PLC0415

        walker = Walker()
    BotHost(loaded.bot, line, own, freezer, walker).serve(messages)


class BotHost:
    """One bot and the last position it was asked about.

    `freezer` is None for our own bots, `walker` if nobody wants to know what the bot searches.
    """

    def __init__(
        self,
        bot: Bot,
        line: HostPipe,
        own: OwnCode,
        freezer: Freezer | None,
        walker: "Walker | None" = None,
    ) -> None:
        self._bot = bot
        self._line = line
        self._own = own
        self._freezer = freezer
        self._walker = walker
        self._state: State | None = None
        self._events: tuple[str, ...] = ()
        """The events of a match with secrets, as the bot's seat has seen them."""

    def serve(self, messages: Iterator[Any]) -> None:
        """Answer each message; end the process if the bot's code fails."""
        for message in messages:
            try:
                is_question = type(message) is list
                text = self._ask(*message) if is_question else self._new_match(message)
            except MemoryError:
                self._line.fail("memory", "asked for more memory than it may have")
            except BaseException as error:
                # SystemExit, KeyboardInterrupt and a bot's own BaseException count as crashes too.
                _print_own(error)
                self._line.fail("crash", self._own.crash(error))
            if text:
                self._line.answer(text)

    def _position(self, moves: Sequence[WireMove]) -> State:
        """Return the position after some more moves."""
        state = self._state
        if state is None:
            raise RuntimeError("asked before a match")
        for each in moves:
            state = state.play(each if isinstance(each, int) else state.parse(each))
        self._state = state
        return state

    def _view(self, told: Any) -> View:
        """Return the bot's view of a position with secrets."""
        if self._state is None:
            raise RuntimeError("asked before a match")
        self._events = events = (*self._events, *told.pop("events"))
        moves, board, seat = tuple(told.pop("moves")), tuple(told.pop("board")), told.pop("seat")
        return View(self._state.game, seat, Sight(events=events, moves=moves, board=board, **told))

    def _new_match(self, message: Any) -> str:
        """Prepare for a match; '' if nobody waits for that."""
        game = find_game(message["match"])
        self._state, self._events = replay(game.initial(), message["opening"]), ()
        self._bot.new_match(game, message["seat"], message["seed"])
        return self._line.ready() if message["is_awaited"] else ""

    def _ask(self, number: int, news: Any, *limits: Any) -> str:
        """Answer a question: what is new since the last one, then the fields of the bot's `Clock`.

        New are the moves, or a view in games with secrets.
        """
        state = self._view(news) if isinstance(news, dict) else self._position(news)
        if self._walker is not None:
            self._walker.begin(state)
        elif self._freezer is not None:
            self._freezer.freeze(state)
        bot = self._bot
        bot.report = None
        move = bot.choose(state, _clock(*limits))
        wire = _encode(state, move)
        report = bot.report
        if report is None and self._walker is None:
            if type(wire) is int:
                return f'{{"ask":{number},"move":{wire}}}'
            return json.dumps({"ask": number, **_said(wire)})
        said = {"ask": number, **_said(wire)}
        if self._walker is not None:
            # Before the report, whose line is played too.
            said["walk"] = self._walker.told()
        if report is not None:
            said["report"] = _report(state, report)
        return json.dumps(said)


def _clock(
    deadline_ns: int | None,
    depth: int | None,
    nodes: int | None,
    remaining_s: Sequence[float] = (),
    increments_s: Sequence[float] = (),
    moves_to_go: int | None = None,
) -> Clock:
    return Clock(deadline_ns, depth, nodes, tuple(remaining_s), tuple(increments_s), moves_to_go)


class _NoMove:
    """The repr of an answer that is no move, and its kind; '' if nothing is known of it."""

    __slots__ = ("kind", "shown")

    def __init__(self, answer: object, shown: str) -> None:
        self.shown = shown
        self.kind = next((name for name, types in _KINDS if isinstance(answer, types)), "")


def _encode(state: State, move: Move) -> int | str | _NoMove:
    if type(move) is int:
        return _index(move)
    legal = state.legal_moves()
    if move in legal and type(move) is not bool:
        # A float or NumPy integer equals the int it represents, but has another text.
        return encode_move(state, legal[legal.index(move)])
    return _index(move)


def _index(move: Move) -> int | _NoMove:
    if type(move) is bool:
        return _NoMove(move, repr(move))
    try:
        number = operator.index(move)
    except TypeError:
        return _NoMove(move, brief(move))
    # Python refuses to print numbers with thousands of digits, and no move is one.
    return number if abs(number) < 1 << 62 else _NoMove(number, brief(number))


def _said(wire: int | str | _NoMove) -> dict[str, object]:
    if isinstance(wire, _NoMove):
        return {"nomove": wire.shown, "kind": wire.kind}
    return {"move": wire}


def _report(state: State, report: Report) -> dict[str, object]:
    line: list[int | str] = []
    for move in tuple(report.pv)[:PV_MAX]:
        legal = state.legal_moves()
        if move not in legal:
            break
        own = legal[legal.index(move)]
        line.append(encode_move(state, own))
        if isinstance(state, View):
            # What follows depends on what nobody there knows.
            break
        state = state.play(own)
    return {
        "depth": report.depth,
        "nodes": report.nodes,
        "score": None if report.score is None else float(report.score),
        "pv": line,
        "text": str(report.text)[:TEXT_MAX],
    }


def _print_own(error: BaseException) -> None:
    """Print the traceback from the bot's first line on, without the league's frames."""
    whole = error.__traceback__
    own = whole
    while own is not None and own.tb_frame.f_code.co_filename in _HOSTS:
        own = own.tb_next
    traceback.print_exception(type(error), error, own or whole)


if __name__ == "__main__":
    main()
