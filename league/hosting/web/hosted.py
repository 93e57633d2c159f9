"""A hosted league, as its dashboard knows it: where accounts are, and who vouches for people."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field

from starlette.requests import Request

from league.hosting.store.host_store import HostStore
from league.hosting.web.oidc import Provider
from league.web.proxies import Proxies


@dataclass(frozen=True, slots=True)
class Hosted:
    """The parts of a hosted league's dashboard besides the league's own store.

    `store` can write, and is where accounts are. `provider` signs people in by OpenID Connect.
    `play` is the socket of the process that plays against people, '' for none. `metrics_token` lets
    programs read the metrics, '' for this machine alone. `is_behind_proxy` tells that browsers come
    through one. `beat` is called every second.
    """

    store: HostStore
    _: KW_ONLY
    proxies: Proxies = field(default_factory=Proxies)
    provider: Provider | None = None
    play: str = ""
    metrics_token: str = field(default="", repr=False)
    is_behind_proxy: bool = False
    beat: Callable[[], None] = lambda: None


def hosted_of(request: Request) -> Hosted:
    """Return the hosted league that a request is for."""
    hosted: Hosted = request.app.state.hosted
    return hosted
