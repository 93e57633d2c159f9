"""Measure what the pure search would lose if games and kernels shared one set of rules.

    python -m benchmarks.rules_once --rounds 9

Both games play by functions on plain integers that numba can compile, called from `State.play`.
Connect Four's fit one word. Gomoku's take either the words that compiled code needs, or a whole
board in one integer, which compiled code has no type for. Moves are listed as before throughout.
Every variant has to make the same nodes.
"""

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.measures import Row, Run, alternate, machine, ratio, table, time_of
from bots import alphabeta, mcts
from games.connectfour import ConnectFour, ConnectFourState, board_of
from games.mnk import MnkGame, MnkState
from games.support.board_game import DRAWN, WON
from games.support.game import NULL, State

HEADINGS = ["game", "search", "rules", "ms", "times as long"]
WORD = 64
BOARD = board_of(7, 6, 4)
RULES = (*BOARD.shifts, BOARD.full)
_new = object.__new__

Words = tuple[int, ...]


def drop(position: Words, bit: int) -> Words:
    """Put a stone of Connect Four, as its kernel does."""
    return position[0] | bit, position[0] ^ position[1]


def drop_outcome(rules: Words, position: Words) -> tuple[bool, int]:
    """Tell whether Connect Four is over, as its kernel does."""
    if has_row(position[0] ^ position[1], rules):
        return True, -1
    return position[0] == rules[8], 0


def has_row(stones: int, rules: Words) -> bool:
    """Tell whether there is a row of four."""
    a, a2, b, b2, c, c2, d, d2, _ = rules
    return bool(
        ((m := stones & stones >> a) and m & m >> a2)
        or ((m := stones & stones >> b) and m & m >> b2)
        or ((m := stones & stones >> c) and m & m >> c2)
        or ((m := stones & stones >> d) and m & m >> d2)
    )


class WordsConnectFour(ConnectFourState):
    """Plays by the kernel's two functions on tuples of words."""

    __slots__ = ()

    def play(self, move: int) -> "WordsConnectFour":
        """Drop a stone."""
        child = _new(WordsConnectFour)
        child.game = game = self.game
        board = game.board
        child.to_move = 1 - self.to_move
        bit = self.mask + board.bottoms[move] & ~self.mask
        position = drop((self.mask, self.mask ^ self.opp), bit)
        child.mask, child.opp = position[0], position[0] ^ position[1]
        is_over, worth = drop_outcome(RULES, position)
        child.result = (WON[self.to_move] if worth else DRAWN) if is_over else None
        return child


class CallingConnectFour(ConnectFourState):
    """Plays by one function on numbers, the least that could be shared."""

    __slots__ = ()

    def play(self, move: int) -> "CallingConnectFour":
        """Drop a stone."""
        child = _new(CallingConnectFour)
        child.game = game = self.game
        board = game.board
        child.to_move = 1 - self.to_move
        child.mask = mask = self.mask | self.mask + board.bottoms[move]
        child.opp = own = self.opp ^ mask
        if has_row(own, RULES):
            child.result = WON[self.to_move]
        else:
            child.result = DRAWN if mask == board.full else None
        return child


def place(position: Words, point: int) -> Words:
    """Put a stone on a board of several words, as the kernel of gomoku does."""
    count = len(position) // 2
    child = list(position)
    for word in range(count):
        child[count + word] = position[word] ^ position[count + word]
    child[point // WORD] |= 1 << point % WORD
    return tuple(child)


def has_stone(position: Words, point: int) -> bool:
    """Tell whether the seat that moved last has a stone at a bit."""
    count = len(position) // 2
    if not 0 <= point < WORD * count:
        return False
    word = point // WORD
    return bool((position[word] ^ position[count + word]) >> point % WORD & 1)


def has_line(position: Words, last: int, connect: int, *steps: int) -> bool:
    """Tell whether a row goes through the last stone."""
    for step in steps:
        length = 1
        for way in (step, -step):
            point = last + way
            while has_stone(position, point):
                length += 1
                point += way
        if length >= connect:
            return True
    return False


class WordsMnk(MnkState):
    """Plays by the kernel's functions on words, which it keeps beside the board."""

    __slots__ = ("words",)

    words: Words

    def play(self, move: int) -> "WordsMnk":
        """Put a stone."""
        child = _new(WordsMnk)
        child.game = game = self.game
        board = game.board
        child.to_move = 1 - self.to_move
        bit = board.bits[move]
        point = bit.bit_length() - 1
        child.mask = self.mask | bit
        child.opp = self.opp ^ child.mask
        child.words = place(self.words, point)
        if has_line(child.words, point, board.connect, *board.steps):
            child.result = WON[self.to_move]
        else:
            child.result = DRAWN if child.mask == board.full else None
        return child


def put(mask: int, opp: int, bit: int) -> tuple[int, int]:
    """Put a stone on a board in one integer."""
    mask |= bit
    return mask, opp ^ mask


def has_five(own: int, near: int, directions: tuple[tuple[int, ...], ...]) -> bool:
    """Tell whether there is a row of five, of which one stone has those `near` it."""
    if (own & near).bit_count() < 5:
        return False
    for a, b, c in directions:
        starts = own & own >> a
        starts &= starts >> b
        if starts & starts >> c:
            return True
    return False


class BoardMnk(MnkState):
    """Plays by functions on whole boards."""

    __slots__ = ()

    def play(self, move: int) -> "BoardMnk":
        """Put a stone."""
        child = _new(BoardMnk)
        child.game = game = self.game
        board = game.board
        child.to_move = 1 - self.to_move
        child.mask, child.opp = put(self.mask, self.opp, board.bits[move])
        if has_five(child.opp, board.stars[move], board.directions):
            child.result = WON[self.to_move]
        else:
            child.result = DRAWN if child.mask == board.full else None
        return child


def roots_of(game: ConnectFour | MnkGame, *kinds: type[State]) -> list[State]:
    """Return the first position, once for each kind of state."""
    roots: list[State] = [game.initial()]
    for kind in kinds:
        root: Any = object.__new__(kind)
        root.game, root.mask, root.opp, root.to_move, root.result = game, 0, 0, 0, None
        if kind is WordsMnk:
            root.words = (0,) * 8
        roots.append(root)
    return roots


def search(root: State, depth: int) -> Run:
    """Search without an evaluation."""
    begin = time.process_time()
    found = alphabeta.search(root, depth=depth, evaluation=NULL)
    return Run(time.process_time() - begin, found.nodes, found.value)


def simulate(root: State, simulations: int) -> Run:
    """Simulate with random playouts."""
    source = random.Random(1)
    begin = time.process_time()
    found = mcts.search(root, simulations=simulations, evaluation=NULL, source=source)
    return Run(time.process_time() - begin, found.nodes, found.value)


NAMES = {
    "connectfour": ("its own", "shared, tuples of words", "shared, one call with numbers"),
    "mnk": ("its own", "shared, words", "shared, whole boards"),
}
WORKS: dict[str, dict[str, Callable[[State], Run]]] = {
    "connectfour": {
        "alphabeta": partial(search, depth=9),
        "mcts": partial(simulate, simulations=2000),
    },
    "mnk": {
        "alphabeta": partial(search, depth=3),
        "mcts": partial(simulate, simulations=60),
    },
}


def rows(rounds: int = 9) -> list[Row]:
    """Return a row for each game, search and way to write the rules, with the `HEADINGS`."""
    roots = {
        "connectfour": roots_of(ConnectFour(), WordsConnectFour, CallingConnectFour),
        "mnk": roots_of(MnkGame(), WordsMnk, BoardMnk),
    }
    found: list[Row] = []
    for game, works in WORKS.items():
        for name, work in works.items():
            runs = alternate(rounds, *(partial(work, root) for root in roots[game]))
            if len({(run.nodes, run.value) for column in runs for run in column}) > 1:
                raise AssertionError(f"{game}: the rules differ")
            for how, column in zip(NAMES[game], runs, strict=True):
                took = f"{1e3 * time_of(column):.0f}"
                found.append((game, name, how, took, f"{ratio(column, runs[0]):.2f}"))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules_once", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each (default 9)")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    asked = parser.parse_args()
    print(machine())
    print()
    print(table(HEADINGS, rows(asked.rounds)))


if __name__ == "__main__":
    main()
