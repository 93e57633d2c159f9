"""The contract of games as checks: each raises `BrokenError` for the first rule that is broken.

`games.support.trial` runs them over a user's game, the tests over every game of the folder.
"""

from collections.abc import Hashable, Iterator, Sequence
from math import isclose, isfinite
from numbers import Real
from typing import Any

from games.support.errors import brief
from games.support.game import CHANCE, Game, Move, State
from games.support.source_lines import place_of_member

MOVES_TRIED = 16
"""The most moves of a position that are played and read for a check."""

_CHANGEABLE = (list, set, dict, bytearray)


class BrokenError(Exception):
    """A game breaks its contract; `place` is the file and the line, '' if unknown."""

    def __init__(self, owner: object, member: str, text: str) -> None:
        self.place = place_of_member(type(owner), member)
        super().__init__(f"{self.place}: {text}" if self.place else text)


def check_game(game: Game) -> None:
    """Check the facts of a game that hold in all positions, and its first position."""
    _check_seats(game)
    low, high = game.utility_bounds
    if not (isfinite(low) and isfinite(high) and low < high):
        raise BrokenError(
            game, "utility_bounds", f"utility_bounds is {(low, high)}: expected (low, high)"
        )
    if not isinstance(state := game.initial(), State):
        raise BrokenError(game, "initial", f"initial() gives {brief(state)}: expected a State")
    _check_owner(state)
    if game.initial() != state:
        raise BrokenError(
            game,
            "initial",
            "initial() gives another position each time: let chance() list what luck decides",
        )


def _check_seats(game: Game) -> None:
    sides = game.sides
    if not isinstance(sides, tuple) or not sides or any(type(each) is not int for each in sides):
        raise BrokenError(
            game,
            "sides",
            f"sides is {brief(sides)}: expected the side of each seat, such as (0, 1, 2)",
        )
    seats, names = game.seats, game.seat_names
    if seats != len(sides):
        wanted = tuple(range(seats)) if type(seats) is int and 0 < seats < 100 else "(0, 1, …)"
        raise BrokenError(
            game,
            "seats",
            f"seats is {brief(seats)}, and sides {sides} has {len(sides)}: "
            f"leave seats out and write sides = {wanted}",
        )
    for member, values in (("seat_names", names), ("seat_colours", game.seat_colours)):
        if not isinstance(values, tuple) or not all(isinstance(each, str) for each in values):
            raise BrokenError(
                game, member, f"{member} is {brief(values)}: expected a tuple of texts"
            )
        if len(values) != seats:
            raise BrokenError(
                game, member, f"{member} has {len(values)} for {seats} seats: {brief(values)}"
            )
    if len(set(names)) < seats or not all(name.strip() and name.isprintable() for name in names):
        raise BrokenError(
            game, "seat_names", f"seat_names must differ and be printable: {brief(names)}"
        )


def _check_owner(state: State) -> None:
    if getattr(state, "game", None) is None:
        raise BrokenError(state, "game", "the position has no game: set self.game in __init__")


def check_position(state: State) -> None:
    """Check what holds in every position, decided ones too."""
    _check_owner(state)
    game, outcome = state.game, state.outcome()
    if outcome is None and (
        type(state.to_move) is not int or not CHANCE <= state.to_move < game.seats
    ):
        raise BrokenError(
            state,
            "to_move",
            f"to_move is {brief(state.to_move)}, no seat: "
            f"expected 0 to {game.seats - 1}, or CHANCE",
        )
    if outcome is not None:
        _check_end(state)
    _check_values(state)
    for member in ("render", "svg", "status", "fen"):
        if not isinstance(text := getattr(state, member)(), str):
            raise BrokenError(state, member, f"{member}() gives no text but {brief(text)}")
    material = state.material()
    if len(material) not in (0, game.seats):
        raise BrokenError(
            state,
            "material",
            f"material() gives {material!r}: expected a text for each of the {game.seats} seats",
        )


def _check_values(state: State) -> None:
    """Check that a position holds nothing that changes, and has a key.

    A private attribute may remember what was computed; other checks see whether it changes more.
    """
    for name, value in _attributes(state):
        if isinstance(value, _CHANGEABLE) and not name.startswith("_"):
            raise BrokenError(
                state,
                name,
                f"{name} is a {type(value).__name__}, which can change: "
                f"keep a {'tuple' if isinstance(value, list) else 'frozen value'} in a position",
            )
    key = state.key()
    try:
        hash(key)
        hash(state)
    except TypeError as error:
        raise BrokenError(state, "key", f"a key is not hashable ({error}): {brief(key)}") from None


def _check_end(state: State) -> None:
    game = state.game
    low, high = game.utility_bounds
    for member in ("outcome", "placing"):
        values: Any = getattr(state, member)()
        if not isinstance(values, tuple):
            raise BrokenError(
                state, member, f"{member}() gives {brief(values)}: expected None or a tuple"
            )
        if len(values) != game.seats:
            raise BrokenError(
                state,
                member,
                f"{member}() gives {brief(values)}: expected a number for each of the "
                f"{game.seats} seats",
            )
        if not all(isinstance(each, Real) and isfinite(each) for each in values):
            raise BrokenError(state, member, f"{member}() gives {brief(values)}: expected numbers")
        shared = dict(zip(game.sides, values, strict=True))
        if any(shared[side] != value for side, value in zip(game.sides, values, strict=True)):
            raise BrokenError(
                state,
                member,
                f"{member}() gives {brief(values)}: seats of one side get the same "
                f"(sides {game.sides})",
            )
    outcome = state.outcome() or ()
    if not all(low <= each <= high for each in outcome):
        raise BrokenError(
            state,
            "outcome",
            f"outcome() gives {outcome!r}, outside utility_bounds {low:g} to {high:g}",
        )


def check_moves(state: State) -> None:
    """Check the moves of an unfinished position, luck's among them, without playing one."""
    moves = state.legal_moves()
    if not isinstance(moves, Sequence) or isinstance(moves, str):
        raise BrokenError(
            state, "legal_moves", f"legal_moves() gives {type(moves).__name__}: expected a tuple"
        )
    if not moves:
        raise BrokenError(
            state,
            "legal_moves",
            "legal_moves() is empty though the match is not over: a seat that can't move passes",
        )
    for move in moves:
        if not _is_hashable(move):
            raise BrokenError(
                state,
                "legal_moves",
                f"the move {brief(move)} of legal_moves() is not hashable: write a tuple or an int",
            )
    if len(set(moves)) != len(moves):
        raise BrokenError(state, "legal_moves", "legal_moves() has a move twice")
    for move in moves[:MOVES_TRIED]:
        if not state.is_legal(move):
            raise BrokenError(
                state, "is_legal", f"is_legal({brief(move)}) is false, and legal_moves() has it"
            )
    _check_luck(state, moves)
    if state.to_move != CHANCE:
        played = state.stand_in(state.to_move)
        if played is not None and played not in moves:
            raise BrokenError(
                state, "stand_in", f"stand_in() gives {brief(played)}, which is not legal"
            )
    ordered = state.order(moves)
    if len(ordered) != len(moves) or set(ordered) != set(moves):
        raise BrokenError(state, "order", "order() gives other moves than it gets")
    if not set(state.noisy_moves()) <= set(moves):
        raise BrokenError(state, "noisy_moves", "noisy_moves() gives moves that are not legal")


def _check_luck(state: State, moves: Sequence[Move]) -> None:
    luck = state.chance()
    if state.to_move != CHANCE:
        if luck:
            raise BrokenError(
                state,
                "chance",
                f"chance() lists {len(luck)} moves of luck where seat {state.to_move} moves: "
                "return () unless to_move is CHANCE",
            )
        return
    if not state.game.has_chance:
        raise BrokenError(state.game, "has_chance", "luck moves, and has_chance is false")
    if not luck:
        raise BrokenError(state, "chance", "chance() is empty where to_move is CHANCE")
    if not all(isinstance(each, tuple) and len(each) == 2 for each in luck):
        raise BrokenError(
            state, "chance", f"chance() gives {brief(luck)}: expected (move, probability)"
        )
    if [move for move, _ in luck] != list(moves):
        raise BrokenError(state, "chance", "chance() lists other moves than legal_moves()")
    shares = [share for _, share in luck]
    if not all(isinstance(each, Real) and each > 0 for each in shares) or not isclose(
        sum(shares), 1
    ):
        raise BrokenError(
            state, "chance", f"the probabilities of chance() do not add up to 1: {brief(shares)}"
        )


def check_evaluations(state: State) -> None:
    """Check that evaluations of an unfinished position keep to their bounds."""
    if state.to_move == CHANCE:
        return
    for each in state.game.evaluations:
        for seat in range(state.game.seats):
            value = each.function(state, seat)
            if not each.low <= value <= each.high:
                raise BrokenError(
                    state.game,
                    "evaluations",
                    f"evaluation {each.name!r} gives {brief(value)}, outside its bounds "
                    f"{each.low:g} to {each.high:g}",
                )


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return isinstance(value, Hashable)


def _attributes(state: State) -> Iterator[tuple[str, object]]:
    yield from vars(state).items() if hasattr(state, "__dict__") else ()
    for kind in type(state).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(state, name):
                yield name, getattr(state, name)
