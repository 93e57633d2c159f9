"""Access control: the host names that the dashboard answers to, and its token."""

import hmac
import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Self
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from league.model.errors import SetupError

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

COOKIE = "league-token"

TOKEN_MIN = 16
"""The least characters of a token, so that nobody can guess it."""

_TOKEN = re.compile(r"[A-Za-z0-9._~-]+")
_HOST = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]")
_ROOT = re.compile(r"(/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The host names, the token and the path of the dashboard.

    The dashboard answers to the names in `hosts` and to the local address of a connection. Requests
    need `token` unless it is ''. `root` is the path prefix, such as '/league'. `is_secure` says
    that browsers use https.
    """

    hosts: tuple[str, ...] = LOOPBACK
    token: str = ""
    root: str = ""
    is_secure: bool = False

    def is_known(self, host: str, local: str) -> bool:
        """Whether a Host header names this league.

        `local` is the local address of the connection. A numeric address is safe to accept: DNS
        rebinding can change the address of a name, but not that of a number.
        """
        name = host_name(host)
        if name in self.hosts:
            return True
        try:
            asked, own = ip_address(name.strip("[]")), ip_address(local.partition("%")[0])
        except ValueError:
            return False
        if isinstance(own, IPv6Address) and own.ipv4_mapped is not None:
            own = own.ipv4_mapped
        return asked == own

    def is_token(self, given: str) -> bool:
        """Compare with the token in constant time."""
        return bool(self.token) and hmac.compare_digest(given.encode(), self.token.encode())

    def has_token(self, headers: Headers) -> bool:
        """Whether a request carries the token, as a cookie or in its Authorization header."""
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self.is_token(given.strip()):
            return True
        return self.is_token(cookie_in(headers, COOKIE))


LOCAL = Access()
"""The access of a dashboard for this machine only."""


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """The address by which browsers reach the dashboard: `https://host/league`."""

    scheme: str
    netloc: str
    root: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse an address; raise `SetupError` if it is invalid."""
        try:
            parts = urlsplit(text.strip())
            host, root = host_name(parts.netloc), parts.path.rstrip("/")
            _ = parts.port
            is_plain = not (parts.query or parts.fragment or parts.username is not None)
        except ValueError:
            parts, host, root, is_plain = urlsplit(""), "", "", False
        is_web = parts.scheme in ("http", "https") and is_plain
        is_root = (
            _ROOT.fullmatch(root) and "." not in root.split("/") and ".." not in root.split("/")
        )
        if not (is_web and _HOST.fullmatch(host) and is_root):
            raise SetupError(
                f"public URL {text!r}: expected an address without a query, as in "
                "https://games.example.org/league"
            )
        return cls(parts.scheme, parts.netloc.lower(), root)

    @property
    def host(self) -> str:
        """The name of the host, without a port."""
        return host_name(self.netloc)

    @property
    def is_secure(self) -> bool:
        """Whether it is https."""
        return self.scheme == "https"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.root}/"


def read_host(text: str) -> str:
    """Return the host name as in a Host header; raise `SetupError` if it is invalid."""
    name = host_name(text.strip())
    if not _HOST.fullmatch(name):
        raise SetupError(f"host {text!r}: expected a name or address, as in games.example.org")
    return name


def check_token(token: str, source: str) -> str:
    """Return a token; raise `SetupError` if it is too short or does not fit into an address."""
    if len(token) < TOKEN_MIN or not _TOKEN.fullmatch(token):
        raise SetupError(
            f"the token of {source} does not fit: expected {TOKEN_MIN} or more letters, digits and "
            "'-', '.', '_', '~' in one line"
        )
    return token


def cookie_in(headers: Headers, name: str) -> str:
    """Return the value of a cookie, '' if there is none.

    Python's own parser takes seconds for escapes of 30 kB, and raises for odd names; no cookie of
    ours has an escape.

    >>> cookie_in(Headers({"cookie": 'a="b=="; c=d; =; c'}), "a")
    'b=='
    """
    found = ""
    for part in "; ".join(headers.getlist("cookie")).split(";"):
        key, _, value = part.partition("=")
        if key.strip() == name:
            found = value.strip().strip('"')
    return found


def host_name(host: str) -> str:
    """Return a Host header without its port.

    >>> host_name("Localhost:8000"), host_name("[::1]:80"), host_name("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() and name and not name.endswith(":") else host).lower()
