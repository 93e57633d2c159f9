"""Cycles of bots that beat one another."""

from collections import deque
from collections.abc import Mapping

Edge = tuple[int, int]


def find_cycles(beats: Mapping[Edge, float], most: int) -> list[tuple[int, ...]]:
    """Return up to `most` cycles in which each bot beats the next and the last beats the first.

    `beats` maps (winner, loser) to the probability of that result by chance alone. A shortest cycle
    is found through each such pair. Shorter cycles come first, then those whose weakest pair is
    least likely by chance. Each cycle begins with its smallest number.
    """
    left = _in_rings(beats)
    losers: dict[int, list[int]] = {}
    for winner, loser in sorted(left, key=lambda edge: (beats[edge], edge)):
        losers.setdefault(winner, []).append(loser)
    found = {_turned(ring) for edge in left if (ring := _shortest(losers, edge))}

    def weakest(ring: tuple[int, ...]) -> float:
        return max(beats[pair] for pair in pairs_of(ring))

    return sorted(found, key=lambda ring: (len(ring), weakest(ring), ring))[:most]


def pairs_of(ring: tuple[int, ...]) -> list[Edge]:
    """Return each bot of a cycle with the next one, the last with the first."""
    return list(zip(ring, (*ring[1:], ring[0]), strict=True))


def _in_rings(beats: Mapping[Edge, float]) -> set[Edge]:
    """Repeatedly remove bots that beat nobody or are beaten by nobody."""
    left = set(beats)
    while True:
        both = {winner for winner, _ in left} & {loser for _, loser in left}
        kept = {edge for edge in left if both.issuperset(edge)}
        if kept == left:
            return left
        left = kept


def _shortest(losers: Mapping[int, list[int]], edge: Edge) -> tuple[int, ...]:
    """Return the shortest path from a pair's loser to its winner; () if there is none."""
    winner, loser = edge
    before = {loser: loser}
    edges = deque([loser])
    while edges:
        here = edges.popleft()
        if here == winner:
            way = [here]
            while way[-1] != loser:
                way.append(before[way[-1]])
            return tuple(reversed(way))
        for other in losers.get(here, ()):
            if other not in before:
                before[other] = here
                edges.append(other)
    return ()


def _turned(ring: tuple[int, ...]) -> tuple[int, ...]:
    begin = ring.index(min(ring))
    return ring[begin:] + ring[:begin]
