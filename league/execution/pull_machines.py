"""The machines of pull workers, as the runner knows them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from time import monotonic

from games.support.counts import counted
from games.support.game import Game
from games.support.printable import printable
from league.execution.fitness import version_here, why_unfit
from league.execution.pull_messages import Machine, Offer
from league.execution.speed import FACTOR_MAX, SPEED_MIN, nodes_per_s

LEASE_S = 30.0
"""A machine that has sent nothing for so long is lost, and with it the matches that it has."""


class PullRefused(ValueError):
    """A request is refused; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullTerms:
    """What the matches of a tournament need of a machine.

    They have time limits if they are `is_timed`, which are scaled to a machine's speed if
    `scales_time`. Each match has `cores_each` cores.
    """

    game: Game
    is_timed: bool
    scales_time: bool = False
    cores_each: int = 1
    tell: Callable[[str], None] = lambda text: None


@dataclass(slots=True)
class KnownMachine:
    """A machine, the factor on its times, and why it gets no matches, '' if it gets some.

    `name` is that of the machine as people may read it, with a number if another machine has the
    same. `places` is how many batches it plays at a time. `number` is that of its last request for
    matches, and `offer` the answer to it.
    """

    machine: Machine
    name: str
    places: int
    factor: float
    refusal: str
    seen_s: float = 0.0
    number: int = 0
    has_left: bool = False
    offer: Offer = field(default_factory=Offer)

    @property
    def id(self) -> str:
        """The machine's own id."""
        return self.machine.id

    @property
    def is_idle(self) -> bool:
        """Whether it gets no matches."""
        return bool(self.refusal) or self.has_left


class Machines:
    """The machines that were seen lately, under the terms of a tournament."""

    def __init__(self, terms: PullTerms) -> None:
        self._terms = terms
        self._speed = nodes_per_s() if terms.is_timed else 0.0
        self._known: dict[str, KnownMachine] = {}

    def playing(self) -> Iterator[KnownMachine]:
        """Yield the machines that get matches."""
        return (each for each in self._known.values() if not each.is_idle)

    def see(self, machine: Machine) -> KnownMachine:
        """Return what is known of a machine that sends a request; raise `PullRefused`."""
        here = version_here()
        if machine.version != here:
            raise PullRefused(str(why_unfit(here, "this machine", machine.version)))
        known = self._known.get(machine.id)
        if known is None:
            known = self._known[machine.id] = self._met(machine)
            more = f", but gets no matches: {known.refusal}" if known.refusal else ""
            scaled = "" if known.factor == 1 else f", times × {known.factor:.2f}"
            matches = counted(machine.workers, "match")
            self._terms.tell(f"machine {known.name} plays {matches} at a time{scaled}{more}")
            if known.name != printable(machine.name):
                self._terms.tell(
                    f"{known.name} has a number because there is another {printable(machine.name)}:"
                    " 'league work --name NAME' gives each machine a name of its own"
                )
        known.seen_s = monotonic()
        return known

    def leave(self, known: KnownMachine, reason: str) -> None:
        """Note that a machine leaves, and say so once."""
        if not known.has_left:
            known.has_left = True
            self._terms.tell(f"machine {known.name} leaves: {printable(reason)}")

    def forget_silent(self) -> list[KnownMachine]:
        """Forget the machines that are gone, and return them."""
        now = monotonic()
        gone = [each for each in self._known.values() if now - each.seen_s > LEASE_S]
        for each in gone:
            del self._known[each.id]
        return gone

    def _met(self, machine: Machine) -> KnownMachine:
        factor, refusal = self._fitness(machine)
        places = max(1, machine.workers // self._terms.cores_each)
        return KnownMachine(machine, self._own_name(machine), places, factor, refusal)

    def _own_name(self, machine: Machine) -> str:
        """Return a machine's name, with a number if one that has not left has the same."""
        wanted = printable(machine.name)
        taken = {each.name for each in self._known.values() if not each.has_left}
        numbered = (f"{wanted}-{number}" for number in count(2))
        return next(name for name in chain([wanted], numbered) if name not in taken)

    def _fitness(self, machine: Machine) -> tuple[float, str]:
        """Return the factor on a machine's times, and why it gets no matches, '' if it does."""
        if not self._terms.is_timed:
            return 1.0, ""
        share = machine.nodes_per_s / self._speed
        told = f"it has {share:.0%} of the runner's speed"
        if self._terms.scales_time:
            is_fit = 1 / FACTOR_MAX <= share <= FACTOR_MAX
            refusal = "" if is_fit else f"{told}, and times are scaled up to {FACTOR_MAX:g} times"
            return 1 / share, refusal
        refusal = f"{told}, and matches with time limits need {SPEED_MIN:.0%}"
        return 1.0, refusal if share < SPEED_MIN else ""
