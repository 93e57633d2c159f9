"""Alpha-beta: minimax's value without the lines that can't change it.

Source: D. Knuth and R. Moore, An Analysis of Alpha-Beta Pruning (1975); J. Fishburn (1983) for
values beyond the window (fail-soft).
"""

from dataclasses import dataclass, field, replace
from math import inf, nextafter
from typing import Unpack

from bots.compiled import ready
from bots.support.bot import Clock
from bots.support.search import CUTS, SearchRequest, SearchResult, TreeSearch
from bots.support.search_bot import OrderedBot
from games.support.game import Game, Move, State
from games.support.options import option


def search(
    state: State,
    *,
    order: str = "given",
    cut_on: str = "equality",
    is_soft: bool = True,
    **asked: Unpack[SearchRequest],
) -> SearchResult:
    """Return the value of `state` for the seat to move, and its best move, of equals the first.

    `order` is how moves are sorted: as the rules give them, by the game's own `order`, or by the
    evaluation of the positions they lead to. `cut_on` says when the rest of a node is left out:
    when a value reaches the bound, or only when it passes it. A soft search tells the best value
    it saw outside the window, a hard one the window's bound. Neither changes the result, nor a
    node, but for strict cuts with several seats of a side in a row: the bound that a hard search
    tells does not pass the same bound above, and nothing is cut in cascade.
    Seats of the other sides minimise, several in a row too; chance nodes are worth their
    expectation, and nothing is pruned across them.
    """
    tree = _AlphaBeta(state, order=order, **asked)
    tree.cuts_on_equality, tree.is_soft = cut_on == "equality", is_soft
    return tree.result()


class _AlphaBeta(TreeSearch):
    """One search.

    One long closure, not small methods: local names are what makes it twice as fast. So does
    looking at a child in its parent's loop, which saves the call for every leaf, and one loop for
    each side, which saves asking whose turn it is for every child.
    """

    cuts_on_equality: bool
    is_soft: bool

    def run(self) -> None:
        """Search with an open window."""
        seat, mine, scale, estimate = self.seat, self.mine, self.scale, self.estimate
        budget, order, first = self.budget, self.order, self.first
        cuts_on_equality, is_soft = self.cuts_on_equality, self.is_soft
        lines, top = self.lines, self.limit
        nodes, is_solved = self.nodes, self.is_solved
        look: float = 0

        def value_of(state: State, depth: int, alpha: float, beta: float) -> float:
            nonlocal nodes, look, is_solved
            to_move = state.to_move
            if to_move < 0:
                return mean_of(state, depth)
            if depth == top:
                moves = first
            else:
                moves = state.legal_moves()
                if order is not None:
                    moves = order(state, moves)
            below = depth - 1
            if mine[to_move]:
                best = -inf if is_soft else alpha
                cut = beta if cuts_on_equality else nextafter(beta, inf)
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
                        if value >= cut:
                            return value if is_soft else beta
                        best = value
                        if value > alpha:
                            alpha = value
                            is_last = outcome is not None or not below
                            lines[depth] = (move,) if is_last else (move, *lines[below])
                            if depth == top:
                                self.value = value
                return best
            best = inf if is_soft else beta
            cut = alpha if cuts_on_equality else nextafter(alpha, -inf)
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
                    if value <= cut:
                        return value if is_soft else alpha
                    best = value
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

        try:
            value_of(self.root, top, -inf, inf)
        finally:
            self.nodes, self.is_solved = nodes, is_solved


@dataclass
class AlphaBeta(OrderedBot):
    """Searches to a depth, leaving out what can't matter."""

    depth: int | None = option(4, help="plies to search; none is to the end", low=1)
    cut_on: str = option(
        "equality", help="when a value cuts: at the bound or past it", choices=CUTS
    )
    soft: bool = option(True, help="tell the best value seen outside the window, not its bound")
    fast: str = option(
        "auto",
        help="search compiled where that is ready and moves are not sorted, or never",
        choices=("auto", "no"),
    )
    _how: str = field(default="", init=False, repr=False, compare=False)
    _game: Game | None = field(default=None, init=False, repr=False, compare=False)
    _compiled: ready.Search | None = field(default=None, init=False, repr=False, compare=False)

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Load the compiled search: that is not on the clock."""
        super().new_match(game, seat, seed)
        self._compiled, self._how, self._game = None, "", game
        if self.fast == "auto":
            if (self.order, self.cut_on, self.ties) == ("given", "equality", "first"):
                self._compiled = ready.ready(game, self.evaluation(game))
            self._how = "pure" if self._compiled is None else "compiled"

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position; the report says whether the match is played compiled or pure."""
        move = super().choose(state, clock)
        if self.report is not None and self._how:
            told = ", ".join(filter(None, (self.report.text, self._how)))
            self.report = replace(self.report, text=told)
        return move

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search with cuts."""
        if self._compiled is not None and state.game == self._game:
            return self._compiled(
                state, depth=asked["depth"], evaluation=asked["evaluation"], clock=asked["clock"]
            )
        return search(state, **asked, order=self.order, cut_on=self.cut_on, is_soft=self.soft)


BOT = AlphaBeta
