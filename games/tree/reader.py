"""Read and check explicit game trees from indented text or JSON, as tables by node."""

import json
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import repeat
from math import isclose, isfinite
from typing import Any

from games.support.errors import PositionError, suggestion
from games.support.game import CHANCE

LUCK = "chance"
NODES_MAX = 100_000
DEPTH_MAX = 300
_HEADS = ("title", "seats", "sides")
_LINE = re.compile(r"(?:(?P<share>[\d./]+):\s+)?(?P<name>\S+)(?:\s+(?P<rest>.*))?")
_INNER = re.compile(r"(?P<seat>\S+)(?:\s+\((?P<estimate>[^()]+)\))?")


@dataclass(slots=True)
class TreeNode:
    """A node as written, with its place in the file for messages.

    A leaf has `values`, an inner node the name of its `seat`; `share` is the probability of a
    chance node's child.
    """

    place: str
    name: str
    seat: str = ""
    values: tuple[float, ...] = ()
    estimate: float = 0.0
    share: float | None = None
    children: list["TreeNode"] = field(default_factory=list)


class ExplicitTree:
    """A parsed tree: tables by node, the root being 0, parents before their children.

    `seats` holds the movers (`CHANCE` for luck and for leaves), `utilities` a tuple per leaf and
    None elsewhere, `shares` the probabilities of chance nodes' children.
    """

    def __init__(self, text: str, name: str) -> None:
        heads, root = (_read_json if text.lstrip()[:1] == "{" else _read_text)(text, name)
        self.text, self.name = text, name
        self.title = heads.get("title", name)
        self.seat_names = tuple(heads.get("seats", "Max Min").split())
        twice = [each for each in self.seat_names if self.seat_names.count(each) > 1]
        if twice or LUCK in self.seat_names:
            wrong = f"two seats {twice[0]!r}" if twice else f"a seat called {LUCK!r}"
            raise PositionError(f"tree {name!r}: {wrong}; seats need names of their own")
        self.sides = _sides(heads.get("sides"), len(self.seat_names), name)
        self.names: list[str] = []
        self.seats: list[int] = []
        self.parents: list[int] = []
        self.depths: list[int] = []
        self.children: list[tuple[int, ...]] = []
        self.shares: list[tuple[float, ...]] = []
        self.share: list[float | None] = []
        """The probability of each chance node's child, None for other nodes."""
        self.utilities: list[tuple[float, ...] | None] = []
        self.estimates: list[float] = []
        self._add(root, -1, 0)
        if not self.children[0]:
            raise PositionError(f"{root.place}: the root is a leaf, expected children below it")

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return tree_of, (self.text, self.name)

    @property
    def has_chance(self) -> bool:
        """Whether there are chance nodes."""
        return any(self.shares)

    @property
    def has_estimates(self) -> bool:
        """Whether any inner node has an estimate."""
        return any(self.estimates)

    @property
    def greatest(self) -> float:
        """The greatest absolute utility or estimate."""
        utilities = [abs(value) for values in self.utilities if values for value in values]
        return max([*utilities, *map(abs, self.estimates)])

    def _add(self, node: TreeNode, parent: int, depth: int, share: float | None = None) -> int:
        if len(self.names) >= NODES_MAX or depth > DEPTH_MAX:
            raise PositionError(
                f"{node.place}: a tree has at most {NODES_MAX} nodes and {DEPTH_MAX} levels"
            )
        number = len(self.names)
        self.names.append(node.name)
        self.parents.append(parent)
        self.depths.append(depth)
        self.estimates.append(node.estimate)
        self.seats.append(CHANCE if node.seat in ("", LUCK) else self._seat(node))
        self.utilities.append(None if node.children else self._utility(node))
        shares = _shares(node)
        self.shares.append(shares)
        self.share.append(share)
        self.children.append(())
        _refuse_twins(node)
        self.children[number] = tuple(
            self._add(child, number, depth + 1, chosen)
            for child, chosen in zip(node.children, shares or repeat(None), strict=False)
        )
        return number

    def _seat(self, node: TreeNode) -> int:
        if not node.children:
            raise PositionError(f"{node.place}: {node.name!r} has neither children nor a value")
        if node.seat not in self.seat_names:
            known = suggestion(node.seat, [*self.seat_names, LUCK])
            raise PositionError(f"{node.place}: no seat {node.seat!r}{known}")
        return self.seat_names.index(node.seat)

    def _utility(self, node: TreeNode) -> tuple[float, ...]:
        count = len(self.seat_names)
        if len(node.values) == count:
            shares = dict(zip(self.sides, node.values, strict=True))
            if any(shares[s] != v for s, v in zip(self.sides, node.values, strict=True)):
                raise PositionError(f"{node.place}: seats of one side must have the same value")
            if len(shares) == 2 and sum(shares.values()) != 0:
                raise PositionError(f"{node.place}: the values of two sides must add up to 0")
            return node.values
        if len(node.values) == 1 and len(set(self.sides)) == 2:
            value = node.values[0]
            return tuple(value if side == self.sides[0] else -value for side in self.sides)
        raise PositionError(
            f"{node.place}: {len(node.values)} values, expected {count}, one for each seat"
        )


@cache
def tree_of(text: str, name: str) -> ExplicitTree:
    """Return the shared tree of that text; raise `PositionError` with the line."""
    return ExplicitTree(text, name)


def _shares(node: TreeNode) -> tuple[float, ...]:
    """Return the probabilities of a chance node's children: as written, or equal."""
    given = [child.share for child in node.children if child.share is not None]
    if node.seat != LUCK:
        if given:
            raise PositionError(f"{node.place}: only children of chance have probabilities")
        return ()
    if not node.children:
        raise PositionError(f"{node.place}: {node.name!r} has neither children nor a value")
    if not given:
        return (1 / len(node.children),) * len(node.children)
    if len(given) < len(node.children):
        raise PositionError(f"{node.place}: some of its children have no probability")
    if min(given) <= 0 or not isclose(sum(given), 1):
        raise PositionError(
            f"{node.place}: its probabilities add up to {sum(given):g}; expected 1, and none of 0"
        )
    return tuple(given)


def _refuse_twins(node: TreeNode) -> None:
    seen: set[str] = set()
    for child in node.children:
        if child.name.lower() in seen:
            raise PositionError(f"{child.place}: a second {child.name!r} below {node.name!r}")
        seen.add(child.name.lower())


def _sides(text: str | None, seats: int, name: str) -> tuple[int, ...]:
    if seats < 2:
        raise PositionError(f"tree {name!r}: {seats} seat, expected two or more")
    if text is None:
        return (0, *(1,) * (seats - 1))
    words = text.split()
    if len(words) != seats or not all(word.isdecimal() and len(word) < 4 for word in words):
        raise PositionError(
            f"tree {name!r}: sides {text!r}, expected a number for each of the {seats} seats"
        )
    sides = tuple(map(int, words))
    if len(set(sides)) < 2:
        raise PositionError(f"tree {name!r}: sides {text!r}, expected two or more different ones")
    return sides


def _number(text: str, place: str) -> float:
    try:
        value = float(Fraction(text)) if "/" in text else float(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise PositionError(f"{place}: {text!r} is no number") from None
    if not isfinite(value):
        raise PositionError(f"{place}: {text!r} is no finite number")
    return value


def _read_text(text: str, name: str) -> tuple[dict[str, str], TreeNode]:
    """Read `NAME SEAT` and `NAME VALUE...` lines; deeper indentation means a child."""
    heads: dict[str, str] = {}
    root: TreeNode | None = None
    # The path from the root to the line before: nodes with their and their children's indentation.
    path: list[list[Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        place = f"tree {name!r} line {number}"
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        head, colon, rest = stripped.partition(":")
        if colon and root is None and head.lower() in _HEADS:
            heads[head.lower()] = rest.strip()
            continue
        if "\t" in line[: len(line) - len(line.lstrip())]:
            raise PositionError(f"{place}: a tab in the indentation, expected spaces")
        indent = len(line) - len(line.lstrip())
        node = _node(stripped, place)
        while path and path[-1][0] >= indent:
            path.pop()
        if path:
            _hang(node, path[-1], indent)
        elif root is not None:
            raise PositionError(f"{place}: a second root; indent it below its parent")
        else:
            root = node
        path.append([indent, node, None])
    if root is None:
        raise PositionError(f"tree {name!r}: no node in it")
    return heads, root


def _hang(node: TreeNode, entry: list[Any], indent: int) -> None:
    _, above, below = entry
    if above.values:
        raise PositionError(f"{node.place}: {above.name!r} is a leaf and has nothing below it")
    if below is not None and below != indent:
        raise PositionError(f"{node.place}: indented unlike the others below {above.name!r}")
    entry[2] = indent
    above.children.append(node)


def _node(text: str, place: str) -> TreeNode:
    match = _LINE.fullmatch(text)
    if match is None or not match["rest"]:
        raise PositionError(f"{place}: {text!r}, expected NAME SEAT or NAME VALUE")
    node = TreeNode(place, match["name"])
    if match["share"]:
        node.share = _number(match["share"], place)
    rest = match["rest"].strip()
    if rest[0].isdecimal() or rest[0] in "+-.":
        node.values = tuple(_number(word.strip(","), place) for word in rest.split())
        return node
    inner = _INNER.fullmatch(rest)
    if inner is None:
        raise PositionError(f"{place}: {rest!r}, expected a seat, perhaps with (ESTIMATE)")
    node.seat = inner["seat"]
    if inner["estimate"]:
        node.estimate = _number(inner["estimate"], place)
    return node


def _read_json(text: str, name: str) -> tuple[dict[str, str], TreeNode]:
    """Read `{"title", "seats", "sides", "root"}`; see the documentation for nodes."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise PositionError(
            f"tree {name!r} line {error.lineno} column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise PositionError(f"tree {name!r}: more than {DEPTH_MAX} levels") from None
    except ValueError as error:
        raise PositionError(f"tree {name!r}: {error}") from None
    known = (*_HEADS, "root")
    for key in data:
        if key not in known:
            raise PositionError(f"tree {name!r}: unknown key {key!r}{suggestion(key, known)}")
    if "root" not in data:
        raise PositionError(f"tree {name!r}: no 'root' in it")
    heads = {key: _words(data[key]) for key in _HEADS if key in data}
    return heads, _json_node(data["root"], f"tree {name!r} root", "root")


def _words(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


_NODE_KEYS = ("name", "seat", "value", "estimate", "probability", "children")


def _json_node(data: Any, place: str, default: str, depth: int = 0) -> TreeNode:
    if depth > DEPTH_MAX:
        raise PositionError(f"{place}: more than {DEPTH_MAX} levels")
    if isinstance(data, (int, float, list)) and not isinstance(data, bool):
        data = {"value": data}
    if not isinstance(data, dict):
        raise PositionError(f"{place}: {data!r}, expected a value or an object")
    for key in data:
        if key not in _NODE_KEYS:
            raise PositionError(f"{place}: unknown key {key!r}{suggestion(key, _NODE_KEYS)}")
    node = TreeNode(place, str(data.get("name", default)), str(data.get("seat", "")))
    node.estimate = _number(str(data.get("estimate", 0)), place)
    if "probability" in data:
        node.share = _number(str(data["probability"]), place)
    if "value" in data:
        values = data["value"] if isinstance(data["value"], list) else [data["value"]]
        node.values = tuple(_number(str(value), place) for value in values)
        if "children" in data or node.seat:
            raise PositionError(f"{place}: a leaf has a value, and no seat or children")
        return node
    children = data.get("children")
    if not isinstance(children, list) or not children or not node.seat:
        raise PositionError(f"{place}: expected a 'value', or a 'seat' and 'children'")
    node.children = [
        _json_node(child, f"{place}.children[{index}]", f"{node.name}.{index + 1}", depth + 1)
        for index, child in enumerate(children)
    ]
    return node
