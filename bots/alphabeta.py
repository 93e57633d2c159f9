"""Alpha-beta: minimax's value without the lines that can't change it.

Source: D. Knuth and R. Moore, An Analysis of Alpha-Beta Pruning (1975); the form is fail-soft.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from bots.compiled import ready
from bots.contract import Bot, Clock
from bots.search import (
    FREE,
    Budget,
    Exhausted,
    Result,
    depth_limit,
    depth_of,
    estimate_of,
    plies_of,
    sides_of,
)
from games.contract import Evaluation, Game, Move, State
from games.options import option

ORDERS = ("given", "game", "evaluation")

Order = Callable[[State, Sequence[Move]], Sequence[Move]]


def search(
    state: State,
    *,
    depth: int | None,
    evaluation: Evaluation,
    order: str = "given",
    clock: Clock = FREE,
) -> Result:
    """Return the value of `state` for the seat to move, and its best move, of equals the first.

    `depth` counts plies; None searches to the end of the game, at most `DEPTH_MAX` plies. `order`
    is how moves are sorted: as the rules give them, by the game's own `order`, or by the
    evaluation of the positions they lead to. Seats of the other sides minimise, several in a row
    too; chance nodes are worth their expectation, and nothing is pruned across them. When the
    clock's limits end it early, the best move of those searched holds.
    """
    limit = depth_limit(depth, clock.depth)
    budget = Budget(clock)
    found = _Found([()] * (limit + 1))
    value_of = _searcher(state, evaluation, _order_of(order, evaluation, budget), budget, found)
    is_complete = True
    try:
        value_of(state, limit, -inf, inf)
    except Exhausted:
        is_complete = False
    nodes, is_solved = found.count()
    pv = found.lines[limit] or (state.legal_moves()[0],)
    reached = depth_of(limit, pv) if found.lines[limit] else 0
    return Result(found.value, pv[0], nodes, pv, reached, is_complete, is_complete and is_solved)


@dataclass
class _Found:
    """What a search leaves behind, also where the limits end it.

    `lines` holds the best line by remaining depth, `value` the root's value so far; `count` tells
    the nodes, and whether none of them was left open at the horizon.
    """

    lines: list[tuple[Move, ...]]
    value: float = -inf
    count: Callable[[], tuple[int, bool]] = lambda: (1, False)


def _searcher(
    root: State, evaluation: Evaluation, order: Order | None, budget: Budget, found: _Found
) -> Callable[[State, int, float, float], float]:
    """Return the recursive search over a position, its remaining depth, alpha and beta.

    One long closure, not a class with small methods: local names are what makes it twice as fast.
    So does looking at a child in its parent's loop, which saves the call for every leaf, and one
    loop for each side, which saves asking whose turn it is for every child.
    """
    seat, mine = root.to_move, sides_of(root)
    scale, estimate = evaluation.scale, estimate_of(evaluation)
    lines, top = found.lines, len(found.lines) - 1
    nodes, is_solved = 1, True
    look: float = 0

    def value_of(state: State, depth: int, alpha: float, beta: float) -> float:
        nonlocal nodes, look, is_solved
        to_move = state.to_move
        if to_move < 0:
            return mean_of(state, depth)
        moves = state.legal_moves()
        if order is not None:
            moves = order(state, moves)
        below = depth - 1
        if mine[to_move]:
            best = -inf
            for move in moves:
                if nodes >= look:
                    look = budget.next_look(nodes)
                child = state.play(move)
                nodes += 1
                outcome = child.outcome()
                if outcome is not None:
                    value = outcome[seat] * scale
                elif below:
                    value = value_of(child, below, alpha, beta)
                else:
                    is_solved = False
                    value = 0 if estimate is None else estimate(child, seat)
                if value > best:
                    best = value
                    if value >= beta:
                        return value
                    if value > alpha:
                        alpha = value
                        is_last = outcome is not None or not below
                        lines[depth] = (move,) if is_last else (move, *lines[below])
                        if depth == top:
                            found.value = value
            return best
        best = inf
        for move in moves:
            if nodes >= look:
                look = budget.next_look(nodes)
            child = state.play(move)
            nodes += 1
            outcome = child.outcome()
            if outcome is not None:
                value = outcome[seat] * scale
            elif below:
                value = value_of(child, below, alpha, beta)
            else:
                is_solved = False
                value = 0 if estimate is None else estimate(child, seat)
            if value < best:
                best = value
                if value <= alpha:
                    return value
                if value < beta:
                    beta = value
                    is_last = outcome is not None or not below
                    lines[depth] = (move,) if is_last else (move, *lines[below])
        return best

    def mean_of(state: State, depth: int) -> float:
        """Return what a chance node is worth, and end the line there."""
        nonlocal nodes, look, is_solved
        total: float = 0
        for move, probability in state.chance():
            if nodes >= look:
                look = budget.next_look(nodes)
            child = state.play(move)
            nodes += 1
            outcome = child.outcome()
            if outcome is not None:
                value = outcome[seat] * scale
            elif depth > 1:
                value = value_of(child, depth - 1, -inf, inf)
            else:
                value = 0 if estimate is None else estimate(child, seat)
            total += probability * value
        is_solved = False
        lines[depth] = ()
        return total

    found.count = lambda: (nodes, is_solved)
    return value_of


def _order_of(name: str, evaluation: Evaluation, budget: Budget) -> Order | None:
    if name == "given":
        return None
    if name == "game":
        return lambda state, moves: state.order(moves)

    def by_evaluation(state: State, moves: Sequence[Move]) -> Sequence[Move]:
        seat = state.to_move

        def worth(move: Move) -> float:
            # These positions count as no nodes, but they take their time.
            budget.look_at_clock()
            child = state.play(move)
            outcome = child.outcome()
            if outcome is not None:
                return outcome[seat] * evaluation.scale
            return evaluation.function(child, seat)

        return sorted(moves, key=worth, reverse=True)

    return by_evaluation


@dataclass
class AlphaBeta(Bot):
    """Searches to a depth, leaving out what can't matter."""

    depth: int | None = option(4, help="plies to search; none is to the end", low=1)
    rounds: int | None = option(
        None, help="rounds to search, every seat once, instead of plies", low=1
    )
    order: str = option("given", help="how moves are sorted", choices=ORDERS)
    evaluate: str = option("", help="evaluation by name; the game's first when empty")
    fast: str = option(
        "auto",
        help="search compiled where that is ready and moves are not sorted, or never",
        choices=("auto", "no"),
    )
    _game: Game | None = field(default=None, init=False, repr=False, compare=False)
    _how: str = field(default="", init=False, repr=False, compare=False)
    _compiled: ready.Search | None = field(default=None, init=False, repr=False, compare=False)

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Load the compiled search: that is not on the clock."""
        self._compiled, self._how, self._game = None, "", game
        if self.fast == "auto":
            if self.order == "given":
                self._compiled = ready.ready(game, game.evaluation(self.evaluate))
            self._how = "pure" if self._compiled is None else "compiled"

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position; the report says whether the match is played compiled or pure."""
        evaluation = state.game.evaluation(self.evaluate)
        depth = plies_of(self.depth, self.rounds, state.game)
        if self._compiled is not None and state.game == self._game:
            found = self._compiled(state, depth=depth, evaluation=evaluation, clock=clock)
        else:
            found = search(state, depth=depth, evaluation=evaluation, order=self.order, clock=clock)
        report = found.report(evaluation, state.game)
        told = ", ".join(filter(None, (report.text, self._how)))
        self.report = replace(report, text=told)
        return found.move


BOT = AlphaBeta
