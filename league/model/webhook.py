"""The address that a run calls when a tournament is finished."""

from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from league.model.errors import SetupError


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that takes POST requests of JSON, and the secret that signs them, '' for none."""

    url: str
    secret: str = field(default="", repr=False)

    @classmethod
    def read(cls, url: str, secret: str = "") -> Self:
        """Make one of its address; raise `SetupError` unless that is of http or https."""
        try:
            parts = urlsplit(url)
            _ = parts.port
            is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
            is_web &= parts.username is None and url.isascii() and url.isprintable()
            is_web &= " " not in url
        except ValueError:
            is_web = False
        if not is_web:
            raise SetupError(
                f"webhook {url!r}: expected an address of http or https, as in "
                "https://example.org/hook"
            )
        return cls(url, secret)
