"""Try a game out: random matches that check the contract of games."""

import random
import time
from collections.abc import Hashable, Sequence
from math import isclose, isfinite

from games.support.errors import GameError, InputError
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import decode_move, draw_move, encode_move
from games.support.references import place_in_game

MATCHES = 10
PLIES = 200
TRIAL_S = 1.0


def try_out(game: Game) -> int:
    """Play random matches for a moment and return the plies played.

    Done for a user's own game before a tournament begins. Raises `GameError` with the fault, and
    its line if known.
    """
    from games.support.specs import find_game  # noqa: PLC0415 (the catalogue knows the references)

    plies, deadline = 0, time.monotonic() + TRIAL_S
    try:
        _demand(find_game(game.spec) == game, "its spec does not name it")
        for seed in range(MATCHES):
            source, state = random.Random(seed), game.initial()
            for _ in range(PLIES):
                _check_position(state)
                if state.outcome() is not None or time.monotonic() > deadline:
                    break
                state = _check_move(state, source)
                plies += 1
    except _BrokenError as broken:
        raise GameError(f"game {game.spec!r} can't be played: {broken}", game.spec) from None
    except InputError:
        raise
    except Exception as error:
        where = place_in_game(error) or f"{type(error).__name__}: {error}"
        raise GameError(f"game {game.spec!r} fails: {where}", game.spec) from None
    return plies


class _BrokenError(Exception):
    """A game breaks the contract of games."""


def _demand(holds: bool, broken: str) -> None:
    if not holds:
        raise _BrokenError(broken)


def _check_position(state: State) -> None:
    game, outcome = state.game, state.outcome()
    is_somebody = outcome is not None or state.to_move in (CHANCE, *range(game.seats))
    _demand(is_somebody, f"to_move is {state.to_move!r}, no seat")
    _demand(isinstance(state.key(), Hashable), "a key is not hashable")
    hash(state)
    _demand(isinstance(state.render(), str), "render() gives no text")
    _demand(isinstance(state.svg(), str), "svg() gives no text")
    material = state.material()
    _demand(
        len(material) in (0, game.seats),
        f"material() gives {material!r}: expected a text for each of the {game.seats} seats",
    )
    if outcome is None:
        return
    for name, values in (("outcome", outcome), ("placing", state.placing())):
        _demand(isinstance(values, tuple), f"{name}() gives {values!r}: expected None or a tuple")
        _demand(
            len(values or ()) == game.seats,
            f"{name}() gives {values!r}: expected a number for each of the {game.seats} seats",
        )
        _demand(all(isfinite(each) for each in values or ()), f"{name}() gives {values!r}")
    low, high = game.utility_bounds
    _demand(
        all(low <= each <= high for each in outcome),
        f"outcome() gives {outcome!r}, outside utility_bounds {low:g} to {high:g}",
    )


def _check_move(state: State, source: random.Random) -> State:
    """Check the moves of an unfinished position, and return the next one."""
    game, moves, luck = state.game, state.legal_moves(), state.chance()
    _demand(
        isinstance(moves, Sequence), f"legal_moves() gives {type(moves).__name__}: expected a tuple"
    )
    _demand(len(moves) > 0, "legal_moves() is empty though the match is not over")
    _demand(len(set(moves)) == len(moves), "legal_moves() has a move twice")
    if state.to_move == CHANCE:
        _demand(game.has_chance, "luck moves, and has_chance is false")
        _demand([move for move, _ in luck] == list(moves), "chance() lists other moves than legal")
        _demand(isclose(sum(share for _, share in luck), 1), "probabilities do not add up to 1")
    move: Move = draw_move(state, source)
    before = state.key()
    child = state.play(move)
    _demand(isinstance(child, State), "play() gives no State")
    _demand(state.key() == before and child is not state, "play() changes the position")
    marks = state.marks(move)
    _demand(
        isinstance(marks, tuple) and all(len(point) == 2 for point in marks),
        f"marks() gives {marks!r}: expected points (x, y)",
    )
    texts = [state.text(each) for each in moves]
    _demand(len(set(texts)) == len(texts), "two legal moves have the same text")
    _demand(
        state.parse(state.text(move)) == move
        and decode_move(state, encode_move(state, move)) == move,
        f"the text {state.text(move)!r} is not read as the move it stands for",
    )
    return child
