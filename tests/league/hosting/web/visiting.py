"""A visitor of a hosted league's dashboard, with cookies and forms as a browser has them."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import httpx
from starlette.applications import Starlette


@dataclass(slots=True)
class Visitor:
    """Asks an application without a server; `cookies` are kept from answer to answer."""

    app: Starlette
    base: str = "http://localhost"
    address: str = "192.0.2.1"
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: object = None,
        **headers: str,
    ) -> httpx.Response:
        """Ask for a path; in names of `headers` an underline stands for a hyphen."""
        given = {name.replace("_", "-"): text for name, text in headers.items()}

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=(self.address, 4000))
            async with httpx.AsyncClient(
                transport=transport, base_url=self.base, cookies=self.cookies
            ) as client:
                content = body if isinstance(body, bytes) else None
                data: Any = None if isinstance(body, bytes) else body
                answer = await client.request(
                    method, path, data=data, content=content, headers=given
                )
                self.cookies = client.cookies
                return answer

        # In a thread of its own: that of a test may have the loop of a browser.
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(asyncio.run, asked()).result()

    def ask_raw(self, path: str, body: bytes, kind: str, **headers: str) -> httpx.Response:
        """Send bytes of a content type."""
        return self.ask(path, "POST", body, content_type=kind, **headers)

    def token(self, path: str) -> str:
        """Return the token of the forms on a page."""
        found = re.search(r'name="token" value="([0-9a-f]+)"', self.ask(path).text)
        assert found is not None
        return found[1]

    def post(self, path: str, page: str = "", **fields: str) -> httpx.Response:
        """Send a form as the page at `page`, or at the same path, has it."""
        return self.ask(path, "POST", {"token": self.token(page or path), **fields})

    def sign_in(self, login: str, password: str) -> httpx.Response:
        """Sign in by the form."""
        return self.post("/sign-in", login=login, password=password)

    def login(self) -> str:
        """Return who is signed in, '' for nobody."""
        answer = self.ask("/api/me")
        return str(answer.json()["login"]) if answer.status_code == 200 else ""
