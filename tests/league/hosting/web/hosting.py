"""A hosted league's dashboard on a port of this machine, for tests with a browser."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from league.execution.listener import listening
from league.hosting.pages import WING
from league.hosting.store.host_store import open_host_store
from league.hosting.web.hosted import Hosted
from league.hosting.web.oidc import Provider
from league.web.app import make_app
from league.web.proxies import Proxies
from tests.waiting import wait_until


@contextmanager
def hosted(
    path: Path, *, provider: Provider | None = None, proxies: Proxies | None = None
) -> Iterator[str]:
    """Serve a league from a thread, and give its address."""
    target = str(path)
    with (
        open_host_store(target, create=True) as store,
        open_host_store(target, read_only=True, remembers=True) as shown,
        listening("127.0.0.1", 0) as listener,
    ):
        league = Hosted(store, provider=provider, proxies=proxies or Proxies())
        app = make_app(shown, "AI 2026", given={WING: league})
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="warning", proxy_headers=False, ws="none")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield f"http://localhost:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
