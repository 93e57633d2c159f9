"""Battlesnake's webhooks: servers written for it play `snakes` as they are.

Source: https://docs.battlesnake.com/api, and the package `client` of BattlesnakeOfficial/rules.
"""

import json
from random import Random
from typing import Any

from games.snakes import Point, Snake, Snakes, SnakesState
from games.support.game import Game, State
from games.support.moves import WireMove
from games.support.view import View
from league.model.records import Limits
from league.seats.seat import MoveBudget
from league.seats.server.connection import Request
from league.seats.server.dialect import Dialect

TIMEOUT_MS = 500
"""The usual time for a move on Battlesnake's own servers, told where a match has no limit."""

RULESET = {
    "name": "standard",
    "version": "botleague",
    "settings": {
        "foodSpawnChance": 15,
        "minimumFood": 1,
        "hazardDamagePerTurn": 0,
        "hazardMap": "",
        "hazardMapAuthor": "",
        "royale": {"shrinkEveryNTurns": 0},
        "squad": {
            "allowBodyCollisions": False,
            "sharedElimination": False,
            "sharedHealth": False,
            "sharedLength": False,
        },
    },
}


class Battlesnake(Dialect):
    """A match in requests `start`, `move` and `end`, each with the whole board."""

    plays = Snakes.name

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat, seed)
        self._body = b""

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse limits without a time for each move."""
        if limits.move_s is None:
            return "Battlesnake knows no limit but a time for each move"
        return ""

    def begin(self, state: State, budget: MoveBudget) -> Request:
        """Return `POST /start` with the board on which the seat moves first."""
        return self._post("start", state, budget)

    def question(self, state: State, budget: MoveBudget) -> Request:
        """Return `POST /move` with the board."""
        return self._post("move", state, budget)

    def move_of(self, answer: dict[str, Any]) -> WireMove | None:
        """Return the direction."""
        move = answer.get("move")
        return move if isinstance(move, str) else None

    def remark_of(self, answer: dict[str, Any]) -> str:
        """Return the shout."""
        shout = answer.get("shout")
        return shout if isinstance(shout, str) else ""

    def end(self) -> Request:
        """Return `POST /end` with the last board that the seat has seen."""
        return Request("POST", "end", self._body)

    def _post(self, path: str, state: State, budget: MoveBudget) -> Request:
        whole = state.sample(Random(0)) if isinstance(state, View) else state
        assert isinstance(whole, SnakesState)  # noqa: S101 (`plays` says so)
        self._body = json.dumps(self._told(whole, budget), separators=(",", ":")).encode()
        return Request("POST", path, self._body)

    def _told(self, state: SnakesState, budget: MoveBudget) -> dict[str, object]:
        """Return a position as the official engine tells it."""
        snakes = {
            seat: _snake(name, snake)
            for seat, (name, snake) in enumerate(
                zip(state.game.seat_names, state.snakes, strict=True)
            )
            if snake.body
        }
        limit_s = budget.limit_s
        return {
            "game": {
                "id": f"{self.seed:016x}",
                "ruleset": RULESET,
                "map": "standard",
                "timeout": TIMEOUT_MS if limit_s is None else round(1000 * limit_s),
                "source": "custom",
            },
            "turn": state.turn,
            "board": {
                "height": state.game.height,
                "width": state.game.width,
                "snakes": list(snakes.values()),
                "food": list(map(_point, state.food)),
                "hazards": [],
            },
            "you": snakes[self.seat],
        }


def _snake(name: str, snake: Snake) -> dict[str, object]:
    return {
        "id": name.lower(),
        "name": name,
        "latency": "0",
        "health": snake.health,
        "body": list(map(_point, snake.body)),
        "head": _point(snake.head),
        "length": len(snake.body),
        "shout": "",
        "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }


def _point(point: Point) -> dict[str, int]:
    return {"x": point[0], "y": point[1]}


DIALECT = Battlesnake
