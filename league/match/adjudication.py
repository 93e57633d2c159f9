"""Ending a match before the rules do: by agreement of the bots or by tablebases."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from games.support.errors import OptionError
from games.support.game import Game, State, Tablebase
from games.support.options import Option, parse_options, split_options
from league.match.scores import scores_of
from league.model.records import Adjudication, DrawRule, ReportRecord, WinRule

_MOST = 1e9
_MOVES = Option("moves", int, None, "how many moves in a row each bot must say so", low=1)
_DRAW = (
    Option("score", float, None, "the greatest score of a draw, either way", low=0, high=_MOST),
    _MOVES,
    Option("after", int, 0, "how many plies must be played", low=0),
    Option("move", int, 0, "how many moves must be over by the game's own numbers", low=0),
    Option("reset", bool, False, "whether captures and moves of pawns begin the count again"),
)
_WIN = (
    Option("score", float, None, "the least score of a win", low=0.001, high=_MOST),
    _MOVES,
    Option("twosided", bool, True, "whether the winner must say so too"),
)

_FOREIGN = {
    "movecount": "moves=8",
    "movenumber": "move=34 for movenumber=34",
}
"""Parts of the rules of fastchess and cutechess-cli, and ours."""


def draw_rule(text: str) -> DrawRule:
    """Parse `score=0.1,moves=8,move=40,reset=yes`; raise `OptionError` if it is invalid."""
    values = _values(_DRAW, text, "--draw")
    is_reset = values.pop("reset", False)
    return DrawRule(**values, is_reset=is_reset)


def win_rule(text: str) -> WinRule:
    """Parse `score=6,moves=4,twosided=no`; raise `OptionError` if it is invalid."""
    values = _values(_WIN, text, "--win")
    is_one_sided = not values.get("twosided", True)
    return WinRule(score=values["score"], moves=values["moves"], is_one_sided=is_one_sided)


def written_draw(rule: DrawRule) -> str:
    """Write a rule as `draw_rule` reads it."""
    late = f",after={rule.after}" * bool(rule.after) + f",move={rule.move}" * bool(rule.move)
    return f"score={rule.score!r},moves={rule.moves}{late}" + ",reset=yes" * rule.is_reset


def written_win(rule: WinRule) -> str:
    """Write a rule as `win_rule` reads it."""
    return f"score={rule.score!r},moves={rule.moves}" + (",twosided=no" * rule.is_one_sided)


def open_tables(game: Game, adjudication: Adjudication) -> Tablebase | None:
    """Open the tablebases that adjudicate matches of `game`; None for none.

    Raises `GameError` if they can't be read.
    """
    if not adjudication.tablebases:
        return None
    return game.tablebase(
        adjudication.tablebases,
        pieces=adjudication.table_pieces,
        ignores_fifty=adjudication.ignore_fifty,
    )


def _values(declared: tuple[Option, ...], text: str, owner: str) -> dict[str, Any]:
    given = split_options(text, ",")
    for theirs, ours in _FOREIGN.items():
        if theirs in given:
            raise OptionError(f"{owner} has no {theirs}=: write {ours}", theirs)
    values = parse_options(declared, given, owner)
    for each in declared:
        if each.default is None and each.name not in values:
            raise OptionError(f"{owner} {text!r} lacks {each.name}=, {each.help}", each.name)
    return values


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """An adjudicated result: league points by seat, and the reason in words."""

    scores: tuple[float, ...]
    detail: str


class Adjudicator:
    """Adjudicates one match of a two-sided game from the bots' reports and tablebases."""

    def __init__(self, adjudication: Adjudication, game: Game, tables: Tablebase | None) -> None:
        self._rules = adjudication
        self._game = game
        self._tables = tables
        # By seat: how many moves in a row it has reported a draw, a win, a loss.
        self._level = [0] * game.seats
        self._ahead = [0] * game.seats
        self._behind = [0] * game.seats

    @property
    def hears(self) -> bool:
        """Whether reports can end a match."""
        return self._rules.draw is not None or self._rules.win is not None

    def settle(
        self, seat: int, report: ReportRecord | None, plies: int, state: State
    ) -> Adjudicated | None:
        """Return the verdict after a move of `seat` that led to `state`; None if play goes on.

        `plies` counts all plies played. A match that the rules have ended is not adjudicated.
        """
        if state.outcome() is not None:
            return None
        return self.hear(seat, report, plies, state) or self.look_up(state)

    def hear(
        self, seat: int, report: ReportRecord | None, plies: int, state: State
    ) -> Adjudicated | None:
        """Record a report on the move to `state`; return the verdict that all bots agree on."""
        score = _score(report)
        draw, win = self._rules.draw, self._rules.win
        if draw:
            if draw.is_reset and state.quiet_plies() == 0:
                self._level[:] = [0] * len(self._level)
            _count(self._level, seat, score is not None and abs(score) <= draw.score)
            is_late = plies >= draw.after and _moves_over(state) >= draw.move
            if is_late and min(self._level) >= draw.moves:
                return self._drawn(draw)
        if win:
            _count(self._ahead, seat, score is not None and score >= win.score)
            _count(self._behind, seat, score is not None and score <= -win.score)
            for side in sorted(set(self._game.sides)):
                if self._has_won(side, win):
                    return self._won(side, win)
        return None

    def look_up(self, state: State) -> Adjudicated | None:
        """Return the tablebases' verdict."""
        utilities = None if self._tables is None else self._tables.probe(state)
        if utilities is None:
            return None
        best = max(utilities)
        winners = [seat for seat, utility in enumerate(utilities) if utility == best]
        is_draw = len(winners) == len(utilities)
        if self._rules.table_results == ("wins" if is_draw else "draws"):
            return None
        told = "a draw" if is_draw else f"{self._names(winners)} wins"
        scores = scores_of(utilities, self._game.sides)
        return Adjudicated(scores, f"{told} by the tables of endgames")

    def _has_won(self, side: int, rule: WinRule) -> bool:
        return all(
            (self._ahead if mine == side else self._behind)[seat] >= rule.moves
            for seat, mine in enumerate(self._game.sides)
            if mine != side or not rule.is_one_sided
        )

    def _drawn(self, rule: DrawRule) -> Adjudicated:
        level = (0.0,) * self._game.seats
        late = f" after ply {rule.after}" if rule.after else ""
        late += f" after move {rule.move}" if rule.move else ""
        text = f"all bots said {rule.score:g} or less either way for {_times(rule.moves)}{late}"
        return Adjudicated(scores_of(level, self._game.sides), f"{text}: a draw")

    def _won(self, side: int, rule: WinRule) -> Adjudicated:
        sides = self._game.sides
        placing = [1.0 if mine == side else -1.0 for mine in sides]
        winners = self._names(seat for seat, mine in enumerate(sides) if mine == side)
        losers = self._names(seat for seat, mine in enumerate(sides) if mine != side)
        text = f"{losers} said {-rule.score:g} or less"
        if not rule.is_one_sided:
            text = f"{winners} said {rule.score:g} or more and {losers} {-rule.score:g} or less"
        return Adjudicated(scores_of(placing, sides), f"{text} for {_times(rule.moves)}")

    def _names(self, seats: Iterable[int]) -> str:
        return " and ".join(self._game.seat_names[seat] for seat in seats)


def _moves_over(state: State) -> int:
    """Return the number of the last move that every seat has made; 0 without numbers."""
    return (state.move_number() or 1) - 1


def _count(streaks: list[int], seat: int, goes_on: bool) -> None:
    streaks[seat] = streaks[seat] + 1 if goes_on else 0


def _score(report: ReportRecord | None) -> float | None:
    """Return the reported score; a mate is infinite, so it exceeds any score in any unit."""
    if report is None or report.score is None or report.mate is None:
        return report.score if report else None
    return math.copysign(math.inf, report.score)


def _times(moves: int) -> str:
    return f"{moves} moves each" if moves > 1 else "one move each"
