"""Information set Monte Carlo tree search: each simulation guesses what the bot does not see.

Source: P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search (2012).
"""

import random
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, log, sqrt

from bots.mcts.bot import NODES_MAX, SIMULATIONS, most_simulations
from bots.mcts.compiled import Plan
from bots.mcts.playouts import PLIES, PLIES_MAX, LeafValue, Playouts, Rollout, Values
from bots.mcts.result import MctsResult
from bots.support.bot import Bot, Clock, Report, needs_samples
from bots.support.search import Exhausted, SearchBudget, depth_limit
from games.support.errors import GameError
from games.support.game import CHANCE, Evaluation, Game, Move, State
from games.support.options import option
from games.support.view import HiddenState, TogetherState, View

EXPLORATION = 0.7
"""The constant of the source, for utilities between 0 and 1."""

SINGLE, _ = OBSERVERS = ("single", "multiple")


@dataclass(slots=True)
class Choice:
    """A choice in an information set: how often it was there and was taken.

    `mean` is the mean utility of the side that takes it.
    """

    available: int = 0
    visits: int = 0
    mean: float = 0.0


class InformationSetTree:
    """The information sets that simulations from one view reach, each with its choices.

    With multiple observers, an information set is what its mover has seen, and its choices are the
    moves. With a single one, all are what the searching seat has seen: another seat's moves that
    look alike to it are one choice, and one of them is drawn.
    """

    def __init__(
        self,
        view: View,
        *,
        observers: str,
        plan: Plan,
        evaluation: Evaluation,
        source: random.Random,
        clock: Clock,
    ) -> None:
        assert view.seat is not None  # noqa: S101 (the public does not move)
        self.root = (view.seat, view.events)
        self.sets: dict[Hashable, dict[Hashable, Choice]] = {}
        self.deepest = 0
        self._view, self._seat, self._source = view, view.seat, source
        self._plan, self._has_single = plan, observers == SINGLE
        self._evaluation, self._worth = evaluation, LeafValue(view.game, evaluation)
        self._budget = SearchBudget(clock)
        self._playouts = Playouts(plan.rollout, self._worth, source, self._budget)
        self._playout_plies = plan.rollout.plies_for(evaluation)
        self._tree_plies = depth_limit(clock.depth)
        self._depth = inf if clock.depth is None else clock.depth

    def grow(self) -> MctsResult:
        """Simulate until a limit is reached; return the most visited move, of equals the best."""
        done = 0
        try:
            while done < self._plan.simulations:
                self.simulate()
                done += 1
        except (Exhausted, GameError):
            # A game may fail to draw a position, rarely.
            pass
        tried = self.sets.get(self.root, {})
        moves = [(tried.get(move, Choice()), move) for move in self._view.legal_moves()]
        best, move = max(moves, key=lambda entry: (entry[0].visits, entry[0].mean))
        return MctsResult(
            value=best.mean * self._evaluation.scale if best.visits else -inf,
            nodes=done,
            pv=(move,),
            depth=self.deepest,
            is_complete=done >= self._plan.simulations,
            simulations=done,
        )

    def simulate(self) -> None:
        """Guess a position, select, expand, evaluate, back up; raise `Exhausted` at a limit."""
        self._budget.look_at_clock()
        path: list[tuple[int, Choice]] = []
        values = self._descend(self._view.sample(self._source), path)
        self.deepest = max(self.deepest, len(path))
        if self._worth.is_wide:
            self._worth.note(values)
        for seat, choice in path:
            choice.visits += 1
            choice.mean += (values[self._worth.leads[seat]] - choice.mean) / choice.visits

    def _descend(self, state: State, path: list[tuple[int, Choice]]) -> Values:
        """Append the choices taken to `path`, up to a new information set; return the values."""
        plies, is_rooted, is_new = 0, False, False
        while (outcome := state.outcome()) is None:
            if is_new or plies >= self._tree_plies:
                return self._playouts.run(state, int(min(self._playout_plies, self._depth - plies)))
            plies += 1
            if state.to_move == CHANCE:
                state = self._playouts.child(state, self._playouts.luck(state))
                continue
            key = state.to_move, self._seen(state, self._observer(state))
            # Seats that choose at the same time may come before the searching one.
            is_rooted = is_rooted or key == self.root
            is_new = is_rooted and key not in self.sets
            if is_new and len(self.sets) >= self._plan.room:
                continue
            moves = self._choices(state)
            taken = self._select(self.sets.setdefault(key, {}), moves)
            path.append((state.to_move, self.sets[key][taken]))
            state = self._playouts.child(state, self._source.choice(moves[taken]))
        return outcome

    def _observer(self, state: State) -> int:
        return self._seat if self._has_single else state.to_move

    @staticmethod
    def _seen(state: State, observer: int) -> Hashable:
        assert isinstance(state, HiddenState)  # noqa: S101 (a game with secrets has no others)
        return state.events(observer)

    def _choices(self, state: State) -> Mapping[Hashable, Sequence[Move]]:
        """Return the moves by what the observer can tell of them."""
        moves, observer = state.legal_moves(), self._observer(state)
        if state.to_move == observer:
            return {move: (move,) for move in moves}
        if isinstance(state, TogetherState) and len(state.choosers) > 1:
            # Nothing is seen of a sealed choice. What follows the last one depends on all of them,
            # which the seat that makes it may not know either.
            return {None: moves}
        alike: dict[Hashable, list[Move]] = defaultdict(list)
        for move in moves:
            child = self._playouts.child(state, move)
            alike[child.to_move, self._seen(child, observer)].append(move)
        return alike

    def _select(self, known: dict[Hashable, Choice], labels: Mapping[Hashable, object]) -> Hashable:
        """Return a label not tried yet, else the one with the greatest upper confidence bound."""
        choices = [(label, known.setdefault(label, Choice())) for label in labels]
        for _, choice in choices:
            choice.available += 1
        untried = [label for label, choice in choices if not choice.visits]
        if untried:
            return self._source.choice(untried)
        factor = self._plan.exploration * self._worth.span()

        def bound(entry: tuple[Hashable, Choice]) -> float:
            choice = entry[1]
            return choice.mean + factor * sqrt(log(choice.available) / choice.visits)

        return max(choices, key=bound)[0]


@dataclass
class Ismcts(Bot):
    """Guesses whole positions that agree with its view, and searches all of them in one tree."""

    simulations: int | None = option(
        None, help=f"the most per move; none is till time is up, or {SIMULATIONS}", low=1
    )
    exploration: float = option(
        EXPLORATION, help="how much doubt draws to a move: the constant of UCB", low=0
    )
    observers: str = option(
        SINGLE,
        help="one tree of what this seat sees, in which a move is drawn of those that look alike "
        "to it; or multiple trees, in which each seat chooses by what it sees itself",
        choices=OBSERVERS,
    )
    evaluate: str = option("", help="evaluation by name; the game's first when empty")
    rollout_plies: int | None = option(
        None,
        help=f"plies after which a playout is cut; none is {PLIES}, or {PLIES_MAX} where "
        "no evaluation tells what the rest is worth",
        low=0,
    )
    nodes: int = option(NODES_MAX, help="information sets that the tree holds", low=1000)
    _source: random.Random = field(
        default_factory=lambda: random.Random(0), init=False, repr=False, compare=False
    )

    @classmethod
    def refusal(cls, game: Game) -> str:
        """Refuse games that can't draw a position that agrees with a view."""
        return needs_samples("ismcts", game)

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Reseed the random source."""
        self._source = random.Random(seed)

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the view; answer a forced move at once."""
        assert isinstance(state, View)  # noqa: S101 (other games are refused)
        moves = state.legal_moves()
        if len(moves) == 1:
            self.report = Report(depth=0, nodes=1, pv=moves, text="only move")
            return moves[0]
        evaluation = state.game.evaluation(self.evaluate)
        # The clock's nodes are simulations: a position that is guessed takes more than can be seen.
        most = most_simulations(self.simulations, clock)
        tree = InformationSetTree(
            state,
            observers=self.observers,
            plan=Plan(most, self.exploration, Rollout(plies=self.rollout_plies), self.nodes),
            evaluation=evaluation,
            source=self._source,
            clock=replace(clock, nodes=None),
        )
        found = tree.grow()
        self.report = found.report(evaluation, state.game)
        return found.move


BOT = Ismcts
