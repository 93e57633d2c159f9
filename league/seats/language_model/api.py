"""The form of requests and answers of a provider."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

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


COUNT_MAX = 10**12
"""A larger number of tokens is none."""


class ProtocolError(Exception):
    """An answer of a provider is not what its protocol says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A model's answer; `fault` is what the provider says of it, None if it is whole."""

    text: str
    model: str
    fault: CallFault | None = None


class Usage(NamedTuple):
    """The tokens of a call, None where they are not told; `tokens_in` count the cached ones too."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None

    @property
    def is_counted(self) -> bool:
        """Whether the tokens are known whose number makes the cost."""
        return None not in (self.tokens_in, self.tokens_out)


UNTOLD = Usage()
"""The tokens of a call of which nothing is known."""


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

    @classmethod
    @abstractmethod
    def usage(cls, answer: Any) -> Usage:
        """Return the tokens that any answer of JSON tells, even one that can't be read."""


APIS: Catalogue[type[ModelApi]] = Catalogue(
    kind="form of requests",
    package="league.seats.language_model.apis",
    attribute="API",
    group="botleague.model_apis",
    is_part=subclass_of(ModelApi),
)


def count_in(answer: Any, *names: str) -> int | None:
    """Return a number of tokens below these names; None if there is none that can be."""
    found = answer
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    is_count = isinstance(found, int) and not isinstance(found, bool)
    return found if is_count and 0 <= found <= COUNT_MAX else None


def text_of(value: Any) -> str:
    """Return a text of an answer, '' for null; raise `ProtocolError` for anything else."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ProtocolError
    return value
