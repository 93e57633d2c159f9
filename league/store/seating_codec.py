"""Scores and seatings as the database holds them."""

from collections.abc import Sequence


def encode_scores(scores: Sequence[float]) -> str:
    """Write scores as short as they can be read back exactly: "1,0", "0.5,0.5"."""
    return ",".join(str(int(score)) if score in (0, 1) else repr(score) for score in scores)


def decode_scores(text: str) -> tuple[float, ...]:
    """Read scores that `encode_scores` wrote."""
    return tuple(float(part) for part in text.split(","))


def encode_seating(versions: Sequence[int]) -> str:
    """Write version ids by seat: "3,7"."""
    return ",".join(map(str, versions))


def decode_seating(text: str) -> tuple[int, ...]:
    """Read version ids that `encode_seating` wrote."""
    return tuple(map(int, text.split(",")))
