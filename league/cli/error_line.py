"""Errors that a user can mend, in one line."""

from games.support.errors import InputError
from games.support.printable import printable
from games.support.references import place_in_game


def error_line(error: Exception) -> str | None:
    """Say in a line what a user can mend; None where it is the league that is wrong."""
    if isinstance(error, InputError):
        return printable(str(error), keep_lines=True)
    where = place_in_game(error)
    # A user's own game: its line is what helps, not the way there.
    return None if where is None else f"the game fails: {printable(where)}"
