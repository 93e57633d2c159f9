"""The example web servers: started as their first lines say, and checked."""

import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from urllib.request import urlopen

import pytest

from games.support.specs import find_game
from league.registration.check import examine
from league.registration.source_snapshot import take_snapshot
from league.registration.trial import TrialSetup
from tests.docs.blocks import read_page
from tests.league.examining import be_patient
from tests.paths import DOCS, EXAMPLES
from tests.waiting import ENDLESS_S, wait_until

PROGRAMS = EXAMPLES / "web_server"
COMMANDS = {"bot.py": sys.executable, "bot.js": "node", "bot.sh": "sh"}


def is_listening(port: int) -> bool:
    """Whether anybody listens at a port of this machine."""
    with socket.socket() as client:
        return client.connect_ex(("localhost", port)) == 0


@contextmanager
def listening(command: str, program: str) -> Iterator[str]:
    """Run a program that listens at the port it is given; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with subprocess.Popen([command, str(PROGRAMS / program), str(port)]) as process:
        try:
            wait_until(lambda: is_listening(port))
            yield f"http://localhost:{port}"
        finally:
            process.kill()


@contextmanager
def forking(command: str, program: str) -> Iterator[str]:
    """Run a program for each connection, as socat does; yield the address."""

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            words = [command, str(PROGRAMS / program)]
            subprocess.run(words, stdin=self.request, stdout=self.request, check=True)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "kuhn", "goofspiel?cards=3"])
@pytest.mark.parametrize("program", COMMANDS)
def test_an_example_plays_any_game(
    program: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = shutil.which(COMMANDS[program])
    if command is None:
        pytest.skip(f"needs {COMMANDS[program]}")
    be_patient(monkeypatch)
    run = forking if program.endswith(".sh") else listening
    with run(command, program) as url:
        setup = TrialSetup(move_s=ENDLESS_S, start_s=ENDLESS_S)
        findings = list(examine(take_snapshot("bot", url, {}), find_game(game), setup))
        with urlopen(url, timeout=ENDLESS_S) as greeted:  # noqa: S310 (our own)
            assert greeted.status == 200
    assert [each.detail for each in findings if not each.is_passed] == []


def test_the_guide_shows_the_examples() -> None:
    page = read_page((DOCS / "how-to" / "bot-as-a-web-server.md").read_text("utf-8"))
    shown = {block.marks["file"]: block.text for block in page.blocks if "file" in block.marks}
    assert shown == {program: (PROGRAMS / program).read_text("utf-8") for program in COMMANDS}


def test_the_examples_are_short() -> None:
    for program in COMMANDS:
        lines = (PROGRAMS / program).read_text().splitlines()
        assert len([line for line in lines if line.strip()]) <= 30, program
