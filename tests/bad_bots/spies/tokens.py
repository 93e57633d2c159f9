"""A game whose secret can't be overlooked: luck deals each seat a long token.

The tokens are luck's moves themselves, so that a position, a record or a line of moves that gets
somewhere brings them along. They stand in no file: they are computed when luck lists its moves,
which happens in the referee's process alone.
"""

import hashlib
from dataclasses import dataclass

from games import CHANCE, Game
from games.support.view import Events, HiddenState

COUNT = 4096
"""The number of tokens: with few, two matches might be dealt the same one, which is no leak."""


def token(number: int) -> str:
    """Return a token: `SECRET-` and 32 hexadecimal digits."""
    return f"SECRET-{hashlib.blake2b(b'token %d' % number, digest_size=16).hexdigest()}"


class TokensState(HiddenState):
    """The tokens by seat as far as they are dealt, and how many seats have passed."""

    __slots__ = ("game", "passes", "to_move", "tokens")

    game: "Tokens"

    def __init__(self, game: "Tokens", tokens: tuple[str, ...] = (), passes: int = 0) -> None:
        self.game, self.tokens, self.passes = game, tokens, passes
        self.to_move = CHANCE if len(tokens) < 2 else passes % 2

    def legal_moves(self) -> tuple[str, ...]:
        """List the tokens that are left, or the only move of a seat."""
        if self.to_move != CHANCE:
            return ("pass",)
        return tuple(each for each in map(token, range(COUNT)) if each not in self.tokens)

    def chance(self) -> tuple[tuple[str, float], ...]:
        """Deal each token that is left equally often."""
        moves = self.legal_moves() if self.to_move == CHANCE else ()
        return tuple((move, 1 / len(moves)) for move in moves)

    def play(self, move: str) -> "TokensState":
        """Deal a token, or pass."""
        if self.to_move == CHANCE:
            return TokensState(self.game, (*self.tokens, move))
        return TokensState(self.game, self.tokens, self.passes + 1)

    def outcome(self) -> tuple[float, ...] | None:
        """Let the greater token win once both seats have passed."""
        if self.passes < 2:
            return None
        return (1.0, -1.0) if self.tokens[0] > self.tokens[1] else (-1.0, 1.0)

    def key(self) -> tuple[object, ...]:
        """Return all."""
        return self.tokens, self.passes

    def events(self, seat: int | None) -> Events:
        """Tell a seat its token, and everybody who has passed."""
        own = () if seat is None else self.tokens[seat : seat + 1]
        return (*own, *(f"seat {each} passes" for each in range(self.passes)))

    def render(self) -> str:
        """Write the tokens."""
        return "\n".join(self.tokens) or "nothing is dealt yet"


@dataclass(frozen=True)
class Tokens(Game):
    """The rules."""

    name = "tokens"
    title = "Tokens"
    summary = "Luck deals each seat a token, and both seats pass. The greater token wins."
    opening_plies = 0
    has_secrets = True
    has_chance = True

    def initial(self) -> TokensState:
        """Return the position before the deal."""
        return TokensState(self)
