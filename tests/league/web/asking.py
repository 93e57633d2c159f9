"""Asking the dashboard's application without a server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

from league.store.store import Store
from league.web.access import LOCAL, Access
from league.web.app import make_app


def ask(
    store: Store,
    address: str,
    *,
    method: str = "GET",
    access: Access = LOCAL,
    body: str = "",
    **headers: str,
) -> tuple[int, str, dict[str, str]]:
    """Ask for an address; return the status, the text and the headers of the answer.

    In names of `headers` an underline stands for a hyphen.
    """
    given = {"host": "localhost"}
    given |= {name.replace("_", "-"): each for name, each in headers.items()}
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), each.encode()) for name, each in given.items()],
        "server": ("127.0.0.1", 80),
    }
    sent: list[dict[str, Any]] = []

    received = [{"type": "http.request", "body": body.encode()}] if body else []

    async def receive() -> dict[str, Any]:
        if "/static/" in path:
            # A file is sent for as long as somebody listens; only a stream has to be left.
            await asyncio.Event().wait()
        return received.pop() if received else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(dict(message))

    def run() -> None:
        asyncio.run(make_app(store, "league", access)(scope, receive, send))

    # In a thread of its own: that of a test may have the loop of a browser.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(run).result()
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return sent[0]["status"], text, headers
