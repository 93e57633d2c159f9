"""The result of a Monte Carlo tree search."""

from dataclasses import dataclass
from math import isfinite

from bots.support.bot import Report
from bots.support.search import SearchResult
from games.support.game import Evaluation, Game


@dataclass(frozen=True, slots=True)
class MctsResult(SearchResult):
    """A search result; `value` is the move's mean utility in evaluation units.

    `depth` is the deepest ply reached in the tree, `simulations` the number added to the `kept`
    ones of earlier moves, and `verdict` what is proven: `won`, `lost`, `drawn` or nothing.
    """

    simulations: int = 0
    kept: int = 0
    verdict: str = ""

    def report(self, evaluation: Evaluation, game: Game) -> Report:
        """Return the bot's report of this result."""
        score = self.value if isfinite(self.value) else None
        told = f"{self.simulations} simulations"
        if self.kept:
            told += f" after {self.kept} kept"
        text = f"{self.verdict}, {told}" if self.verdict else told
        return Report(depth=self.depth, nodes=self.nodes, score=score, pv=self.pv, text=text)


def verdict_of(utility: float, draw: float, game: Game) -> str:
    """Return a proven utility in a word, '' for one between."""
    low, high = game.utility_bounds
    if utility == high:
        return "won"
    if utility == low:
        return "lost"
    return "drawn" if utility == draw and not game.has_chance else ""
