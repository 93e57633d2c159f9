"""What an export is."""

from typing import Protocol

from games.contract import Game
from league.replays import Replay


class Export(Protocol):
    """A module of this folder hands out an instance as `EXPORT`.

    Where it is a dataclass its fields are options, which the command line can set.
    """

    @property
    def name(self) -> str:
        """What a user calls it on the command line."""

    def refusal(self, game: Game) -> str:
        """Say why matches of `game` can't be written so; '' where they can."""

    def is_usual(self, game: Game) -> bool:
        """Whether this is what matches of `game` are written as where nothing else is asked for."""

    @property
    def is_single(self) -> bool:
        """Whether a file can hold one match alone."""

    def head(self, game: Game) -> str:
        """Write what begins a file; '' for nothing. Matches with other heads need other files."""

    @property
    def suffix(self) -> str:
        """How the names of such files end: `.pgn`."""

    @property
    def media_type(self) -> str:
        """What browsers call such a file: `application/json`."""

    def text(self, replay: Replay) -> str | bytes:
        """Write one match, to the end of its last line; a file is its head and such texts.

        Bytes where the file is no text.
        """


class OneMatch:
    """What files have in common that show one match of any game, and are no game's usual export."""

    is_single = True

    def refusal(self, game: Game) -> str:
        """Refuse no game."""
        return ""

    def is_usual(self, game: Game) -> bool:
        """Be no game's usual format."""
        return False

    def head(self, game: Game) -> str:
        """Begin a file with nothing: the match is all of it."""
        return ""
