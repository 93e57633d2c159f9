"""Counts with their nouns."""


def noun_for(count: float, noun: str) -> str:
    """Return a noun in the number that a count needs.

    >>> noun_for(1, "match"), noun_for(0, "match"), noun_for(2, "ply"), noun_for(0.5, "point")
    ('match', 'matches', 'plies', 'points')
    """
    if count == 1:
        return noun
    if noun.endswith(("ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("ly") else f"{noun}s"


def counted(count: int, noun: str) -> str:
    """Write a count with its noun.

    >>> counted(1, "cut"), counted(1200, "match")
    ('1 cut', '1,200 matches')
    """
    return f"{count:,} {noun_for(count, noun)}"
