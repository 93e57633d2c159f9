"""Scores, seatings and options by seat in the database."""

import json
from collections.abc import Sequence


def encode_scores(scores: Sequence[float]) -> str:
    """Encode scores as the shortest text that reads back exactly: "1,0", "0.5,0.5"."""
    return ",".join(str(int(score)) if score in (0, 1) else repr(score) for score in scores)


def decode_scores(text: str) -> tuple[float, ...]:
    """Decode the output of `encode_scores`."""
    return tuple(float(part) for part in text.split(","))


def encode_seating(versions: Sequence[int]) -> str:
    """Encode version ids by seat: "3,7"."""
    return ",".join(map(str, versions))


def decode_seating(text: str) -> tuple[int, ...]:
    """Decode the output of `encode_seating`."""
    return tuple(map(int, text.split(",")))


def encode_options(options: Sequence[Sequence[tuple[str, str]]]) -> str | None:
    """Encode names and values of options by entrant; None for none at all."""
    return json.dumps(options) if options else None


def decode_options(text: str | None) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Decode the output of `encode_options`."""
    return tuple(tuple((name, value) for name, value in each) for each in json.loads(text or "[]"))
