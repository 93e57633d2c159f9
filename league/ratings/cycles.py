"""Cycles of bots that beat one another."""

from collections import deque
from collections.abc import Mapping

import numpy as np

from league.ratings.head_to_head import sign_test

Edge = tuple[int, int]

LEVEL = 0.05
"""The two-sided p-value below which one bot counts as beating another."""

FALSE_RINGS = 0.05
"""Expected number of rings of three that may appear among equal bots."""

LEAST_LEAN = 3.6
"""The square of the lead over the number of decided results: with less, none is significant."""


def significant_cycles(decided: Mapping[Edge, tuple[int, int]], most: int) -> list[tuple[int, ...]]:
    """Return up to `most` cycles in which each bot beats the next beyond chance (`sign_test`).

    `decided` maps two bots to how often the first came out ahead, and how often behind. The more
    bots there are, the more possible rings, and the smaller the p-value that counts.
    """
    bots = len({bot for pair in decided for bot in pair})
    rings = max(1, bots * (bots - 1) * (bots - 2) / 3)
    level = min(LEVEL, 2 * (FALSE_RINGS / rings) ** (1 / 3))
    leads: dict[Edge, tuple[int, int]] = {}
    for (one, other), (ahead, behind) in decided.items():
        if (ahead - behind) ** 2 > LEAST_LEAN * (ahead + behind):
            leads[(one, other) if ahead > behind else (other, one)] = ahead, behind
    # Most bots are in no ring, and the exact test takes long.
    beats = {edge: sign_test(*leads[edge]) for edge in _in_rings(leads)}
    return find_cycles({edge: chance for edge, chance in beats.items() if chance <= level}, most)


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


def _in_rings(beats: Mapping[Edge, object]) -> list[Edge]:
    """Return the pairs that are part of a ring: a way leads from the loser back to the winner."""
    places = {bot: place for place, bot in enumerate({bot for edge in beats for bot in edge})}
    reaches = np.eye(len(places), dtype=np.float32)
    for winner, loser in beats:
        reaches[places[winner], places[loser]] = 1
    # Each product doubles the length of the ways.
    for _ in range(len(places).bit_length()):
        reaches = np.minimum(reaches @ reaches, 1)
    return [edge for edge in beats if reaches[places[edge[1]], places[edge[0]]]]


def _shortest(losers: Mapping[int, list[int]], edge: Edge) -> tuple[int, ...]:
    """Return the shortest path from a pair's loser to its winner; () if there is none."""
    winner, loser = edge
    before = {loser: loser}
    edges = deque([loser])
    while edges and winner not in before:
        here = edges.popleft()
        for other in losers.get(here, ()):
            if other not in before:
                before[other] = here
                edges.append(other)
    if winner not in before:
        return ()
    way = [winner]
    while way[-1] != loser:
        way.append(before[way[-1]])
    return tuple(reversed(way))


def _turned(ring: tuple[int, ...]) -> tuple[int, ...]:
    begin = ring.index(min(ring))
    return ring[begin:] + ring[:begin]
