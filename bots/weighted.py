"""Weighted: a linear combination of a game's evaluations, e = w1 f1 + w2 f2 + ..., by option."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bots.iterative import Iterative
from games.support.errors import OptionError
from games.support.game import Evaluation, Game, State
from games.support.options import option

_TERM = re.compile(
    r"\s*(?P<sign>[+-]?)\s*(?:(?P<weight>\d+(?:\.\d*)?|\.\d+)\s*\*\s*)?(?P<name>[A-Za-z_]\w*)\s*"
)
_NAME = "weighted"


def parse_weights(text: str) -> list[tuple[float, str]]:
    """Read `2*mobility+30*corners-discs` into weights and names; raise `OptionError`."""
    terms: list[tuple[float, str]] = []
    at = 0
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None or (terms and not match["sign"]):
            raise OptionError(
                f"option weights={text!r}: {text[at:]!r} is no term, as 2*mobility or -discs are",
                "weights",
            )
        weight = float(match["weight"] or 1)
        terms.append((-weight if match["sign"] == "-" else weight, match["name"]))
        at = match.end()
    return terms


def combine(game: Game, terms: Sequence[tuple[float, str]]) -> Evaluation:
    """Return the weighted sum of a game's evaluations; raise `UnknownNameError` for one it lacks.

    Scales are summed with absolute weights, so that the sum keeps within its bounds and no estimate
    looks like a win.
    """
    parts = [(weight, game.evaluation(name)) for weight, name in terms]
    functions = [(weight, part.function) for weight, part in parts]

    def value(state: State, seat: int) -> float:
        return sum(weight * function(state, seat) for weight, function in functions)

    ends = [sorted((weight * part.low, weight * part.high)) for weight, part in parts]
    return Evaluation(
        _NAME,
        "a sum of the game's evaluations",
        value,
        sum(low for low, _ in ends),
        sum(high for _, high in ends),
        sum(abs(weight) * part.scale for weight, part in parts) or 1,
    )


@dataclass
class Weighted(Iterative):
    """Iterative deepening by an evaluation of your own mixture."""

    weights: str = option("", help="2*mobility+30*corners-discs; the game's first when empty")

    def __post_init__(self) -> None:
        self._terms = parse_weights(self.weights)

    def evaluation(self, game: Game) -> Evaluation:
        """Return the mixture for a game; raise `UnknownNameError` for one it lacks."""
        return combine(game, self._terms) if self._terms else super().evaluation(game)


BOT = Weighted
