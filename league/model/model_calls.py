"""Calls of language models, as the league's books keep them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class CallFault(StrEnum):
    """Why a call brought no move.

    An `UNANSWERED` one is under way, or its answer was lost with the process that waited for it. An
    `UNREAD` one may have been answered, and paid for, but its answer can't be read. A call with a
    `PROVIDER` error costs nothing.
    """

    ILLEGAL = "illegal"
    UNREADABLE = "unreadable"
    CUT_OFF = "cut off"
    EMPTY = "empty"
    REFUSED = "refused"
    LATE = "late"
    UNREAD = "unread"
    PROVIDER = "provider error"
    UNANSWERED = "unanswered"

    @property
    def is_of_model(self) -> bool:
        """Whether the fault is the model's own."""
        return self not in (CallFault.UNREAD, CallFault.PROVIDER, CallFault.UNANSWERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call of a model, and its answer.

    `ply` is the number of plies before it, and `attempt` counts the tries for one move from 0.
    `digest` stands for everything that was asked. `model` is the name that the answer has.
    `fault` is None if the answer was a move. Tokens are None where the provider does not tell them,
    and `cost` without a price table. `parameters` is an object of JSON.
    """

    ply: int
    seat: int
    attempt: int
    version: int
    digest: str
    prompt: str
    answer: str = ""
    fault: CallFault | None = None
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    cost: float | None = None
    latency_ms: int = 0
    parameters: str = "{}"

    @property
    def tokens(self) -> int:
        """The tokens in and out, as far as they are known."""
        return (self.tokens_in or 0) + (self.tokens_out or 0)


def cost_of(calls: Iterable[ModelCall]) -> float:
    """Return the cost of calls, as far as it is known."""
    return sum(call.cost or 0.0 for call in calls)
