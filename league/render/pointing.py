"""The meaning of a press on a board, on every page with a board."""

from collections.abc import Collection, Sequence


def has_own_columns(columns: Sequence[Collection[int]]) -> bool:
    """Whether each move is in one column and shares it with no other, given the columns of each.

    Then any place of the column stands for the move.

    >>> has_own_columns([{1}, {2}]), has_own_columns([{1}, {1}]), has_own_columns([{1, 2}])
    (True, False, False)
    """
    return all(len(each) == 1 for each in columns) and len(set().union(*columns)) == len(columns)
