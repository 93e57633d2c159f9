"""The dashboard behind a real nginx, with TLS and below a path."""

import grp
import os
import pwd
import re
import shutil
import socket
import ssl
import subprocess
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
from tests.waiting import wait_until

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


def documented_location() -> str:
    """Return the part of nginx's configuration that docs/serving.md shows."""
    text = (ROOT / "docs" / "serving.md").read_text("utf-8")
    found = re.search(r"```nginx\n(.*?)```", text, re.DOTALL)
    assert found is not None
    location = re.search(r"^location .*?^}$", found[1], re.DOTALL | re.MULTILINE)
    assert location is not None
    return location[0]


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


@contextmanager
def proxied(folder: Path, location: str, port: int) -> Iterator[None]:
    """Run nginx with a certificate of its own until the end of a test."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin:/usr/local/sbin")
    openssl = shutil.which("openssl")
    if nginx is None or openssl is None:
        pytest.skip("no nginx, or no openssl, on this machine")
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
    subprocess.run(
        [openssl, *made.split(), f"subjectAltName=DNS:{NAME}", *FILES],
        cwd=folder,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    config = folder / "nginx.conf"
    config.write_text(MAIN.format(folder=folder, port=port, location=location, user=_user()))
    with subprocess.Popen(
        [nginx, "-c", config, "-p", folder, "-e", folder / "error.log"],
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            wait_until(lambda: _listens(port) or server.poll() is not None)
            assert server.poll() is None, (folder / "error.log").read_text()
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


@pytest.fixture(scope="module", params=["kept", "cut off"])
def link(
    request: pytest.FixtureRequest, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Serve it behind nginx, which leaves the path as it is, or cuts the prefix off."""
    port = free_port()
    public = f"https://{NAME}:{port}{PREFIX}"
    given = ("--public-url", public, "--token-file", "token")
    with served(folder, *given) as own:
        inner = re.sub(r"/.*", "", own.removeprefix("http://"))
        slash = "/" if request.param == "cut off" else ""
        location = documented_location().replace("/league/", f"{PREFIX}/")
        location = location.replace("http://127.0.0.1:8000", f"http://{inner}{slash}")
        with proxied(tmp_path_factory.mktemp("nginx"), location, port):
            yield public


def opener(folder: Path) -> urllib.request.OpenerDirector:
    """Return what asks as a browser does, with cookies; it takes any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=context),
        urllib.request.HTTPCookieProcessor(CookieJar()),
    )


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
