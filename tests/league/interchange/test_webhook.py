"""What a webhook gets, from whom, and how often."""

import atexit
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from league.api.league import League
from league.interchange import webhook
from league.interchange.webhook import SIGNATURE, Delivery, send, send_later, signature
from league.model.errors import SetupError
from league.model.webhook import Webhook
from league.tournament.run_options import RunOptions
from tests.league.command import league

SECRET = "a secret of this test"  # noqa: S105 (a test's own)
NEWS = Delivery("tournament.finished", "1", b'{"a":1}')


@dataclass
class Hook:
    """A server that takes what it gets, and answers with these statuses, the last one for ever."""

    url: str
    statuses: list[int]
    heads: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)


@contextmanager
def hooked(*statuses: int) -> Iterator[Hook]:
    """Serve a webhook at the loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            hook.heads.append({name.lower(): value for name, value in self.headers.items()})
            hook.bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(hook.statuses.pop(0) if len(hook.statuses) > 1 else hook.statuses[0])
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        hook = Hook(f"http://127.0.0.1:{server.server_port}/hook", list(statuses or (200,)))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield hook
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statuses", "tries", "reason"),
    [
        ((204,), 1, ""),
        ((500, 503, 200), 3, ""),
        ((429, 408, 201), 3, ""),
        ((404,), 1, "status 404"),
        ((302,), 1, "status 302"),
        ((500,), 4, "status 500, 4 times"),
    ],
)
def test_what_may_pass_is_tried_again(statuses: tuple[int, ...], tries: int, reason: str) -> None:
    pauses: list[float] = []
    with hooked(*statuses) as hook:
        assert send(Webhook.read(hook.url), NEWS, pauses.append) == reason
    assert len(hook.bodies) == tries
    assert {each["x-botleague-delivery"] for each in hook.heads} == {"1"}
    assert pauses == list(webhook.WAITS_S[: tries - 1])
    assert SIGNATURE.lower() not in hook.heads[0]


@pytest.mark.slow
def test_nobody_listens() -> None:
    with hooked() as hook:
        pass
    assert "refused" in send(Webhook.read(hook.url), NEWS, lambda _: None)


@pytest.mark.slow
def test_a_body_is_signed() -> None:
    with hooked() as hook:
        assert send(Webhook.read(hook.url, SECRET), NEWS) == ""
    expected = hmac.new(SECRET.encode(), NEWS.body, hashlib.sha256).hexdigest()
    assert hook.heads[0][SIGNATURE.lower()] == f"sha256={expected}"
    assert hook.heads[0]["content-type"] == "application/json"
    assert SECRET not in repr(Webhook.read(hook.url, SECRET))
    # Test case 2 of RFC 4231.
    assert signature("Jefe", b"what do ya want for nothing?") == (
        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.org",
        "example.org",
        "http://",
        "https://a b/",
        "http://x:y",
    ],
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(SetupError, match="webhook"):
        Webhook.read(url)


@pytest.mark.slow
def test_a_failure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[Callable[[], None]] = []
    monkeypatch.setattr(atexit, "register", waits.append)
    told: list[str] = []
    with hooked(403) as hook:
        send_later(Webhook.read(hook.url), [NEWS], told.append)
        # What a program does as it ends.
        waits[0]()
    assert told == ["warning: the webhook did not take 'tournament.finished': status 403"]


@pytest.mark.slow
def test_a_run_tells_of_its_end_and_of_a_new_leader(tmp_path: Path) -> None:
    with hooked() as hook, League(tmp_path / "cup.db") as cup:
        cup.register("strong", "alphabeta", check=False)
        cup.register("weak", "random", check=False)
        options = RunOptions(workers=1, webhook=Webhook.read(hook.url, SECRET))
        settings: dict[str, Any] = {"depth": 2, "seed": 1, "rounds": 3, "progress": False}
        cup.run("tictactoe", bots=["strong", "weak"], options=options, **settings)
        _wait_for_webhooks()
        kinds = [json.loads(body) for body in hook.bodies]
        assert [each["event"] for each in kinds] == ["tournament.finished", "leader.changed"]
        assert [each["league"] for each in kinds] == ["cup", "cup"]
        assert kinds[0]["tournament"]["tournament"] == 1
        assert [each["bot"] for each in kinds[0]["standings"]] == ["strong", "weak"]
        assert (kinds[1]["bot"], kinds[1]["before"]) == ("strong", None)
        for head, body in zip(hook.heads, hook.bodies, strict=True):
            assert head[SIGNATURE.lower()] == signature(SECRET, body)
        # Nothing is left to play, and nothing to tell.
        cup.resume(1, progress=False, options=options)
        cup.run("tictactoe", bots=["strong", "weak"], options=options, **settings | {"seed": 2})
        _wait_for_webhooks()
        events = [json.loads(body)["event"] for body in hook.bodies[2:]]
        assert events == ["tournament.finished"]


def _wait_for_webhooks() -> None:
    for thread in threading.enumerate():
        if thread.name == "webhook":
            thread.join()


def test_wrong_options_leave_no_tournament(tmp_path: Path) -> None:
    league(tmp_path, "register", "rnd", "random", "--no-check")
    run = ("run", "--game", "tictactoe", "--bots", "rnd,greedy", "--depth", "1", "--quiet")
    assert "webhook" in league(tmp_path, *run, "--webhook", "file:///x", code=1)
    alone = league(tmp_path, *run, "--webhook-secret-file", "x", code=2)
    assert "give --webhook" in alone
    lacking = league(
        tmp_path, *run, "--webhook", "http://127.0.0.1:1/", "--webhook-secret-file", "x", code=1
    )
    assert "can't read the secret" in lacking
    assert json.loads(league(tmp_path, "tournaments", "--json")) == []
