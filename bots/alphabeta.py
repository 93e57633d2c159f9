"""Alpha-beta: minimax's value without the lines that can't change it.

Source: D. Knuth and R. Moore, An Analysis of Alpha-Beta Pruning (1975); J. Fishburn (1983) for
fail-soft values beyond the window.
"""

from dataclasses import dataclass, field
from math import inf, nextafter
from typing import Unpack

from bots.compiled import ready
from bots.support.bot import Clock
from bots.support.search import CUTS, DepthSearch, SearchRequest, SearchResult
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
    """Return the value of `state` for the seat to move and its first best move.

    Moves are tried in `order`: as given by the rules, by the game's own `order`, or by the
    evaluation of the children. `cut_on` cuts a node when a value reaches the bound, or only beyond
    it. A soft search returns the best value seen outside the window, a hard one the bound. Neither
    option changes result or nodes, except strict cuts with consecutive seats of one side: a hard
    search's bound does not pass the same bound above, so nothing is cut in cascade. Seats of the
    other sides minimise, also consecutively; chance nodes have their expected value, without
    pruning across them.
    """
    return _AlphaBeta(state, order=order, cut_on=cut_on, is_soft=is_soft, **asked).result()


class _AlphaBeta(DepthSearch):
    """One search, as one long closure: local names make it twice as fast.

    So does visiting a child in its parent's loop, which saves a call per leaf, and a loop for each
    side, which saves a test of the mover per child.
    """

    def __init__(
        self,
        root: State,
        *,
        order: str,
        cut_on: str,
        is_soft: bool,
        **asked: Unpack[SearchRequest],
    ) -> None:
        super().__init__(root, order=order, **asked)
        self.cuts_on_equality = cut_on == "equality"
        self.is_soft = is_soft

    def run(self) -> None:
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
            """Return the value of a chance node, and end the line there."""
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
        self.report = ready.tell(self._how, self.report)
        return move

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search with cuts."""
        if self._compiled is not None and state.game == self._game:
            return self._compiled(
                state, depth=asked["depth"], evaluation=asked["evaluation"], clock=asked["clock"]
            )
        return search(state, **asked, order=self.order, cut_on=self.cut_on, is_soft=self.soft)


BOT = AlphaBeta
