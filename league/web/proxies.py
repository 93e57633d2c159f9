"""Reverse proxies in front of the dashboard, and whom they say a request comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Self

from starlette.datastructures import Headers
from starlette.requests import Request

from league.model.errors import SetupError
from league.model.network import network_of

Network = IPv4Network | IPv6Network

NEAR = ("127.0.0.1", "::1")
"""The addresses of a proxy on this machine."""


@dataclass(frozen=True, slots=True)
class Proxies:
    """The addresses of reverse proxies, and the header in which they name who has signed in.

    `header` is '' where they name nobody.
    """

    networks: tuple[Network, ...] = ()
    header: str = ""

    @classmethod
    def read(cls, addresses: Sequence[str], header: str = "") -> Self:
        """Read addresses or networks; raise `SetupError` for one that is none.

        A header needs an address: anybody could send it otherwise.
        """
        networks = []
        for each in addresses:
            try:
                networks.append(ip_network(each.strip(), strict=False))
            except ValueError:
                text = f"address {each!r}: expected one like 127.0.0.1 or 10.0.0.0/8"
                raise SetupError(text) from None
        if any(each.prefixlen == 0 for each in networks):
            raise SetupError("this trusts every address: name those of your proxy")
        if header and not networks:
            raise SetupError("a trusted header needs the address of its proxy (--trust-from)")
        is_name = header.replace("-", "").isalnum() and header.isascii()
        if header and (not is_name or header.lower() in _TAKEN):
            raise SetupError(f"header {header!r}: expected a name like X-Remote-User")
        return cls(tuple(networks), header.lower())

    def has(self, address: str) -> bool:
        """Whether a request from this address comes from a proxy."""
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            return self.has(str(found.ipv4_mapped))
        return any(found in each for each in self.networks)

    def origin(self, scope: Mapping[str, Any]) -> str:
        """Return the address that a request comes from, '' if that is not known.

        A proxy adds the address of whoever asks it to the end of X-Forwarded-For.
        """
        peer = (scope.get("client") or ("",))[0]
        if not self.has(peer):
            return str(peer)
        told = ",".join(Headers(raw=scope["headers"]).getlist("x-forwarded-for")).split(",")
        hops = [each.strip() for each in told if each.strip()]
        return next((each[:45] for each in reversed(hops) if not self.has(each)), "")

    def source(self, scope: Mapping[str, Any]) -> str:
        """Return the network whose requests count together, '' if that is not known."""
        return network_of(self.origin(scope))

    def login(self, request: Request) -> str:
        """Return the login that a proxy vouches for, '' for none."""
        peer = "" if request.client is None else request.client.host
        if not self.header or not self.has(peer):
            return ""
        found = request.headers.getlist(self.header)
        # Two of them: one is not the proxy's.
        return found[0].strip() if len(found) == 1 else ""


_TAKEN = frozenset({"host", "cookie", "authorization", "origin", "x-forwarded-for", "content-type"})
