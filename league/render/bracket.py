"""A knockout bracket as a tree, and what decides its level ties."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from league.formats.format import BracketTie, Format
from league.formats.knockout import Knockout
from league.model.records import TournamentConfig

_NAMES = {1: "final", 2: "semi-final", 4: "quarter-final"}

LEVEL_RULE = (
    "A tie that is level after its replays goes to the better seed. A bot that beats a better seed "
    "takes its place, and counts as that seed from then on."
)


@dataclass(slots=True)
class BracketNode:
    """A tie, and the earlier ties that its entrants won, in the order of its entrants.

    `depth` is its round, from 0: a node without earlier ties stands that many columns in.
    """

    tie: BracketTie
    feeders: list["BracketNode"] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """The number of rounds before it."""
        return self.tie.round

    @property
    def sources(self) -> list["BracketNode | int"]:
        """The earlier ties, in the order of the entrants; of two, one with a bye for itself."""
        if len(self.tie.entrants) != 2:
            return list(self.feeders)
        return [
            next((each for each in self.feeders if entrant in each.tie.through), entrant)
            for entrant in self.tie.entrants
        ]

    def __iter__(self) -> Iterator["BracketNode"]:
        yield self
        for each in self.feeders:
            yield from each


@dataclass(slots=True)
class Bracket:
    """The ties that nothing follows yet, a single one at the end, and those for lower places.

    `rounds` are the names of the rounds, from the first.
    """

    roots: list[BracketNode]
    consolation: list[BracketTie]
    rounds: list[str]

    @property
    def is_decided(self) -> bool:
        """Whether there is a champion."""
        return self.rounds[-1:] == ["final"] and len(self.roots[0].tie.through) == 1

    @property
    def by_round(self) -> list[tuple[str, list[BracketTie]]]:
        """The rounds by name, the last first, each from the top of the bracket down."""
        nodes = [each for root in self.roots for each in root]
        found = [
            (name, [each.tie for each in nodes if each.depth == number])
            for number, name in enumerate(self.rounds)
        ]
        return found[::-1]


def bracket_of(ties: Sequence[BracketTie], entrants: int) -> Bracket:
    """Arrange the ties of a knockout of so many, which come round by round, as a tree."""
    nodes: list[BracketNode] = []
    consolation: list[BracketTie] = []
    came_from: dict[int, BracketNode] = {}
    lost: set[int] = set()
    roots: list[BracketNode] = []
    for tie in ties:
        if lost.issuperset(tie.entrants):
            consolation.append(tie)
            continue
        node = BracketNode(tie, [came_from[each] for each in tie.entrants if each in came_from])
        # A group may send several on, to the same tie.
        node.feeders = list({id(each): each for each in node.feeders}.values())
        roots = [each for each in roots if not any(each is one for one in node.feeders)]
        roots.append(node)
        nodes.append(node)
        for each in tie.through:
            came_from[each] = node
        if tie.through:
            lost.update(set(tie.entrants) - set(tie.through))
    rounds = max((each.depth for each in nodes), default=-1) + 1
    names = [_name(nodes, number, entrants) for number in range(rounds)]
    return Bracket(roots, consolation, names)


def reached(bracket: Bracket) -> dict[int, str]:
    """Return how far each entrant came, in words, by position."""
    nodes = [each for root in bracket.roots for each in root]
    found: dict[int, str] = {}
    for node in sorted(nodes, key=lambda each: each.depth):
        name = bracket.rounds[node.depth]
        for entrant in node.tie.entrants:
            is_champion = name == "final" and entrant in node.tie.through
            found[entrant] = "champion" if is_champion else name
    return found


def _name(nodes: Sequence[BracketNode], number: int, entrants: int) -> str:
    """Name a round by what its ties decide: a final is one tie of all that are left."""
    ties = [each.tie for each in nodes if each.depth == number]
    earlier = [each.tie for each in nodes if each.depth < number and each.tie.through]
    left = entrants - sum(len(tie.entrants) - len(tie.through) for tie in earlier)
    if sum(len(tie.entrants) for tie in ties) >= left and len(ties) in _NAMES:
        return _NAMES[len(ties)]
    return f"round {number + 1}"


def seeds_of(rule: Format, config: TournamentConfig) -> dict[int, int]:
    """Return the seeds of a knockout, from 1, by entrant; of another format none."""
    if not isinstance(rule, Knockout):
        return {}
    order = rule.seeds(len(config.entrants), config.seed)
    return {entrant: seed for seed, entrant in enumerate(order, 1)}


def decided_by(
    rule: Format, ties: Sequence[BracketTie], seeds: Mapping[int, int], tie: BracketTie
) -> str:
    """Say what decided a tie of a knockout that was level."""
    if is_by_lot(rule):
        return "by lot"
    places = {each: _place_of(each, tie.round, ties, seeds) for each in tie.entrants}
    first = tie.through[0]
    if len(tie.entrants) > 2 or places[first] > min(places.values()):
        return "by place in the bracket"
    own = places[first] == seeds[first]
    return "by seed" if own else f"by seed: the winner counts as seed {places[first]}"


def is_by_lot(rule: Format) -> bool:
    """Whether lots decide ties that stay level after their replays."""
    return isinstance(rule, Knockout) and rule.decide == "lot"


def _place_of(
    entrant: int, number: int, ties: Sequence[BracketTie], seeds: Mapping[int, int]
) -> int:
    """Return the seed that an entrant counts as in a round: the best of those it is there for."""
    beaten = [
        _place_of(other, each.round, ties, seeds)
        for each in ties
        if each.round < number and entrant in each.through
        for other in each.entrants
        if other != entrant
    ]
    return min(seeds[entrant], *beaten) if beaten else seeds[entrant]
