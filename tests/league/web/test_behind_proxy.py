"""The dashboard behind a real nginx and a real Caddy, with TLS and below a path; its service."""

import grp
import os
import pwd
import re
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.league.command import league
from tests.league.web.serving import served
from tests.paths import ROOT
from tests.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAME, PREFIX = "localhost", "/course/league"
TOKEN = "0123456789abcdefgh"  # noqa: S105 (a test's own)

FILES = ("-keyout", "key.pem", "-out", "certificate.pem")

MAIN = """\
daemon off;
user {user};
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl;
    server_name games.example.org;
    ssl_certificate {folder}/certificate.pem;
    ssl_certificate_key {folder}/key.pem;
{location}
  }}
}}
"""


CADDY = """\
{{
  admin off
  auto_https off
}}
{site}
"""


def documented(begin: str, end: str = "}") -> str:
    """Return the first example of docs/how-to/deploy.md from a line that begins so to its end."""
    text = (ROOT / "docs" / "how-to" / "deploy.md").read_text("utf-8")
    found = re.search(rf"^{re.escape(begin)}.*?^{re.escape(end)}$", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[0]


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


def program(name: str) -> str:
    """Return the path of a program; skip the test where this machine has none."""
    path = os.environ.get("PATH", os.defpath)
    found = shutil.which(name, path=f"{path}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"no {name} on this machine")
    return found


def location_of(inner: str, slash: str = "") -> str:
    """Return the location of the docs, for the address of a dashboard."""
    location = documented("location ").replace("/league/", f"{PREFIX}/")
    return location.replace("http://127.0.0.1:8000", f"http://{inner}{slash}")


def nginx(folder: Path, location: str, port: int) -> list[str | Path]:
    """Write nginx's configuration; return its command."""
    config = folder / "nginx.conf"
    config.write_text(MAIN.format(folder=folder, port=port, location=location, user=_user()))
    return [program("nginx"), "-c", config, "-p", folder, "-e", folder / "error.log"]


def caddy(folder: Path, inner: str, port: int) -> list[str | Path]:
    """Write Caddy's configuration, with the site of the docs; return its command."""
    site = documented("games.example.org {").replace("/league/", f"{PREFIX}/")
    keys = f"  bind 127.0.0.1\n  tls {folder}/certificate.pem {folder}/key.pem\n"
    site = site.replace("games.example.org {\n", f"https://{NAME}:{port} {{\n{keys}")
    config = folder / "Caddyfile"
    config.write_text(CADDY.format(site=site.replace("127.0.0.1:8000", inner)))
    return [program("caddy"), "run", "--config", config, "--adapter", "caddyfile"]


@contextmanager
def proxied(folder: Path, command: list[str | Path], port: int) -> Iterator[None]:
    """Run a proxy with a certificate of its own until the end of a test."""
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
    subprocess.run(
        [program("openssl"), *made.split(), f"subjectAltName=DNS:{NAME}", *FILES],
        cwd=folder,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    # Caddy keeps its state in the home folder otherwise.
    homes = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder))
    log = folder / "error.log"
    with (
        log.open("ab") as complaints,
        subprocess.Popen(command, stderr=complaints, env={**os.environ, **homes}) as server,
    ):
        try:
            wait_until(lambda: _listens(port) or server.poll() is not None)
            assert server.poll() is None, log.read_text()
            yield
        finally:
            server.terminate()
            server.wait()


def _user() -> str:
    """Return who writes nginx's scratch files: whoever tests, with their group."""
    return f"{pwd.getpwuid(os.geteuid()).pw_name} {grp.getgrgid(os.getegid()).gr_name}"


def _listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with a match."""
    found = tmp_path_factory.mktemp("league")
    league(found, "register", "rnd", "random", "--no-check")
    league(found, "register", "one", "greedy", "--no-check")
    run = ("run", "--game", "tictactoe", "--bots", "all", "--depth", "1", "--seed", "1", "--quiet")
    league(found, *run)
    (found / "token").write_text(f"{TOKEN}\n")
    (found / "token").chmod(0o600)
    return found


@pytest.fixture(
    scope="module",
    params=[
        "nginx",
        pytest.param("nginx that cuts the path", marks=pytest.mark.slow),
        pytest.param("caddy", marks=pytest.mark.slow),
    ],
)
def link(
    request: pytest.FixtureRequest, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Serve it behind a proxy that leaves the path as it is, or cuts the prefix off."""
    port = free_port()
    public = f"https://{NAME}:{port}{PREFIX}"
    given = ("--public-url", public, "--token-file", "token")
    with served(folder, *given) as own:
        inner = re.sub(r"/.*", "", own.removeprefix("http://"))
        scratch = tmp_path_factory.mktemp("proxy")
        if request.param == "caddy":
            command = caddy(scratch, inner, port)
        else:
            command = nginx(
                scratch, location_of(inner, "/" if "cuts" in request.param else ""), port
            )
        with proxied(scratch, command, port):
            yield public


def opener(folder: Path) -> urllib.request.OpenerDirector:
    """Return what asks as a browser does, with cookies; it takes any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=context),
        urllib.request.HTTPCookieProcessor(CookieJar()),
    )


@pytest.mark.slow
def test_every_page_is_found_by_its_links(folder: Path, link: str) -> None:
    asking = opener(folder)
    host = link.removesuffix(PREFIX)
    with asking.open(f"{link}/bots?q=on&token={TOKEN}") as answer:
        assert answer.url == f"{link}/bots?q=on"
    with asking.open(f"{link}/bots?q=one") as answer:
        assert answer.url == f"{link}/bots/one"
    ahead, seen = [f"{PREFIX}/"], set[str]()
    for address in ahead:
        kind = re.sub(r"\d+|\?.*", "", address)
        if kind in seen:
            continue
        seen.add(kind)
        try:
            with asking.open(host + address) as answer:
                kind = answer.headers.get_content_type()
                text = answer.read().decode() if kind == "text/html" else ""
        except urllib.error.HTTPError as error:
            with error:
                pytest.fail(f"{address} answers {error.code}")
        found = re.findall(r'(?:href|src|action|data-[a-z-]+)="(/[^"#]*)', text)
        assert [each for each in found if not each.startswith(f"{PREFIX}/")] == [], address
        ahead += [each.replace("&amp;", "&") for each in found]
    assert {f"{PREFIX}/tournaments/", f"{PREFIX}/matches/", f"{PREFIX}/static/style.css"} <= seen
    with asking.open(f"{link}/api/matches?limit=1") as answer:
        assert f"<{PREFIX}/api/matches?limit=1&before=" in answer.headers["link"]


def test_a_browser_keeps_the_place_in_a_link(browser: "Browser", link: str) -> None:
    context = browser.new_context(ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(f"{link}/matches/1?a=b#3")
        page.fill("#token", "wrong, and long enough")
        page.keyboard.press("Enter")
        page.wait_for_selector("[role=alert]")
        page.fill("#token", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector("h1:not(#head)")
        assert page.url.startswith(f"{link}/matches/1?a=b#3")
        (cookie,) = context.cookies()
        kept = (cookie["secure"], cookie["httpOnly"], cookie["sameSite"], cookie["path"])
        assert kept == (True, True, "Lax", PREFIX)
        context.clear_cookies()
        page.goto(f"{link}/matches/1?token={TOKEN}&a=b#3")
        assert page.url.startswith(f"{link}/matches/1?a=b#3")
    finally:
        context.close()


def test_a_stream_comes_through_at_once(folder: Path, link: str) -> None:
    asking = opener(folder)
    with asking.open(f"{link}/bots?token={TOKEN}"):
        pass
    # The tournament is over: its stream begins, tells all and ends.
    with asking.open(f"{link}/events?topic=tournament/1", timeout=PATIENCE_S) as answer:
        assert answer.readline().startswith(b": hello")


@pytest.mark.slow
def test_systemd_takes_the_documented_unit(tmp_path: Path) -> None:
    unit = documented("[Unit]", "WantedBy=multi-user.target")
    # It looks for the program too.
    unit = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", unit, flags=re.MULTILINE)
    path = tmp_path / "league.service"
    path.write_text(unit)
    command = program("systemd-analyze"), "verify", str(path)
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    own = [line for line in done.stderr.splitlines() if path.name in line]
    assert (done.returncode, own) == (0, [])
