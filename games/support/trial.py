"""Try a game out: random matches, and the positions near the first one, against its contract."""

import random
import time
from collections import deque
from collections.abc import Hashable
from functools import cache
from typing import TypeAlias

from games.support.contract import (
    BrokenError,
    check_evaluations,
    check_game,
    check_moves,
    check_position,
)
from games.support.errors import GameError
from games.support.game import Game, State
from games.support.move_contract import check_play, check_texts, check_twins
from games.support.moves import draw_move, words_of
from games.support.references import place_in_game
from games.support.specs import find_game
from games.support.view_contract import Told, check_next_views, check_views

MATCHES = 10
PLIES = 200
NEAR = 1500
"""The most positions near the first one to look at."""

TRIAL_S = 1.0
"""The longest trial before a tournament or a registration."""

THOROUGH_S = 5.0
"""The longest trial for an author who asks for it."""

Way: TypeAlias = "tuple[()] | tuple[Way, str]"
"""The moves to a position: those before the last one, and the last; linked, as many share them."""


def tried_game(spec: str) -> Game:
    """Return the game of a spec; one of a user is tried out first.

    Raises what `find_game` raises, and `GameError` for a game that breaks its contract.
    """
    game = find_game(spec)
    if game.origin:
        _try_once(game)
    return game


@cache
def _try_once(game: Game) -> None:
    try_out(game)


def try_out(game: Game, limit_s: float = TRIAL_S) -> int:
    """Check the contract in random matches and near the first position; return the plies played.

    Raises `GameError` with the fault, and its line if known.
    """
    found = find_game(game.spec)
    try:
        if found != game:
            raise BrokenError(game, "name", "its spec does not name it")
        check_game(game)
        trial = _Trial(game, time.monotonic() + limit_s)
        trial.play(0)
        trial.look_around(time.monotonic() + limit_s / 2)
        for seed in range(1, MATCHES):
            trial.play(seed)
    except BrokenError as broken:
        raise GameError(f"game {game.spec!r} can't be played: {broken}", game.spec) from None
    except Exception as error:
        where = place_in_game(error) or f"{type(error).__name__}: {error}"
        raise GameError(f"game {game.spec!r} fails: {where}", game.spec) from None
    return trial.plies


class _Trial:
    """Matches of a game so far, and the way to each position that they have met."""

    def __init__(self, game: Game, deadline: float) -> None:
        self.game = game
        self.deadline = deadline
        self.plies = 0
        self.source = random.Random(0)
        self.met: dict[Hashable, tuple[State, Way]] = {}
        self.told: Told = {}

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.deadline

    def play(self, seed: int) -> None:
        """Play a random match and check each position."""
        source, state = random.Random(seed), self.game.initial()
        way: Way = ()
        passed: list[tuple[State, Hashable]] = []
        while len(passed) < PLIES and not self.is_late:
            check_position(state)
            check_views(state, self.told, source)
            self.meet(state, way)
            if state.outcome() is not None:
                break
            check_moves(state)
            check_evaluations(state)
            check_texts(state)
            check_play(state, source)
            passed.append((state, state.key()))
            move = draw_move(state, source)
            check_next_views(state, move)
            state, way = state.play(move), (way, state.text(move))
            self.plies += 1
        for earlier, key in passed:
            if earlier.key() != key:
                raise BrokenError(earlier, "play", "a later move changes an earlier position")

    def look_around(self, end: float) -> None:
        """Meet the positions near the first one, each by all ways that lead there, until `end`."""
        waiting: deque[tuple[State, Way]] = deque([(self.game.initial(), ())])
        seen = {waiting[0][0].key()}
        while waiting and len(seen) < NEAR and time.monotonic() < end:
            state, way = waiting.popleft()
            for move in () if state.outcome() is not None else state.legal_moves():
                child, onward = state.play(move), (way, state.text(move))
                self.meet(child, onward)
                if child.key() not in seen:
                    seen.add(child.key())
                    waiting.append((child, onward))

    def meet(self, state: State, way: Way) -> None:
        """Compare a position with one that has the same key and was met on another way."""
        twin, other = self.met.setdefault(state.key(), (state, way))
        if twin is not state and other != way:
            ways = (other, way)
            check_twins(twin, state, lambda: [_text_of(each) for each in ways], self.source)


def _text_of(way: Way) -> str:
    texts: list[str] = []
    while way:
        way, text = way
        texts.append(text)
    return words_of(texts[::-1])
