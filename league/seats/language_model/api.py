"""The form of requests and answers of a provider."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from games.support.catalogue import Catalogue, subclass_of
from league.model.model_calls import CallFault
from league.seats.language_model.settings import ModelSettings

MOVE_SCHEMA = {
    "type": "object",
    "properties": {"move": {"type": "string"}},
    "required": ["move"],
    "additionalProperties": False,
}
"""The JSON schema of an answer."""


class ProtocolError(Exception):
    """An answer of a provider is not what its protocol says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's answer; `fault` is what the provider says of it, None if it is whole.

    `tokens_in` count the cached ones too. Tokens are None where they are not told.
    """

    text: str
    model: str
    fault: CallFault | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None


class ModelApi(ABC):
    """One form of requests; each is a module in `apis` and found there."""

    path: ClassVar[str]
    """The path below the address of the provider."""

    @classmethod
    @abstractmethod
    def headers(cls, key: str) -> tuple[tuple[str, str], ...]:
        """Return the headers of a request; the key is '' if there is none."""

    @classmethod
    @abstractmethod
    def body(cls, model: str, prompt: str, settings: ModelSettings) -> dict[str, Any]:
        """Return the request for an answer to a prompt."""

    @classmethod
    @abstractmethod
    def read(cls, answer: dict[str, Any]) -> Reply:
        """Read an answer; raise `ProtocolError`, or what a missing entry of JSON raises."""


APIS: Catalogue[type[ModelApi]] = Catalogue(
    kind="form of requests",
    package="league.seats.language_model.apis",
    attribute="API",
    group="botleague.model_apis",
    is_part=subclass_of(ModelApi),
)


def count_in(usage: Any, *names: str) -> int | None:
    """Return a number of tokens below these names; None if there is none."""
    for name in names:
        usage = usage.get(name) if isinstance(usage, dict) else None
    is_count = isinstance(usage, int) and not isinstance(usage, bool) and usage >= 0
    return usage if is_count else None


def text_of(value: Any) -> str:
    """Return a text of an answer, '' for null; raise `ProtocolError` for anything else."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ProtocolError
    return value
