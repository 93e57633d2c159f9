"""League points of a match by seat, and the results that they stand for."""

from collections.abc import Iterable, Sequence

from games.support.game import State
from league.model.records import Result, Termination


def scores_of(placing: Sequence[float], sides: Sequence[int]) -> tuple[float, ...]:
    """Return points by seat, 0 to 1: the share of opposing seats beaten, ties counting half.

    `placing` has one number per seat, higher is better (`games.State.placing`).
    """
    scores = []
    for seat, mine in enumerate(placing):
        others = [theirs for other, theirs in enumerate(placing) if sides[other] != sides[seat]]
        points = sum(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0 for theirs in others)
        scores.append(points / len(others) if others else 1.0)
    return tuple(scores)


def scores_without(seats: Iterable[int], sides: Sequence[int]) -> tuple[float, ...]:
    """Return points by seat after a fault of `seats`: 0 for their sides, 1 for all others."""
    losers = {sides[seat] for seat in seats}
    return tuple(0.0 if side in losers else 1.0 for side in sides)


def scores_after_fault(
    state: State, seats: Sequence[int], termination: Termination, is_asked: bool
) -> tuple[float, ...]:
    """Return points by seat after a fault of `seats` in `state`; `is_asked` if a move was due.

    A bot whose time for a move is over loses only to a side that can still win.
    """
    sides = state.game.sides
    losers = {sides[seat] for seat in seats}
    others = [seat for seat, side in enumerate(sides) if side not in losers]
    is_late = is_asked and termination is Termination.TIME_FORFEIT
    if is_late and not any(map(state.can_win, others)):
        return scores_of((0.0,) * len(sides), sides)
    return scores_without(seats, sides)


def places_of(scores: Sequence[float], sides: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the place of each seat from 1, by points; sides that tie share the better place.

    A side without any points is last, also if all are: none of their bots started. Without `sides`
    each seat plays for itself.
    """
    of_side = dict(zip(sides or range(len(scores)), scores, strict=True))
    return tuple(
        1 + sum(other > mine for other in of_side.values()) if mine else len(of_side)
        for mine in scores
    )


def places_to_show(scores: Sequence[float], sides: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat from 1; () with two sides, whose points tell who won."""
    return places_of(scores, sides) if len(set(sides) or scores) > 2 else ()


def results_of_scores(scores: Sequence[float]) -> tuple[Result, ...]:
    """Return the result of each seat.

    Of more than two sides, a side that beats all others has won, and one that beats none has lost.
    Without any points all have lost: none of their bots started.
    """
    least, most = min(scores), max(scores)

    def result(score: float) -> Result:
        if score == 1:
            return Result.WON
        return Result.LOST if score == 0 or score == least < most else Result.DRAWN

    return tuple(map(result, scores))
