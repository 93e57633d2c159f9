"""The messages of JSON lines, whatever carries them; see docs/reference/json-lines.md."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.support.errors import brief
from games.support.game import Game, State
from games.support.moves import WireMove
from games.support.view import View
from league.model.records import ReportRecord, Termination
from league.seats.report_parsing import legal_line, report_of
from league.seats.seat import MoveBudget, SeatFault
from league.seats.time_management import move_time_s

PROTOCOL = 1
"""The supported version of the protocol."""

_USUAL = {"legal": True, "fen": True, "board": False}
"""Costly fields of a request, and whether they are sent by default."""

write = json.JSONEncoder(separators=(",", ":")).encode
"""Encode a message in one line without spaces."""


class JsonLines:
    """The requests to one bot, and the meaning of its answers.

    `options` are the bot's. Each request has a number, and `asked` is that of the last one.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        self.asked = 0
        self._options = dict(options)
        self._wanted = dict(_USUAL)
        self._match: dict[str, object] = {}
        self._state: State
        self._texts: list[str] = []

    def hello(self) -> dict[str, object]:
        """Return the request for the version of the protocol."""
        return self._request("hello", {"protocol": PROTOCOL})

    def greeted(self, answer: Mapping[str, Any]) -> None:
        """Keep which fields the bot wants; raise `SeatFault` for another version."""
        spoken = answer.get("protocol")
        if type(spoken) is not int or spoken != PROTOCOL:
            told = "no version" if spoken is None else f"version {brief(spoken)}"
            raise SeatFault(
                Termination.CRASH,
                f"greeted with {told} of the protocol: the league speaks version {PROTOCOL}; "
                f'answer {{"id":{self.asked},"protocol":{PROTOCOL}}}',
            )
        for name in _USUAL:
            if isinstance(answer.get(name), bool):
                self._wanted[name] = answer[name]

    def set_up(self, game: Game, seat: int, seed: int) -> None:
        """Store the next match."""
        self._state, self._texts = game.initial(), []
        self._match = {
            "game": game.spec,
            "seat": seat,
            "seats": game.seats,
            "seed": seed,
            "rules": _rules(game),
            "options": self._options,
        }

    def match(self) -> dict[str, object]:
        """Return the announcement of the match."""
        return self._request("match", self._match)

    def move(
        self, state: State, history: Sequence[WireMove], budget: MoveBudget
    ) -> dict[str, object]:
        """Return the request for a move, complete enough for a stateless bot."""
        told: dict[str, object] = {
            "game": self._match["game"],
            "seat": self._match["seat"],
            "seconds": move_time_s(budget),
            "depth": budget.depth,
            "nodes": budget.nodes,
        }
        if budget.left_s:
            told["clocks"] = budget.left_s
            told["increment"] = budget.increments_s[budget.seat]
            told["moves_to_go"] = budget.moves_to_go
        if isinstance(state, View):
            told["events"] = state.events
        else:
            self._follow(history)
            told["moves"] = self._texts
        if self._wanted["legal"]:
            told["legal"] = [state.text(move) for move in state.legal_moves()]
        if self._wanted["fen"] and (fen := state.fen()):
            told["fen"] = fen
        if self._wanted["board"]:
            told["board"] = state.render()
        return self._request("move", told)

    def _request(self, kind: str, fields: Mapping[str, object]) -> dict[str, object]:
        self.asked += 1
        return {"type": kind, "id": self.asked, **fields}

    def _follow(self, history: Sequence[WireMove]) -> None:
        """Append the texts of the moves since the last request."""
        state = self._state
        for wire in history[len(self._texts) :]:
            move = wire if type(wire) is int else state.parse(str(wire))
            self._texts.append(state.text(move))
            state = state.play(move)
        self._state = state


def move_of(answer: Mapping[str, Any], line: str) -> WireMove:
    """Return the move of an answer, legal or not, as text; `line` is the answer as it came.

    Raises `SeatFault` for a resignation and for an answer without a move.
    """
    if answer.get("resign") is True:
        raise SeatFault(Termination.RESIGNATION, "resigned")
    move = answer.get("move")
    if type(move) not in (str, int):
        raise nonsense("answered no move", line)
    # As text, so that `4` is column 4, as in `legal`.
    return str(move)


def report_on_move(state: State, answer: Mapping[str, Any]) -> ReportRecord | None:
    """Return the report in an answer, its expected moves in stored form up to an illegal one."""
    report = report_of(answer)
    if report is None or not report.pv:
        return report
    if isinstance(state, View):
        # What follows a move depends on what the bot does not see.
        return replace(report, pv=())
    line = legal_line(state, map(str, report.pv), lambda at, text: at.parse(text))
    return replace(report, pv=line)


def nonsense(what: str, line: str) -> SeatFault:
    """Return the fault of an answer that is no message, with its text."""
    return SeatFault(Termination.ILLEGAL_MOVE, f"{what}: {brief(line)}")


def _rules(game: Game) -> dict[str, object]:
    # Bots may pass all of this to a board that only knows the default initial position.
    told = {name: value for name, value in game.values.items() if name != "fen" or value}
    return {name: _plain(value) for name, value in told.items()}


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | float | str) else str(value)
