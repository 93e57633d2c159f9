"""Who may see the dashboard, and at which address."""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from ipaddress import IPv6Address, ip_address
from typing import Self
from urllib.parse import urlsplit

from league.model.errors import SetupError

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

COOKIE = "league-token"

TOKEN_MIN = 16
"""A token has at least so many characters, so that nobody guesses it."""

_TOKEN = re.compile(r"[A-Za-z0-9._~-]+")
_HOST = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]")
_ROOT = re.compile(r"(/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """To whom the dashboard answers.

    `hosts` are the names that it answers to, beside the address at which a connection came in.
    `token` is what others must bring, '' for nothing. `root` is the path below which it is served,
    as in '/league', and `is_secure` tells that browsers reach it by https.
    """

    hosts: tuple[str, ...] = LOOPBACK
    token: str = ""
    root: str = ""
    is_secure: bool = False

    def is_known(self, host: str, local: str) -> bool:
        """Whether a Host header names this league.

        `local` is the address of this machine at which the connection came in. To ask by it is
        safe: a page elsewhere can give its own name another address, but an address none.
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
        """Whether that is the token, in a time that tells nothing about it."""
        return bool(self.token) and hmac.compare_digest(given.encode(), self.token.encode())

    def has_token(self, headers: Mapping[str, str]) -> bool:
        """Whether a request carries the token, as a cookie or in its Authorization header."""
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self.is_token(given.strip()):
            return True
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        return COOKIE in cookies and self.is_token(cookies[COOKIE].value)


LOCAL = Access()
"""For this machine alone."""


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """The address by which browsers reach the dashboard: `https://host/league`."""

    scheme: str
    netloc: str
    root: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Read an address; raise `SetupError` for one that is none."""
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
    """Return the name of a host as requests carry it; raise `SetupError` for none."""
    name = host_name(text.strip())
    if not _HOST.fullmatch(name):
        raise SetupError(f"host {text!r}: expected a name or address, as in games.example.org")
    return name


def check_token(token: str, source: str) -> str:
    """Return a token; raise `SetupError` for one that is short, or can't stand in an address."""
    if len(token) < TOKEN_MIN or not _TOKEN.fullmatch(token):
        raise SetupError(
            f"the token of {source} does not fit: expected {TOKEN_MIN} or more letters, digits and "
            "'-', '.', '_', '~' in one line"
        )
    return token


def host_name(host: str) -> str:
    """Return a Host header without its port.

    >>> host_name("Localhost:8000"), host_name("[::1]:80"), host_name("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() and name and not name.endswith(":") else host).lower()
