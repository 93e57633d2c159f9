"""Battlesnake's webhooks: servers written for it play `snakes` as they are.

Source: https://docs.battlesnake.com/api, and the package `client` of BattlesnakeOfficial/rules.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from bots.support.bot import TEXT_MAX
from games.snakes import Point, Snake, Snakes, SnakesState
from games.support.game import Game, State
from games.support.moves import WireMove
from games.support.view import View
from league.model.records import ReportRecord, Termination
from league.seats.json_lines import nonsense, write
from league.seats.seat import MoveBudget, SeatFault
from league.seats.server.connection import Request
from league.seats.server.dialect import Dialect
from league.seats.time_management import move_time_s

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

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self._seat = self._seed = 0
        self._told: dict[str, object] = {}

    def refusal(self, game: Game) -> str:
        """Refuse other games, and options: a server has settings of its own."""
        if game.name != Snakes.name:
            return (
                f"it answers GET / as a server of Battlesnake, which plays {Snakes.name}, not "
                f"{game.spec}; --option dialect=json_lines asks it in JSON lines"
            )
        return f"Battlesnake has no option {next(iter(self.options))!r}" if self.options else ""

    def greeting(self) -> Request:
        """Return `GET /`."""
        return Request("GET")

    def greeted(self, answer: Mapping[str, Any]) -> str:
        """Return the author; raise `SeatFault` for an answer without a version of the API."""
        if not isinstance(answer.get("apiversion"), str):
            text = 'answered GET / without the "apiversion" of Battlesnake'
            raise SeatFault(Termination.CRASH, text)
        author = answer.get("author")
        return author if isinstance(author, str) else ""

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Keep the match, of which the server hears with its first board."""
        self._seat, self._seed = seat, seed

    def begin(self, state: State, budget: MoveBudget) -> Request:
        """Return `POST /start` with the board on which the seat moves first."""
        return self._post("start", state, budget)

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> Request:
        """Return `POST /move` with the board."""
        return self._post("move", state, budget)

    def move_of(self, answer: Mapping[str, Any], body: str) -> WireMove:
        """Return the direction; raise `SeatFault` for none."""
        move = answer.get("move")
        if not isinstance(move, str):
            raise nonsense("answered no move", body)
        return move

    def report_on(self, state: State, answer: Mapping[str, Any]) -> ReportRecord | None:
        """Return the shout."""
        shout = answer.get("shout")
        if not isinstance(shout, str) or not shout:
            return None
        return ReportRecord(text=shout[:TEXT_MAX])

    def end(self, final: State | None) -> Request:
        """Return `POST /end` with the final board, else the last one that was sent."""
        if final is not None:
            self._told |= self._board(final)
        return self._request("end")

    def _post(self, path: str, state: State, budget: MoveBudget) -> Request:
        limit_s = move_time_s(budget)
        self._told = {
            "game": {
                "id": f"{self._seed:016x}",
                "ruleset": RULESET,
                "map": "standard",
                "timeout": TIMEOUT_MS if limit_s is None else round(1000 * limit_s),
                "source": "custom",
            },
            **self._board(state),
        }
        return self._request(path)

    def _request(self, path: str) -> Request:
        return Request("POST", path, write(self._told).encode())

    def _board(self, state: State) -> dict[str, object]:
        """Return a position as the official engine tells it; without `you` if that snake is out."""
        whole = state.sample(Random(0)) if isinstance(state, View) else state
        assert isinstance(whole, SnakesState)  # noqa: S101 (no other game is told)
        snakes = {
            seat: _snake(name, snake)
            for seat, (name, snake) in enumerate(
                zip(whole.game.seat_names, whole.snakes, strict=True)
            )
            if snake.body
        }
        you = {"you": snakes[self._seat]} if self._seat in snakes else {}
        return {
            "turn": whole.turn,
            "board": {
                "height": whole.game.height,
                "width": whole.game.width,
                "snakes": list(snakes.values()),
                "food": list(map(_point, whole.food)),
                "hazards": [],
            },
            **you,
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
