"""Reading a model's answer: one field of one object, which may be in a code fence."""

import json
import re

from games.support.errors import MoveError
from games.support.game import State
from games.support.moves import WireMove, encode_move
from league.model.model_calls import CallFault

ANSWER_MAX = 20_000
"""An answer of more characters is not read, and cut where it is kept."""


def read_answer(state: State, text: str) -> WireMove | CallFault:
    """Return the move that an answer names, or why there is none."""
    if not text.strip():
        return CallFault.EMPTY
    named = _named(text) if len(text) < ANSWER_MAX else None
    if named is None:
        return CallFault.UNREADABLE
    try:
        return encode_move(state, state.parse(named))
    except MoveError:
        return CallFault.ILLEGAL


_FENCED = re.compile(r"\s*```(?:json)?\s*(\{.*\})\s*```\s*", re.DOTALL | re.IGNORECASE)
"""A code fence around all of an answer, which is no text around it: many models write one."""


def _named(text: str) -> str | None:
    """Return the field `move` of an answer; None if it is no such object."""
    fenced = _FENCED.fullmatch(text)
    try:
        answer = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    named = answer.get("move") if isinstance(answer, dict) else None
    if isinstance(named, int) and not isinstance(named, bool):
        return str(named)
    return named if isinstance(named, str) else None
