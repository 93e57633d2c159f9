"""The dashboard served by the real command."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.league.command import start
from tests.waiting import PATIENCE_S

LONG_NAME = "a-name-of-sixty-characters-that-should-push-nothing-off-it"

PLAY_SESSIONS = 2
"""The matches that people may have in play at a time on the server of these tests."""


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[str]:
    """Serve a league, and give the link that the command printed."""
    with start(folder, "serve", "--port", "0", *arguments) as server:
        assert server.stderr is not None
        told = ""
        while "http://" not in told:
            line = server.stderr.readline()
            assert line, told
            told += line
        try:
            yield told[told.index("http://") :].split()[0]
        finally:
            stop(server)


def stop(server: "subprocess.Popen[str]") -> None:
    """End a server as Ctrl-C does, whatever is open."""
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=PATIENCE_S)
    assert server.returncode == 0
