"""Winning chances from a bot's scores, between 0 and 1, and the moves that lost most.

A score is in the bot's own unit, so that the chance is 1 / (1 + exp(-score / likely)), where
`likely` is the score at which about 73 of 100 matches are won.
"""

import math
from bisect import bisect
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.support.errors import InputError
from games.support.game import Game, State
from games.support.specs import find_game
from league.match.replay import Frame

BLUNDER = 0.2
"""A move is a blunder if its bot's chance is lower by so much, or more, at its next move."""

LIKELY_SHARE = 0.05
"""The likely score of an evaluation that declares none, as a share of its greatest value."""

MEAN_LIKELY = 0.4
"""The likely mean of many simulations, as a share of a win: the curve is nearly straight there."""

LIKELY_PAWNS = 2.7
"""The likely score of a chess engine, which counts in pawns (lichess.org, "Accuracy")."""

_ENGINES = ("uci", "xboard")
_USUAL = 0.9
"""The share of the scores that is of the usual size."""

_PROVEN, _PROVEN_TIMES = 1000.0, 20
"""A score of a mate: at least so much, and so many times the next smaller one."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A seat's own view of its chance to win after its move at a ply, 0 to 1.

    `is_proven` says that the bot saw a mate.
    """

    ply: int
    seat: int
    value: float
    is_proven: bool = False


@dataclass(frozen=True, slots=True)
class Blunder:
    """The move of a seat at a ply; its chance as the bot saw it then, and at its move `found`.

    If it `is_last`, the match ended by its rules before the bot's next move, and `after` is the
    result: 1 for a win, 0.5 for a draw, 0 for a loss.
    """

    ply: int
    seat: int
    before: float
    after: float
    found: int
    is_last: bool = False


def likely_score(game: str, spec: str, options: Mapping[str, str]) -> float | None:
    """Return the score at which a bot wins about 73 of 100 matches; None for an unknown unit.

    Known are engines for chess and the built-in bots, by their evaluation.
    """
    if spec.partition(":")[0] in _ENGINES:
        return LIKELY_PAWNS if game.partition("?")[0] == "chess" else None
    if ":" in spec or "/" in spec:
        return None
    try:
        rules: Game = find_game(game)
        found = rules.evaluation(options.get("evaluate", ""))
    except InputError:
        return None
    if spec == "mcts":
        return MEAN_LIKELY * found.scale
    return found.likely if found.likely is not None else LIKELY_SHARE * found.high or None


def chance_of(score: float, likely: float) -> float:
    """Return the chance to win with a score.

    >>> chance_of(0, 2.7), round(chance_of(2.7, 2.7), 2), round(chance_of(-1e9, 2.7), 2)
    (0.5, 0.73, 0.0)
    """
    return 1 / (1 + math.exp(max(-50.0, min(50.0, -score / likely))))


def win_chances(frames: Sequence[Frame], likely: Sequence[float | None]) -> list[Chance]:
    """List the chances that bots told with their moves, by ply.

    `likely` are the likely scores by seat. Instead of an unknown one counts the usual size of the
    scores that the seat told in this match.
    """
    told = [
        (frame, frame.record.report)
        for frame in frames
        if frame.record and not frame.is_luck and frame.record.report
    ]
    sizes = list(likely)
    for seat, known in enumerate(likely):
        if known is None:
            own = [each.score for frame, each in told if frame.seat == seat]
            sizes[seat] = usual_size([score for score in own if score is not None])
    found = []
    for frame, report in told:
        size = None if frame.seat is None else sizes[frame.seat]
        if frame.seat is None or size is None or report.score is None:
            continue
        value = chance_of(report.score, size)
        if report.mate is not None:
            value = float(report.score > 0)
        found.append(Chance(frame.ply, frame.seat, value, report.mate is not None))
    return found


def result_chances(state: State) -> tuple[float, ...]:
    """Return the chance of each seat that the rules have made certain; () before the end.

    It is for games that are won and lost, in which utilities are between -1 and 1.
    """
    return tuple((utility + 1) / 2 for utility in state.outcome() or ())


def first_side_share(
    state: State, sides: Sequence[int], newest: Collection[Chance]
) -> float | None:
    """Return the first side's share of the evaluation bar, 0 to 1; None without a chance.

    It is the mean of the `newest` chance of each seat. Proven ones count alone, and the result
    counts alone if the rules have ended the match in this `state`.
    """
    if not newest:
        return None
    if result := result_chances(state):
        return result[0]
    counted = [each for each in newest if each.is_proven] or newest
    seen = [each.value if sides[each.seat] == sides[0] else 1 - each.value for each in counted]
    return sum(seen) / len(seen)


def blunders(frames: Sequence[Frame], chances: Sequence[Chance]) -> list[Blunder]:
    """List the moves after which a bot's own chance fell by `BLUNDER` or more, by ply.

    After a bot's last move counts the result, if the rules ended the match.

    A move whose next one told no chance is none: any move of the gap may have lost as much. Nor is
    a move before luck moved: the roll of a die may have cost as much.
    """
    found = []
    result = result_chances(frames[-1].state)
    unsure = after_gaps(frames, {(each.ply, each.seat) for each in chances})
    rolls = [frame.ply for frame in frames if frame.is_luck]
    for seat in sorted({each.seat for each in chances}):
        own = [each for each in chances if each.seat == seat]
        found += [
            Blunder(before.ply, seat, before.value, after.value, after.ply)
            for before, after in pairwise(own)
            if before.value - after.value >= BLUNDER
            and (after.ply, seat) not in unsure
            and bisect(rolls, before.ply) == bisect(rolls, after.ply)
        ]
        last = own[-1]
        is_newest = all(each.seat != seat and not each.is_luck for each in frames[last.ply + 1 :])
        if result and is_newest and last.value - result[seat] >= BLUNDER:
            end = frames[-1].ply
            found.append(Blunder(last.ply, seat, last.value, result[seat], end, is_last=True))
    return sorted(found, key=lambda each: each.ply)


def after_gaps(frames: Sequence[Frame], told: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the plies and seats of `told` before which a seat had last moved and told nothing."""
    found = set[tuple[int, int]]()
    for seat, silent in silent_plies(frames, told).items():
        own = sorted(ply for ply, each in told if each == seat)
        found |= {
            (after, seat)
            for before, after in pairwise(own)
            if bisect(silent, before) < bisect(silent, after)
        }
    return found


def silent_plies(
    frames: Sequence[Frame], told: Collection[tuple[int, int]]
) -> dict[int, list[int]]:
    """Return by seat where it moved but told nothing, between plies at which it told something.

    `told` are plies with their seats.
    """
    found = {}
    for seat in {seat for _, seat in told}:
        own = [ply for ply, each in told if each == seat]
        first, last = min(own), max(own)
        moved = [each.ply for each in frames if each.seat == seat and first < each.ply < last]
        found[seat] = [ply for ply in moved if (ply, seat) not in told]
    return found


def usual_size(values: Sequence[float]) -> float:
    """Return the magnitude, above 0, that most values stay within; larger ones are clipped.

    Scores of mates do not count, however many there are: they would flatten all others.
    """
    sizes = sorted(filter(None, map(abs, values))) or [1.0]
    for place, (smaller, size) in enumerate(pairwise(sizes), 1):
        if size >= max(_PROVEN, _PROVEN_TIMES * smaller):
            sizes = sizes[:place]
            break
    return sizes[int(_USUAL * (len(sizes) - 1))]
