"""The web process of a host: the dashboard with its people, over two openings of the database."""

import logging
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from league.hosting.pages import WING
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.supervisor.options import HostOptions
from league.hosting.web.hosted import Hosted
from league.hosting.web.oidc import Provider
from league.model.errors import SetupError
from league.web.access import PublicUrl, read_host
from league.web.proxies import NEAR, Proxies
from league.web.server import Service, is_loopback
from league.web.server import serve as serve_pages

_log = logging.getLogger("league.hosting.supervisor")

LISTENS = "listens"
"""The key in the state of the web process that tells that it answers."""


def name_of(store: HostStore) -> str:
    """Return the name of the newest season, which titles the pages; 'league' without one."""
    season = store.seasons.get()
    return "league" if season is None else season.settings.name


def service_of(options: HostOptions, name: str) -> Service:
    """Return where the web listens, and to which names it answers; raise `SetupError`."""
    return Service(
        name=name,
        host=options.host,
        port=options.port,
        public=PublicUrl.read(options.public_url) if options.public_url else None,
        allowed=tuple(map(read_host, options.allowed)),
    )


def proxies_of(options: HostOptions) -> Proxies:
    """Return the proxies that tell where a request comes from; raise `SetupError`.

    With a public address and nothing else said, the proxy is on this machine.
    """
    is_near = bool(options.public_url) and is_loopback(options.host)
    usual = NEAR if is_near and not options.trusted_header else ()
    return Proxies.read(options.trusted_from or usual, options.trusted_header)


def provider_of(options: HostOptions) -> Provider | None:
    """Return the provider of OpenID Connect, None without one; raise `SetupError`."""
    if not options.oidc_issuer:
        if options.oidc_client or options.oidc_secret:
            raise SetupError("the provider's address is missing: give --oidc-issuer URL")
        return None
    if not options.oidc_secret:
        raise SetupError("the league's secret is missing: give --oidc-secret-file FILE")
    return Provider(
        options.oidc_issuer, options.oidc_client, options.oidc_secret, options.oidc_name
    )


def serve(
    store: HostStore,
    options: HostOptions,
    listener: socket.socket,
    beat: Callable[[Mapping[str, Any] | None], None],
) -> None:
    """Answer until SIGTERM; pages are read from a store of their own that can't write."""
    name = name_of(store)
    hosted = Hosted(
        store,
        proxies=proxies_of(options),
        provider=provider_of(options),
        play=options.play,
        metrics_token=options.metrics_token,
        is_behind_proxy=bool(options.public_url),
        beat=lambda: beat(None),
    )

    def listens(link: str) -> None:
        _log.info("listens at %s", link)
        beat({LISTENS: True})

    with open_host_store(options.target, read_only=True, remembers=True) as pages:
        serve_pages(
            pages,
            replace(service_of(options, name), proxies=hosted.proxies, given={WING: hosted}),
            listener,
            tell=lambda text: _log.warning("%s", text),
            on_ready=listens,
        )
