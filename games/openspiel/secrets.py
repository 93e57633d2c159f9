"""Positions of OpenSpiel's games with hidden information or simultaneous moves.

A seat's events are the texts that OpenSpiel has had for it since the start: its information state
where the game has one, else its observation.
"""

from collections.abc import Callable, Sequence
from typing import Any

from games.openspiel.drawing import fit, plain
from games.openspiel.notation import distinct, read
from games.support.errors import MoveError, brief
from games.support.game import CHANCE, Game, Move
from games.support.view import Events, TogetherState

_new = object.__new__


class SecretState(TogetherState):
    """A position; `raw` is OpenSpiel's own, to be read and cloned only."""

    __slots__ = ("_seen", "_written", "choosers", "game", "raw", "result")

    game: Any
    raw: Any
    choosers: tuple[int, ...]
    result: tuple[float, ...] | None
    _seen: tuple[Events, ...]
    _written: dict[int, dict[int, str]]
    """The texts of the moves of each seat that has been asked for some."""

    def choices(self, seat: int) -> tuple[int, ...]:
        """List OpenSpiel's numbers of a seat's moves, or of luck's."""
        if seat == CHANCE or not self.raw.is_simultaneous_node():
            return tuple(self.raw.legal_actions())
        return tuple(self.raw.legal_actions(seat))

    def together(self, moves: tuple[int, ...]) -> "SecretState":
        """Play in a clone."""
        raw = self.raw.clone()
        if raw.is_simultaneous_node():
            # Seats without a choice are given OpenSpiel's number for none.
            chosen = dict(zip(self.choosers, moves, strict=True))
            raw.apply_actions([chosen.get(seat, 0) for seat in range(self.game.seats)])
        else:
            raw.apply_action(*moves)
        return _position(self.game, raw, self._seen)

    def outcome(self) -> tuple[float, ...] | None:
        """Return OpenSpiel's returns once the match is over."""
        return self.result

    def chance(self) -> tuple[tuple[int, float], ...]:
        """List luck's moves with their probabilities."""
        return () if self.to_move != CHANCE else tuple(self.raw.chance_outcomes())

    def key(self) -> tuple[int, ...]:
        """Return all moves so far, then what is sealed."""
        return (*self.raw.history(), *self.sealed)

    def text(self, move: Move) -> str:
        """Write a move of the seat that is to move, or of luck."""
        return self.text_for(self.to_move, move)

    def parse(self, text: str) -> Move:
        """Read a move's text or number, case only if ambiguous; raise `MoveError` unless legal."""
        if self.result is not None:
            raise MoveError(f"illegal move {brief(text)}: the match is over", text)
        mover = self.to_move
        return read(text, self._texts(mover), lambda move: self._own_text(mover, move))

    def render(self) -> str:
        """Return OpenSpiel's text, without colours, lines folded at 80 columns."""
        return fit(str(self.raw))

    def events(self, seat: int | None) -> Events:
        """Return the texts that OpenSpiel has had for a seat; none for the public."""
        return () if seat is None else self._seen[seat]

    def drawn(self, seat: int | None) -> str:
        """Return the newest of them."""
        return fit(self._seen[seat][-1]) if seat is not None and self._seen[seat] else ""

    def text_for(self, seat: int, move: Move) -> str:
        """Write a move of a seat as OpenSpiel does, followed by its number if ambiguous."""
        return self._texts(seat)[move]

    def _texts(self, seat: int) -> dict[int, str]:
        if seat not in self._written:
            moves = self.choices(seat)
            self._written[seat] = distinct(moves, lambda move: self._own_text(seat, move))
        return self._written[seat]

    def _own_text(self, seat: int, move: int) -> str:
        return plain(self.raw.action_to_string(seat, move))

    def __copy__(self) -> "SecretState":
        # Its pickle plays the match again.
        twin = _new(SecretState)
        for name in (*SecretState.__slots__, "sealed"):
            setattr(twin, name, getattr(self, name))
        return twin

    def __reduce__(self) -> tuple[Callable[..., "SecretState"], tuple[object, ...]]:
        return _replayed, (self.game, tuple(self.raw.history()), self.sealed)


def first(game: Game, raw: Any) -> SecretState:
    """Return the first position of a game."""
    return _position(game, raw, ((),) * game.seats)


def _replayed(game: Game, history: tuple[int, ...], sealed: tuple[Move, ...]) -> SecretState:
    state: Any = game.initial()
    at = 0
    while at < len(history):
        # OpenSpiel writes down a move for every seat, also for those without a choice.
        count = game.seats if state.raw.is_simultaneous_node() else 1
        moves = history[at : at + count]
        at += count
        chosen = [moves[seat] for seat in state.choosers] if count > 1 else moves
        for move in chosen:
            state = state.play(move)
    for move in sealed:
        state = state.play(move)
    return state  # type: ignore[no-any-return]


def _position(game: Any, raw: Any, seen: Sequence[Events]) -> SecretState:
    position = _new(SecretState)
    position.game, position.raw, position.sealed, position._written = game, raw, (), {}
    position.result = None
    if raw.is_terminal():
        position.result = tuple(each + 0.0 for each in raw.returns())
        position.choosers = (0,)
    elif raw.is_simultaneous_node():
        seats = range(game.seats)
        position.choosers = tuple(seat for seat in seats if raw.legal_actions(seat))
    else:
        position.choosers = (raw.current_player(),)
    told = (game.told(raw, seat) for seat in range(game.seats))
    position._seen = tuple(
        before if before[-1:] == (text,) else (*before, text)
        for before, text in zip(seen, told, strict=True)
    )
    return position
