"""The address that a run calls when a tournament is finished."""

from dataclasses import dataclass, field
from typing import Self

from league.model.errors import SetupError
from league.model.web_address import is_web_address


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that takes POST requests of JSON, and the secret that signs them, '' for none."""

    url: str
    secret: str = field(default="", repr=False)

    @classmethod
    def read(cls, url: str, secret: str = "") -> Self:
        """Make one of its address; raise `SetupError` unless that is of http or https."""
        if not is_web_address(url):
            raise SetupError(
                f"webhook {url!r}: expected an address of http or https, as in "
                "https://example.org/hook"
            )
        return cls(url, secret)
