"""The contract of views as checks: what a seat is told, and that it is told nothing else."""

import random
from collections.abc import Hashable, Mapping
from typing import Any

from games.support.contract import BrokenError
from games.support.errors import GameError, brief
from games.support.game import State
from games.support.view import HiddenState, Sight, TogetherState, View

_TOLD = ("seat to move", "list of events", "list of moves", "drawing", "board", "result")
"""The fields of a `Sight`."""

Told = dict[Hashable, Sight]
"""What a seat sees, by what it has seen."""


def check_views(state: State, told: Told, source: random.Random) -> None:
    """Check what seats, and the public, may know of a position; add it to what was `told` before.

    In a game without secrets that is the position itself.
    """
    game = state.game
    if not game.has_secrets:
        if isinstance(state, HiddenState):
            raise BrokenError(
                game,
                "has_secrets",
                "has_secrets is false, and its positions are HiddenStates: set has_secrets = True",
            )
        return
    if not isinstance(state, HiddenState):
        raise BrokenError(
            game, "has_secrets", f"it is true, and its positions are no HiddenStates: {state!r}"
        )
    for seat in (*range(game.seats), None):
        view = state.view(seat)
        _check_plain(state, view)
        if game.shows_all and view.events != state.events(None):
            raise BrokenError(
                game,
                "shows_all",
                f"it is true, and seat {seat} has seen {brief(view.events)}, the public "
                f"{brief(state.events(None))}",
            )
        here = view.sight
        # Whose turn it is, and how a match has ended, is told to all.
        there = told.setdefault((seat, here.to_move, here.events, here.result), here)
        if there != here:
            name, one, other = next(
                (name, one, other)
                for name, one, other in zip(_TOLD, there, here, strict=True)
                if one != other
            )
            raise BrokenError(
                state,
                "events",
                f"seat {seat} has the same events {brief(here.events)} in two positions, but "
                f"another {name}: {brief(one)} and {brief(other)}; add to its events what decides "
                "that, or hide it",
            )
    if state.outcome() is None:
        for seat in state.movers():
            _check_sample(state, state.view(seat), source)


def _check_plain(state: HiddenState, view: View) -> None:
    for member, values in (("events", view.events), ("board_of", view.sight.board)):
        if not isinstance(values, tuple) or not all(isinstance(each, str) for each in values):
            raise BrokenError(
                state, member, f"{member}() gives {brief(values)}: expected a tuple of texts"
            )
    if not isinstance(drawing := view.sight.drawing, str):
        raise BrokenError(state, "drawn", f"drawn() gives no text but {brief(drawing)}")
    for move in view.legal_moves():
        if type(move) is not int and move != view.text(move):
            raise BrokenError(
                state,
                "legal_moves",
                f"the move {brief(move)} is no number and not its own text: a view has no others",
            )


def _check_sample(state: HiddenState, view: View, source: random.Random) -> None:
    try:
        drawn = view.sample(source)
    except GameError:
        return
    if drawn.outcome() is not None or drawn.view(view.seat) != view:
        raise BrokenError(
            state.game,
            "sample",
            f"the position that it draws for seat {view.seat} is {drawn!r}, and does not agree "
            f"with what the seat has seen: {brief(view.events)}",
        )


def check_next_views(state: State, move: Any) -> None:
    """Check that nobody forgets anything by a move, and that a sealed one shows nothing."""
    if not isinstance(state, HiddenState):
        return
    after = state.play(move)
    for seat in (*range(state.game.seats), None):
        before, now = state.events(seat), after.events(seat)
        if now[: len(before)] != before:
            raise BrokenError(
                state,
                "events",
                f"seat {seat} has seen {brief(before)}, and after the move "
                f"{state.text(move)} {brief(now)}: events are only added",
            )
    if isinstance(state, TogetherState) and len(state.movers()) > 1:
        _check_sealed(_views(state), _views(after), state)


def _views(state: State) -> Mapping[int | None, State]:
    return {seat: state.view(seat) for seat in range(state.game.seats) if seat in state.movers()}


def _check_sealed(
    before: Mapping[int | None, State], after: Mapping[int | None, State], state: State
) -> None:
    for seat, view in after.items():
        if before[seat] != view or before[seat].legal_moves() != view.legal_moves():
            raise BrokenError(
                state, "choices", f"seat {seat} sees that another one has chosen: {view!r}"
            )
