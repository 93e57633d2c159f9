"""What agents import from the projects' `util`: containers, counters, chance and distances."""

import heapq
import inspect
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn


class Stack:
    """A container whose newest item comes first."""

    def __init__(self) -> None:
        self.list: list[Any] = []

    def push(self, item: Any) -> None:
        """Add an item."""
        self.list.append(item)

    def pop(self) -> Any:
        """Remove and return the next item."""
        return self.list.pop()

    def isEmpty(self) -> bool:
        """Whether no item is left."""
        return not self.list


class Queue(Stack):
    """A container whose oldest item comes first."""

    def push(self, item: Any) -> None:
        """Add an item."""
        self.list.insert(0, item)


class PriorityQueue:
    """A container whose item of the lowest priority comes first, of several the oldest."""

    def __init__(self) -> None:
        self.heap: list[tuple[Any, int, Any]] = []
        self.count = 0

    def push(self, item: Any, priority: Any) -> None:
        """Add an item."""
        heapq.heappush(self.heap, (priority, self.count, item))
        self.count += 1

    def pop(self) -> Any:
        """Remove and return the next item."""
        return heapq.heappop(self.heap)[2]

    def isEmpty(self) -> bool:
        """Whether no item is left."""
        return not self.heap

    def update(self, item: Any, priority: Any) -> None:
        """Add an item, or lower its priority."""
        for at, (known, _, other) in enumerate(self.heap):
            if other == item:
                if priority < known:
                    del self.heap[at]
                    heapq.heapify(self.heap)
                    self.push(item, priority)
                return
        self.push(item, priority)


class PriorityQueueWithFunction(PriorityQueue):
    """A `PriorityQueue` that computes the priorities itself."""

    def __init__(self, priorityFunction: Callable[[Any], Any]) -> None:
        super().__init__()
        self.priorityFunction = priorityFunction

    def push(self, item: Any, priority: Any = None) -> None:
        """Add an item."""
        super().push(item, self.priorityFunction(item))


class Counter(dict[Any, Any]):
    """A dict of numbers, 0 for unknown keys."""

    def __getitem__(self, key: Any) -> Any:
        return self.setdefault(key, 0)

    def incrementAll(self, keys: Iterable[Any], count: float) -> None:
        """Add `count` to each key."""
        for key in keys:
            self[key] += count

    def argMax(self) -> Any:
        """Return the key of the greatest number; None if there is none."""
        return max(self, key=self.__getitem__) if self else None

    def sortedKeys(self) -> list[Any]:
        """List the keys, that of the greatest number first."""
        return sorted(self, key=self.__getitem__, reverse=True)

    def totalCount(self) -> Any:
        """Return the sum."""
        return sum(self.values())

    def normalize(self) -> None:
        """Divide by the sum."""
        if total := float(self.totalCount()):
            self.divideAll(total)

    def divideAll(self, divisor: float) -> None:
        """Divide each number."""
        for key in self:
            self[key] /= float(divisor)

    def copy(self) -> "Counter":
        """Return a counter of its own."""
        return Counter(self)

    def __mul__(self, other: Mapping[Any, Any]) -> Any:
        return sum(value * other[key] for key, value in self.items() if key in other)

    def __iadd__(self, other: Mapping[Any, Any]) -> "Counter":
        for key, value in other.items():
            self[key] += value
        return self

    def __add__(self, other: Mapping[Any, Any]) -> "Counter":
        total = self.copy()
        total += other
        return total

    def __sub__(self, other: Mapping[Any, Any]) -> "Counter":
        return self + {key: -value for key, value in other.items()}


def manhattanDistance(xy1: Sequence[float], xy2: Sequence[float]) -> Any:
    """Return the number of steps between two places without walls."""
    return abs(xy1[0] - xy2[0]) + abs(xy1[1] - xy2[1])


def nearestPoint(pos: Sequence[float]) -> tuple[int, int]:
    """Return the middle of the cell of a place."""
    return int(pos[0] + 0.5), int(pos[1] + 0.5)


def sign(x: float) -> int:
    """Return 1, or -1 for a negative number."""
    return 1 if x >= 0 else -1


def normalize(vectorOrCounter: Any) -> Any:
    """Return numbers divided by their sum."""
    if isinstance(vectorOrCounter, Counter):
        counter = vectorOrCounter.copy()
        counter.normalize()
        return counter
    total = float(sum(vectorOrCounter))
    return [each / total for each in vectorOrCounter] if total else vectorOrCounter


def sample(distribution: Any, values: Sequence[Any] | None = None) -> Any:
    """Draw one of the values, or the keys of a counter, by their weights."""
    if isinstance(distribution, Mapping):
        pairs = sorted(distribution.items())
        values, distribution = [key for key, _ in pairs], [weight for _, weight in pairs]
    return random.choices(values or (), distribution)[0]


def nSample(distribution: Sequence[float], values: Sequence[Any], n: int) -> list[Any]:
    """Draw `n` of the values by their weights."""
    return random.choices(values, distribution, k=n)


def chooseFromDistribution(distribution: Any) -> Any:
    """Draw a key of a counter, or of a list of (probability, value)."""
    if isinstance(distribution, Mapping):
        return sample(distribution)
    return random.choices([value for _, value in distribution], [p for p, _ in distribution])[0]


def flipCoin(p: float) -> bool:
    """Return True with probability `p`."""
    return random.random() < p


def lookup(name: str, namespace: Mapping[str, Any]) -> Any:
    """Return what a name means in a namespace or its modules, or `module.name`."""
    head, dot, tail = name.rpartition(".")
    if dot:
        return getattr(import_module(head), tail)
    modules = [each for each in namespace.values() if isinstance(each, ModuleType)]
    for found in (namespace.get(name), *(getattr(each, name, None) for each in modules)):
        if found is not None:
            return found
    raise Exception(f"{name!r} is no method or class")


def raiseNotDefined() -> NoReturn:
    """Raise the error of a method that is still to be written."""
    caller = inspect.stack()[1]
    raise NotImplementedError(f"{caller.function} (line {caller.lineno}) is not written yet")


def pause() -> None:
    """Go on at once: nobody presses a key here."""
