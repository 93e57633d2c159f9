"""Measure the dashboard: how soon pages answer in a large league, and how much they weigh.

    python -m benchmarks.dashboard --help

The league has one large tournament without moves (see `benchmarks.ratings`) and small real ones. It
is served by the real command; pages are found by following links from the first one, some of each
kind, and the slowest of a kind is told, then some documents of the API. `first` is the first answer
of a server that just began. Milliseconds are by the clock, and of the server's processor time,
which other work on the machine changes little.
"""

import argparse
import gzip
import http.client
import re
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.measures import Row, machine, table
from benchmarks.ratings import LEAGUE, make

BOTS = {"deep": "iterative:depth=4", "plain": "alphabeta:depth=3", "mc": "mcts", "rnd": "random"}
GAMES = ("connectfour", "othello", "pacman?layout=medium", "tablut")
DOCUMENTS = (
    "/api/tournaments",
    "/api/bots",
    "/api/matches",
    "/api/standings",
    "/api/health",
    "/api/stats",
    "/api/calibration",
    "/feed.atom",
)
"""What no page links to, for programs."""

UNTIMED = 12
"""The page of a tournament reads on for 0.2 s at each request, until it has read all matches."""

WANTED_MS, WANTED_KB = 50.0, 150.0
OF_A_KIND = 3
"""So many pages of a kind are asked for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A page: milliseconds until it was there, its bytes as they came and unpacked, its links.

    `spent_ms` is of the server's processor.
    """

    ms: float
    spent_ms: float
    size: int
    unpacked: int
    links: tuple[str, ...]
    loads: tuple[str, ...]


class Links(HTMLParser):
    """What a page of HTML leads to, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an address."""
        found = dict(attrs)
        if tag == "a" and "download" not in found:
            self.links.append((found.get("href") or "").partition("#")[0])
        elif (address := found.get("src" if tag in ("script", "img") else "href")) and tag != "a":
            self.loads.append(address)


def fill(path: Path, bots: int, matches: int, seed: int) -> None:
    """Make the league."""
    make(path, bots, matches, seed)
    commands = [["register", name, spec, "--no-check"] for name, spec in BOTS.items()]
    for game in GAMES:
        asked = ["run", "--game", game, "--bots", ",".join(BOTS), "--depth", "3", "--rounds", "1"]
        commands.append([*asked, "--seed", str(seed), "--quiet"])
    for command in commands:
        subprocess.run(
            [*LEAGUE, *command, "--db", str(path)], check=True, stdout=subprocess.DEVNULL
        )


@contextmanager
def served(path: Path) -> Iterator["Server"]:
    """Serve a league by the command."""
    command = [*LEAGUE, "serve", "--port", "0", "--db", str(path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None  # noqa: S101 (we asked for it)
            yield Server(urlsplit(process.stderr.readline().split()[0]).netloc, process.pid)
        finally:
            process.send_signal(signal.SIGINT)


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server listens, and its process."""

    host: str
    process: int

    def spent_ms(self) -> float:
        """Return the processor time of all its threads by now."""
        tasks = Path(f"/proc/{self.process}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in tasks) / 1e6


def ask(server: Server, address: str) -> Answer:
    """Ask for an address over a connection of its own."""
    connection = http.client.HTTPConnection(server.host, timeout=60)
    spent, begin = server.spent_ms(), time.perf_counter()
    connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
    response = connection.getresponse()
    body = response.read()
    took, spent = time.perf_counter() - begin, server.spent_ms() - spent
    connection.close()
    if response.status != http.client.OK:
        raise SystemExit(f"{address} answers {response.status}")
    is_packed = response.getheader("content-encoding") == "gzip"
    text = gzip.decompress(body) if is_packed else body
    found = Links()
    if "html" in (response.getheader("content-type") or ""):
        found.feed(text.decode())
    return Answer(
        took * 1000, spent, len(body), len(text), _local(found.links), _local(found.loads)
    )


NAMED = re.compile(r"(?<=/bots/).+|(?<=/versus/).+|(?<=/games/).+|\d+")
"""What of an address tells pages of a kind apart."""


def crawl(server: Server) -> dict[str, list[str]]:
    """Return the addresses of pages by kind: the first few that are linked to, and the last."""
    kinds: dict[str, list[str]] = {}
    ahead = ["/"]
    for address in ahead:
        kind = re.sub(NAMED, "…", address.partition("?")[0])
        known = kinds.setdefault(kind, [])
        if address not in known:
            known.append(address)
            if len(known) <= OF_A_KIND:
                ahead += ask(server, address).links
    found = {kind: list(dict.fromkeys([*all[:OF_A_KIND], all[-1]])) for kind, all in kinds.items()}
    return {**found, **{each: [each] for each in DOCUMENTS}}


def measure(path: Path, rounds: int) -> Iterator[Row]:
    """Measure each kind of page: the slowest and the heaviest of those found."""
    with served(path) as server:
        kinds = crawl(server)
        warm = {}
        for kind, addresses in kinds.items():
            asked = [(each, _asked(server, each, rounds)) for each in addresses]
            warm[kind] = max(asked, key=_slowness)
        heavy = {kind: max(_weight(server, each) for each in kinds[kind]) for kind in kinds}
    for kind, (address, answers) in warm.items():
        first = []
        for _ in range(max(1, rounds // 5)):
            with served(path) as server:
                first.append(ask(server, address))
        weight, unpacked = (size / 1000 for size in heavy[kind])
        times = *_middle(answers), _late(answers), *_middle(first), _late(first)
        is_good = times[0] < WANTED_MS and times[3] < WANTED_MS and unpacked < WANTED_KB
        told = (f"{each:.1f}" for each in (*times, weight, unpacked))
        yield f"`{address}`", *told, "" if is_good else "missed"


def _asked(server: Server, address: str, rounds: int) -> list[Answer]:
    return [ask(server, address) for _ in range(UNTIMED + rounds)][UNTIMED:]


def _slowness(asked: tuple[str, Sequence[Answer]]) -> float:
    return _middle(asked[1])[1]


def _middle(answers: Sequence[Answer]) -> tuple[float, float]:
    """Return the median milliseconds by the clock and of the processor."""
    ms, spent = zip(*((each.ms, each.spent_ms) for each in answers), strict=True)
    return statistics.median(ms), statistics.median(spent)


def _late(answers: Sequence[Answer]) -> float:
    """Return the milliseconds within which 95% were there."""
    return sorted(each.ms for each in answers)[round(0.95 * (len(answers) - 1))]


def _weight(server: Server, address: str) -> tuple[int, int]:
    """Return the bytes of a page with all that it loads, as they come and unpacked."""
    page = ask(server, address)
    all_of_it = [page, *(ask(server, each) for each in set(page.loads))]
    return sum(each.size for each in all_of_it), sum(each.unpacked for each in all_of_it)


def _local(addresses: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in addresses if each.startswith("/"))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=60)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", type=Path, help="keep the league here, or use the one that is")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        path = given.db or Path(scratch) / "league.db"
        if not path.exists():
            fill(path, given.bots, given.matches, given.seed)
        print(machine())
        times = ("ms", "processor ms", "95% within")
        headings = ("page", *times, *(f"first {each}" for each in times), "kB", "unpacked", "")
        print(table(headings, list(measure(path, given.rounds))))


if __name__ == "__main__":
    main()
