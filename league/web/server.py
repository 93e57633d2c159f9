"""The dashboard's server: where it listens, and what it tells when it does."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette

from league.execution.listener import ACCEPTED_AT_ONCE
from league.store.store import Store
from league.tournament.watch_mark import remove_old_marks
from league.web.access import LOOPBACK, Access, PublicUrl
from league.web.app import make_app, warm
from league.web.connections import (
    HEADER_MAX,
    BoundedProtocol,
    bounded,
    connections_max,
    say_once,
)
from league.web.play_host import PlayHost
from league.web.proxies import NEAR, Proxies

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (names of it)

_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation (RFC 5737, RFC 3849): nothing is sent there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The options of `league serve`.

    `name` is the league's, for its pages. `public` is the address by which browsers reach it
    through a proxy, None for directly; `allowed` are further names of hosts. `token` is '' where
    everybody may see it. `proxies` are those in front of it, None for the usual one: on this
    machine, where there is a public address. `given` has what packages are given that add pages.
    """

    name: str
    host: str
    port: int
    token: str = ""
    public: PublicUrl | None = None
    allowed: tuple[str, ...] = ()
    proxies: Proxies | None = None
    given: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_local(self) -> bool:
        """Whether this machine alone reaches it."""
        return is_loopback(self.host) and self.public is None and not self.allowed

    @property
    def access(self) -> Access:
        """Return the rules of access."""
        hosts = [*LOOPBACK, *self.allowed]
        if not is_loopback(self.host):
            hosts += [bracketed(self.host), socket.gethostname().lower()]
        if self.public is None:
            return Access(hosts=tuple(hosts), token=self.token)
        return Access(
            hosts=(*hosts, self.public.host),
            token=self.token,
            root=self.public.root,
            is_secure=self.public.is_secure,
        )

    def source(self, scope: Mapping[str, Any]) -> str:
        """Return whose requests count together, '' if that is not known."""
        proxies = self.proxies
        if proxies is None:
            proxies = Proxies.read(NEAR if self.public and is_loopback(self.host) else ())
        if self.public is not None and not proxies.networks:
            # All visitors would count as the proxy that nobody has named.
            return ""
        return proxies.source(scope)

    def link(self, port: int) -> str:
        """Return the address to open, with the token: one that others reach where they may."""
        query = f"?token={self.token}" if self.token else ""
        if self.public is not None:
            return f"{self.public}{query}"
        host = own_address(self.host) if self.host in EVERYWHERE else self.host
        return f"http://{bracketed(host)}:{port}/{query}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    return host in ("localhost", "::1") or host.startswith("127.")


def bracketed(host: str) -> str:
    """Return a host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def own_address(host: str) -> str:
    """Return an address of this machine that others in its network reach, else its loopback."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for each in (family, socket.AF_INET):
        # The system chooses a route, and sends nothing.
        with contextlib.suppress(OSError), socket.socket(each, socket.SOCK_DGRAM) as asking:
            asking.connect((_ELSEWHERE[each], 9))
            return str(asking.getsockname()[0])
    return "127.0.0.1"


def serve(
    store: Store,
    service: Service,
    listener: socket.socket,
    *,
    tell: Callable[[str], None],
    on_ready: Callable[[str], None],
    host: PlayHost | None = None,
) -> None:
    """Answer until Ctrl-C; `on_ready` gets the link, `tell` a line that people should read.

    People can play the matches of a `host`, which end here.
    """
    remove_old_marks(store.path)
    most = connections_max()
    streams_max = max(1, most // 2)
    app = make_app(store, service.name, service.access, streams_max, host, service.given)

    async def begin() -> None:
        # Before the link is shown: whoever follows it at once must not wait.
        await warm(app)
        on_ready(service.link(listener.getsockname()[1]))

    protocol = bounded(most, service.source)
    serve_app(app, listener, protocol, tell=tell, begin=begin, host=host)


def serve_app(
    app: Starlette,
    listener: socket.socket,
    protocol: type[BoundedProtocol],
    *,
    tell: Callable[[str], None],
    begin: Callable[[], Awaitable[None]],
    host: PlayHost | None = None,
) -> None:
    """Answer until Ctrl-C, within the limits of a protocol, after awaiting `begin()`.

    `tell` gets a line that people should read. The matches of a `host` end here.
    """
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        backlog=ACCEPTED_AT_ONCE,
        h11_max_incomplete_event_size=HEADER_MAX,
        log_level="warning",
        timeout_graceful_shutdown=1,
        server_header=False,
        # The protocol asks `Proxies`, which must see the address of the proxy itself.
        proxy_headers=False,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            say_once(tell)
            await super().startup(sockets)
            await begin()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if host:
                # Before the requests that wait for a bot's move: they end with it.
                await asyncio.to_thread(host.close)
            await super().shutdown(sockets)

    # Ctrl-C is how it ends, and no failure.
    with contextlib.suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listener])
