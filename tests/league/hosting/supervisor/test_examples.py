"""The files of examples/hosting, as the programs read them that they are for."""

import json
import os
import re
import resource
import shutil
import socket
import ssl
import subprocess
import sys
import tomllib
import urllib.error
from contextlib import ExitStack
from pathlib import Path

import click
import pytest

from league.cli.main import cli
from tests.league.command import league
from tests.league.web.serving import served
from tests.league.web.test_behind_proxy import NAME, free_port, nginx, opener, program, proxied
from tests.paths import EXAMPLES, ROOT
from tests.waiting import PATIENCE_S

HOSTING = EXAMPLES / "hosting"


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("no systemd-analyze on this machine")
    text = (HOSTING / "botleague.service").read_text("utf-8")
    command = re.search(r"^ExecStart=(\S+)", text, re.MULTILINE)
    assert command is not None
    unit = tmp_path / "botleague.service"
    # systemd wants a program that is there.
    unit.write_text(text.replace(command[1], sys.executable))
    found = subprocess.run(
        [verify, "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_the_unit_leaves_the_sandbox_what_it_needs() -> None:
    text = (HOSTING / "botleague.service").read_text("utf-8")
    given = {line.partition("=")[0] for line in text.splitlines() if not line.startswith("#")}
    assert "NoNewPrivileges" in given
    for word in ("RestrictNamespaces", "PrivateUsers", "ProtectKernelTunables", "ProtectProc"):
        assert word not in given
        assert word in text


def test_bots_are_kept_apart_with_the_rights_of_the_unit() -> None:
    bwrap, setpriv = shutil.which("bwrap"), shutil.which("setpriv")
    if bwrap is None or setpriv is None:
        pytest.skip("no bubblewrap, or no setpriv, on this machine")
    sandbox = (bwrap, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true")
    if subprocess.run(sandbox, check=False, capture_output=True).returncode:
        pytest.skip("the sandbox does not work on this machine")
    rights = ["--no-new-privs"]
    if os.geteuid() == 0:
        nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
        rights += [*nobody, "--bounding-set", "-all"]
    found = subprocess.run(
        [setpriv, *rights, *sandbox],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_caddy_takes_its_file() -> None:
    caddy = shutil.which("caddy")
    if caddy is None:
        pytest.skip("no Caddy on this machine")
    config = HOSTING / "Caddyfile"
    command: list[str | Path] = [caddy, "validate", "--adapter", "caddyfile", "--config", config]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert "not formatted" not in found.stderr


@pytest.mark.slow
def test_nginx_passes_requests_on_and_hides_the_metrics(tmp_path: Path) -> None:
    text = (HOSTING / "nginx.conf").read_text("utf-8")
    inner, outer = free_port(), free_port()
    locations = "".join(re.findall(r"^    location .*?^    }\n", text, re.DOTALL | re.MULTILINE))
    assert locations.count("location") == 2
    (tmp_path / "healthz").write_text("well")
    answers = [sys.executable, "-m", "http.server", str(inner), "--bind", "127.0.0.1"]
    with subprocess.Popen(answers, cwd=tmp_path, stderr=subprocess.DEVNULL) as server:
        try:
            folder = tmp_path / "nginx"
            folder.mkdir()
            location = locations.replace("127.0.0.1:8000", f"127.0.0.1:{inner}")
            with proxied(folder, nginx(folder, location, outer), outer):
                asking = opener(folder)
                with asking.open(f"https://localhost:{outer}/healthz") as answer:
                    assert answer.read() == b"well"
                with pytest.raises(urllib.error.HTTPError, match="404") as refused:
                    asking.open(f"https://localhost:{outer}/metrics")
                refused.value.close()
        finally:
            server.terminate()


HALF = (
    b"POST /sign-in HTTP/1.1\r\nhost: localhost:%d\r\ncontent-length: 4000\r\n"
    b"content-type: application/x-www-form-urlencoded\r\n\r\na"
)

DESCRIPTORS, HALF_FORMS = 256, 150
"""The descriptors of the league, and more forms than it has connections then."""

TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE


def talking(port: int, source: str = "127.0.0.1") -> ssl.SSLSocket:
    """Connect to a proxy from an address of this machine, with any certificate."""
    plain = socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=(source, 0))
    return TRUSTING.wrap_socket(plain, server_hostname=NAME)


def status_for(port: int, source: str) -> bytes:
    """Return the status that somebody at another address gets."""
    with talking(port, source) as asking:
        asking.sendall(b"GET / HTTP/1.1\r\nhost: localhost:%d\r\nconnection: close\r\n\r\n" % port)
        return asking.recv(100).partition(b"\r\n")[0]


def nginx_as_it_is(folder: Path, inner: str, port: int, *, is_limited: bool) -> list[str | Path]:
    """Write nginx's configuration around the whole example; return its command."""
    text = (HOSTING / "nginx.conf").read_text("utf-8")
    (worker,) = re.findall(r"^#   (worker_rlimit_nofile .*;)$", text, re.MULTILINE)
    (events,) = re.findall(r"^#   (events .*)$", text, re.MULTILINE)
    for before, now in {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "    listen [::]:443 ssl;\n": "",
        "games.example.org;": f"{NAME};",
        "/etc/letsencrypt/live/games.example.org/fullchain.pem": f"{folder}/certificate.pem",
        "/etc/letsencrypt/live/games.example.org/privkey.pem": f"{folder}/key.pem",
        "127.0.0.1:8000": inner,
        "    limit_conn botleague 250;\n": "    limit_conn botleague 20;\n" if is_limited else "",
    }.items():
        assert before in text
        text = text.replace(before, now)
    command = nginx(folder, "", port)
    config = folder / "nginx.conf"
    head = config.read_text().partition("  server {")[0].replace("events {}", f"{worker}\n{events}")
    config.write_text(f"{head}{text}}}\n")
    return command


def caddy_as_it_is(folder: Path, inner: str, port: int) -> list[str | Path]:
    """Write Caddy's configuration around the whole example; return its command."""
    text = (HOSTING / "Caddyfile").read_text("utf-8").replace("127.0.0.1:8000", inner)
    text = text.replace("\n{\n", "\n{\n\tadmin off\n\tauto_https off\n", 1)
    keys = f"\tbind 127.0.0.1\n\ttls {folder}/certificate.pem {folder}/key.pem\n"
    site = f"https://{NAME}:{port} {{\n{keys}"
    config = folder / "Caddyfile"
    config.write_text(text.replace("games.example.org {\n", site))
    return [program("caddy"), "run", "--config", config, "--adapter", "caddyfile"]


@pytest.mark.slow
@pytest.mark.parametrize("proxy", ["nginx", "nginx without its limit", "caddy"])
def test_half_sent_forms_leave_the_league_to_others(tmp_path: Path, proxy: str) -> None:
    if sys.platform != "linux":
        pytest.skip("needs several addresses of this machine")
    folder, port = tmp_path / "proxy", free_port()
    folder.mkdir()
    league(tmp_path, "register", "rnd", "random", "--no-check")
    public = ("--public-url", f"https://{NAME}:{port}", "--token-file", "token")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, limits[1]))
    with ExitStack() as half:
        half.callback(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        own = half.enter_context(served(tmp_path, *public))
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        inner = re.sub(r"/.*", "", own.removeprefix("http://"))
        if proxy == "caddy":
            command = caddy_as_it_is(folder, inner, port)
        else:
            command = nginx_as_it_is(folder, inner, port, is_limited=proxy == "nginx")
        half.enter_context(proxied(folder, command, port))
        for number in range(HALF_FORMS):
            half.enter_context(talking(port)).sendall(HALF % port)
            if number % 30 == 29:
                # The form that asks for the token: the league answers.
                assert status_for(port, "127.0.0.9") == b"HTTP/1.1 403 Forbidden"


def _first(pattern: str, text: str) -> str:
    """Return the first group of the one place that fits."""
    (found,) = re.findall(pattern, text, re.MULTILINE)
    return str(found)


def _options(words: list[str]) -> dict[str, object]:
    """Return what `league host` understands of its words; unknown options fail."""
    assert words[:2] == ["league", "host"]
    command = cli.get_command(click.Context(cli), "host")
    assert command is not None
    return command.make_context("host", words[2:]).params


def test_the_container_fits_the_project() -> None:
    text = (HOSTING / "Containerfile").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert _first(r"^RUN pip install --no-cache-dir (\S+)$", text) == project["name"]
    python = _first(r"^FROM docker\.io/library/python:([\d.]+)-slim$", text)
    assert f"Programming Language :: Python :: {python}" in project["classifiers"]
    # The user's own folder is where the league lies, and where its volume is mounted.
    folder = _first(r"useradd --create-home --home-dir (\S+) league$", text)
    assert _first(r"^WORKDIR (\S+)$", text) == _first(r"^VOLUME (\S+)$", text) == folder
    assert set(re.findall(r"-v league:(\S+)", text)) == {folder}
    assert set(project["scripts"]) == {"league"}
    given = _options(json.loads(_first(r"^CMD (\[.*\])$", text)))
    port = given["port"]
    assert _first(r"^EXPOSE (\d+)$", text) == str(port)
    assert re.findall(r"-p (\d+):(\d+)", text) == [(str(port), str(port))]
    assert f"http://localhost:{port}/healthz" in text


def test_the_unit_gives_options_that_there_are() -> None:
    text = (HOSTING / "botleague.service").read_text("utf-8")
    program, *words = _first(r"^ExecStart=(.*)$", text).split()
    given = _options([Path(program).name, *words])
    assert (given["db"], given["backups"]) == ("league.db", Path("backups"))


def test_the_container_has_a_sandbox_and_is_nobody_special() -> None:
    text = (HOSTING / "Containerfile").read_text("utf-8")
    assert "bubblewrap" in text
    assert text.index("USER league") < text.index("CMD [")
    assert "STOPSIGNAL SIGTERM" in text
