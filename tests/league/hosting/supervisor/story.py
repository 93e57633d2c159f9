"""A hosted league by its real commands: organisers, authors, and what they submit."""

import json
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zipfile import ZipFile

from league.hosting.accounts.sign_ins import begin
from league.hosting.accounts.tokens import new_token
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.web.callers import SIGN_IN
from league.seats.process.isolation import why_no_sandbox
from tests.league.cluster import Cluster
from tests.league.command import LEAGUE, below, league
from tests.processes import is_running
from tests.waiting import ENDLESS_S, PATIENCE_S, wait_until

MARKS = "marks=plays: 1 point; first: 3 points"

GOOD = """\
def choose(state, clock):
    return state.legal_moves()[{}]
"""

BROKEN: dict[str, bytes] = {
    "no_syntax.py": b"def choose(state, clock:\n",
    "no_bot.py": b"ANSWER = 42\n",
    "empty.py": b"\n",
    "raises.py": b"def choose(state, clock):\n    raise ValueError('no')\n",
    "illegal.py": b"def choose(state, clock):\n    return 99\n",
    "nothing.py": b"def choose(state, clock):\n    return None\n",
    "text.py": b"def choose(state, clock):\n    return 'a1'\n",
    "imports.py": b"import no_such_module\ndef choose(state, clock):\n    return 0\n",
    "exits.py": b"import sys\ndef choose(state, clock):\n    sys.exit(3)\n",
    "at_import.py": b"raise RuntimeError('at import')\n",
    "not_utf8.py": b"# \xff\xfe\ndef choose(state, clock):\n    return 0\n",
    "no_zip.zip": b"this is no zip",
}
"""Broken in twelve ways; each is refused."""


def _zip(names: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name, data in names.items():
            archive.writestr(name, data)
    return out.getvalue()


@cache
def hostile() -> dict[str, bytes]:
    """Return uploads that are hostile in six ways; each is refused, and harms nobody."""
    return {
        "loops.py": b"def choose(state, clock):\n    while True:\n        pass\n",
        "eats.py": b"def choose(state, clock):\n    return len(b'x' * (1 << 34))\n",
        "forks.py": (
            b"import os\ndef choose(state, clock):\n    while True:\n"
            b"        os.fork()\n    return state.legal_moves()[0]\n"
        ),
        "kills.py": (
            b"import os\ndef choose(state, clock):\n    os.kill(os.getppid(), 9)\n    os._exit(9)\n"
        ),
        "climbs.zip": _zip({"bot.py": GOOD.format(0).encode(), "../../escaped.py": b"1\n"}),
        "bomb.zip": _zip({f"f{number}.txt": b"" for number in range(20_000)}),
    }


@dataclass
class Story:
    """A hosted league of a folder, and what its host has told.

    `db` is its database. Its matches are played on the `cluster`, by one process here without one.
    """

    folder: Path
    db: str
    cluster: Cluster | None = None
    url: str = ""
    told: list[dict[str, Any]] = field(default_factory=list)

    def command(self, *words: str, code: int = 0) -> str:
        """Run a command of the league; return its output."""
        return league(self.folder, *words, "--db", self.db, code=code)

    def store(self) -> HostStore:
        """Open the database."""
        return open_host_store(self.db)

    def begin(self, *words: str) -> None:
        """Make the league, with an organiser."""
        link = self.command("host", "init", "--organiser", "olga", *words)
        assert "/invitation/" in link

    def add(self, teams: list[str]) -> dict[str, str]:
        """Add a team with one author each by a roster; return their tokens by team."""
        rows = "".join(f"{name},Name of {name},{name}@example.org,{name}\n" for name in teams)
        (self.folder / "roster.csv").write_text(f"login,name,email,team\n{rows}")
        self.command("people", "import", "roster.csv", "--links", "links.csv")
        with self.store() as store:
            found = {name: store.people.by_login(name) for name in teams}
            return {name: new_token(store, each, "test") for name, each in found.items() if each}

    @contextmanager
    def hosted(self, *words: str) -> Iterator["subprocess.Popen[str]"]:
        """Host the league until the end of the context, and end it as Ctrl-C does."""
        unsafe = ("--unsafe-isolation",) if why_no_sandbox() else ()
        where = ("--executor", self.cluster.executor) if self.cluster else ("--workers", "1")
        given = ("host", "--port", "0", "--json-log", "--db", self.db, *where, *unsafe, *words)
        process = subprocess.Popen(
            [*LEAGUE, *given],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            self._read_until(process, "ready")
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            _, rest = process.communicate(timeout=PATIENCE_S)
            self.told += [json.loads(line) for line in rest.splitlines() if line.startswith("{")]

    def _read_until(self, process: "subprocess.Popen[str]", event: str) -> None:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if not line.startswith("{"):
                continue
            told = json.loads(line)
            self.told.append(told)
            if told["event"] == event:
                self.url = re.sub(r"/\s.*", "", told["text"])
                return
        raise AssertionError("".join(lines))

    def send(self, token: str, name: str, data: bytes) -> int:
        """Submit a file and return the number of the submission, once it is confirmed."""
        request = urllib.request.Request(  # noqa: S310 (our own server)
            f"{self.url}/api/submissions",
            data,
            {"Authorization": f"Bearer {token}", "X-File-Name": name},
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            assert answer.status == 201
            return int(json.load(answer)["id"])

    def challenge(self, token: str, rival: str) -> int:
        """Challenge a bot and return the number of the challenge."""
        request = urllib.request.Request(  # noqa: S310 (our own server)
            f"{self.url}/api/challenges",
            urlencode({"bot": rival}).encode(),
            {"Authorization": f"Bearer {token}"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            return int(json.load(answer)["id"])

    def challenged(self, number: int) -> str:
        """Return the state of a challenge."""
        with self.store() as store:
            return str(store.challenges.get(number).state)

    def page(self, login: str, path: str) -> str:
        """Return a page as somebody who has signed in sees it."""
        with self.store() as store:
            person = store.people.by_login(login)
            assert person is not None
            cookie = f"{SIGN_IN}={begin(store, person)}"
        request = urllib.request.Request(f"{self.url}{path}", headers={"Cookie": cookie})  # noqa: S310
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            return str(answer.read().decode())

    def push(self, token: str, name: str, data: bytes) -> "subprocess.Popen[str]":
        """Submit a file by `league push`, which follows it to its end."""
        folder = self.folder / f"home-{abs(hash((token, name)))}"
        folder.mkdir()
        (folder / name).write_bytes(data)
        return subprocess.Popen(
            [*LEAGUE, "push", name, "--json"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "BOTLEAGUE_URL": self.url, "BOTLEAGUE_TOKEN": token},
        )

    def health(self) -> int:
        """Return the status of /healthz, 0 if nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=10) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code
        except OSError:
            return 0

    def status(self) -> dict[str, Any]:
        """Return what `league host status` tells."""
        answer: dict[str, Any] = json.loads(self.command("host", "status", "--json"))
        return answer

    def wait_for(self, state: str) -> None:
        """Wait until the season has come so far; each match that is played renews the patience."""
        end_s = time.monotonic() + ENDLESS_S
        while not self._has_come(state):
            assert time.monotonic() < end_s, state
            wait_until(partial(self._goes_on, state, self.matches()), 0.5)

    def _has_come(self, state: str) -> bool:
        with self.store() as store:
            season = store.seasons.get()
        return season is not None and season.state == state

    def _goes_on(self, state: str, matches: int) -> bool:
        return self.matches() > matches or self._has_come(state)

    def states(self) -> dict[int, str]:
        """Return the state of each submission by number."""
        with self.store() as store:
            return {each.id: str(each.state) for each in store.submissions.page(limit=10_000)}

    def wait_until_decided(self, numbers: set[int]) -> dict[int, str]:
        """Wait until these submissions are decided; return their states."""
        left = len(numbers)
        while left:
            # Each decision renews the patience: a check takes seconds of a machine that is busy.
            wait_until(partial(self._is_below, numbers, left), 0.5)
            left = self._undecided(numbers)
        return {each: state for each, state in self.states().items() if each in numbers}

    def _is_below(self, numbers: set[int], count: int) -> bool:
        return self._undecided(numbers) < count

    def _undecided(self, numbers: set[int]) -> int:
        undecided = {"received", "building", "checking"}
        return sum(state in undecided for each, state in self.states().items() if each in numbers)

    def matches(self) -> int:
        """Count the matches in the database."""
        with self.store() as store:
            return store.services.counts().matches

    def check_sound(self) -> None:
        """Check that every stored match holds by the rules, and that each counts once."""
        self.command("db", "verify")
        with self.store() as store:
            assert store.services.counts().matches == len(store.matches.numbers())


def children_of(process: "subprocess.Popen[str]") -> list[int]:
    """List the processes of a host."""
    return [pid for pid, generation in below(process.pid) if generation == 1]


def all_gone(pids: list[int]) -> bool:
    """Whether none of the processes runs."""
    return not any(is_running(pid) for pid in pids)
