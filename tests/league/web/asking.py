"""Asking the dashboard's application without a server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

from league.store.store import Store
from league.web.app import make_app


def ask(store: Store, address: str) -> tuple[int, str, dict[str, str]]:
    """Ask for an address; return the status, the text and the headers of the answer."""
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost")],
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(dict(message))

    def run() -> None:
        asyncio.run(make_app(store, "league")(scope, receive, send))

    # In a thread of its own: that of a test may have the loop of a browser.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(run).result()
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return sent[0]["status"], text, headers
