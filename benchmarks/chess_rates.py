"""Searching chess: how fast and how deep, and how much of that is python-chess."""

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import median
from types import FrameType
from typing import Any

from benchmarks.measures import Run
from bots import alphabeta, iterative
from bots.support.bot import Clock
from games.support.game import Evaluation, State

POSITIONS = {
    "start": "",
    "Kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "Edwards": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}
"""The first position, and two middlegames that chessprogramming.org counts perft on (2 and 6)."""

SAMPLE_S = 0.001
"""Processor time between two samples, at the least."""


class Samples:
    """How often a running program was looked at, and how often it was within python-chess."""

    def __init__(self) -> None:
        import chess  # noqa: PLC0415 (an extra)

        self.taken = self.within = 0
        self._file = chess.__file__

    @property
    def share(self) -> float:
        """The share of processor time spent in python-chess and what it calls."""
        return self.within / max(1, self.taken)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Sample what runs within, as often as the system's clock ticks."""
        before = signal.signal(signal.SIGPROF, self._take)
        signal.setitimer(signal.ITIMER_PROF, SAMPLE_S, SAMPLE_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.taken += 1
        while frame is not None:
            if frame.f_code.co_filename == self._file:
                self.within += 1
                return
            frame = frame.f_back


def board_of(fen: str) -> Any:
    """Return the board of python-chess, the first one where the FEN is empty."""
    import chess  # noqa: PLC0415 (an extra)

    return chess.Board(fen or chess.STARTING_FEN)


def run_walk(board: Any, depth: int) -> Run:
    """Time python-chess alone: every line to a depth, pushed and popped on one board."""

    def walk(left: int) -> int:
        nodes = 0
        for move in board.generate_legal_moves():
            board.push(move)
            nodes += 1
            if left > 1:
                nodes += walk(left - 1)
            board.pop()
        return nodes

    begin = time.process_time()
    nodes = walk(depth)
    return Run(time.process_time() - begin, nodes, None)


def rate_of(runs: Sequence[Run]) -> float:
    """Return the median of nodes a second."""
    return median((run.nodes or 0) / run.time_s for run in runs)


def run_alphabeta(state: State, depth: int, evaluation: Evaluation) -> Run:
    """Time alpha-beta, the moves sorted by the game."""
    begin = time.process_time()
    found = alphabeta.search(state, depth=depth, evaluation=evaluation, order="game")
    return Run(time.process_time() - begin, found.nodes, found.value)


def run_iterative(state: State, evaluation: Evaluation, move_s: float) -> tuple[int, Run]:
    """Return the last depth that `iterative` completes in so many seconds, and its run."""
    search = partial(iterative.search, state, evaluation=evaluation)
    begin = time.process_time()
    found = search(depth=None, clock=Clock.of(move_s=move_s))
    run = Run(time.process_time() - begin, found.nodes, found.value)
    # A search cut short may tell the depth begun: the same nodes again show whether it was ended.
    again = search(depth=found.depth, clock=Clock(nodes=found.nodes))
    return found.depth - (not again.is_complete), run
