"""Measure how soon browsers show the moves of a match in play, and whether they show all.

    python -m benchmarks.live --help

Two bots play a long match of ten plies a second by the real commands, and ten windows of a real
browser follow it: of one profile, which share a stream, or each of a profile of its own. Ten
readers of the stream alone tell how much of the time is the league's own. Each report tells when
its move was answered, and each page notes when the move stood in its list. Until all windows are
open the bots take a second for each move; those plies do not count. The machine plays, serves and
draws ten pages at the same time.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.dashboard import Server, served
from benchmarks.measures import Row, machine, table
from benchmarks.ratings import LEAGUE
from league.model.records import MatchRecord
from league.store.store import open_store

GAME = "mnk?columns=19&rows=19&connect=7"
"""Bots that choose by chance fill a good part of the board."""

BOT = """
import random
import time
from pathlib import Path

from bots import Report


class Answers:
    def choose(self, state, clock):
        time.sleep({pause_s} if Path({go!r}).exists() else 1)
        move = random.choice(list(state.legal_moves()))
        self.report = Report(text=repr(time.time()))
        return move
"""

NOTING = """
window.seen = [];
document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("[data-topic]")?.addEventListener("change", ({ detail: { parts } }) => {
    const more = (parts?.moves?.more ?? "").matchAll(/data-key="ply(\\d+)"/g);
    seen.push(...[...more].map((found) => [Number(found[1]), Date.now() / 1000]));
  });
});
"""

LISTED = """[...document.querySelectorAll(".live-list li")]
  .map((each) => Number(each.dataset.key.slice(3)))"""

IS_OVER = "document.querySelector('[data-key=replay]:not([hidden])') !== null"

LIVE = "/tournaments/1/live/0/0"
STREAM = "/events?topic=match/1/0/0"

KEY = re.compile(r'data-key="ply(\d+)"')
"""An item of the list of moves."""

GO = "go"
"""The file that tells the bots that all windows are open."""

WAIT_MS = 600_000
WANTED_S = 0.5

TIMES = ("median s", "95% within", "worst s")
HEADINGS = ("windows", "plies", "a second", "seen", "missing", *TIMES, "server ms a ply", "")


def run(*arguments: str, folder: Path) -> None:
    """Run a command in the league's folder."""
    subprocess.run([*LEAGUE, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


@dataclass(frozen=True, slots=True)
class Follower:
    """The plies that a window lists at the end, and when each was seen."""

    listed: Sequence[int]
    seen: Sequence[tuple[int, float]]


Follow = Callable[[Server, int, Callable[[], None]], list[Follower]]
"""Follows the match in so many windows until it is over; calls the function when all are open."""


def in_windows(browser: Browser, *, is_apart: bool) -> Follow:
    """Return what follows a match in windows of a browser."""

    def follow(server: Server, windows: int, go: Callable[[], None]) -> list[Follower]:
        with ExitStack() as end:
            contexts: list[BrowserContext] = []
            pages: list[Page] = []
            for _ in range(windows):
                if is_apart or not contexts:
                    contexts.append(browser.new_context())
                    contexts[-1].add_init_script(NOTING)
                    end.callback(contexts[-1].close)
                page = contexts[-1].new_page()
                page.set_default_timeout(WAIT_MS)
                page.goto(f"http://{server.host}{LIVE}", wait_until="domcontentloaded")
                pages.append(page)
            go()
            for page in pages:
                # Not `wait_for_function`, which the pages' security policy refuses.
                while not page.evaluate(IS_OVER):
                    page.wait_for_timeout(500)
            return [Follower(page.evaluate(LISTED), page.evaluate("seen")) for page in pages]

    return follow


def by_readers(server: Server, clients: int, go: Callable[[], None]) -> list[Follower]:
    """Follow a match by reading its stream, each client over a connection of its own."""

    async def follow() -> list[Follower]:
        streams = [await _open(server) for _ in range(clients)]
        go()
        return await asyncio.gather(*map(_read, streams))

    return asyncio.run(follow())


async def _open(server: Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = server.host.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    asked = f"GET {STREAM} HTTP/1.0\r\nHost: {server.host}\r\nAccept-Encoding: gzip\r\n\r\n"
    writer.write(asked.encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _read(stream: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> Follower:
    # A writer that nobody keeps closes the connection.
    reader, writer = stream
    unpacker, text = zlib.decompressobj(31), b""
    listed: list[int] = []
    seen: list[tuple[int, float]] = []
    while data := await reader.read(1 << 16):
        at_s = time.time()
        text += unpacker.decompress(data)
        *events, text = text.split(b"\n\n")
        for event in events:
            for line in event.split(b"\n"):
                if line.startswith(b"data: "):
                    moves = json.loads(line[6:]).get("parts", {}).get("moves", {})
                    more = [int(each) for each in KEY.findall("".join(moves.values()))]
                    listed = more if "whole" in moves else listed + more
                    seen += [(ply, at_s) for ply in more]
    writer.close()
    return Follower(listed, seen)


def measure(name: str, windows: int, follow: Follow, folder: Path) -> Row:
    """Play and follow a match; return how long moves took to get to the windows."""
    for bot in ("one", "other"):
        run("register", bot, "answers.py:Answers", "--no-check", folder=folder)
    play = ["run", "--game", GAME, "--bots", "all", "--rounds", "1", "--depth", "1", "--quiet"]
    # Only so does a bot see the file.
    play += ["--isolation", "limits"]
    path = folder / "league.db"
    begun_s: list[float] = []

    def go() -> None:
        begun_s.append(time.time())
        (folder / GO).touch()

    with ExitStack() as end, served(path) as server:
        runner = end.enter_context(
            subprocess.Popen(
                [*LEAGUE, *play, "--workers", "1"], cwd=folder, stdout=subprocess.DEVNULL
            )
        )
        end.callback(runner.send_signal, signal.SIGINT)
        with open_store(str(path), read_only=True) as store:
            while not store.tournaments.all() or not store.live.shown(1):
                time.sleep(0.5)
            spent_ms = server.spent_ms()
            found = follow(server, windows, go)
            spent_ms = server.spent_ms() - spent_ms
            _, record = store.matches.get(1)
    return _row(f"{windows} {name}", record, found, begun_s[0], spent_ms)


def _row(
    name: str, record: MatchRecord, found: Sequence[Follower], begun_s: float, spent_ms: float
) -> Row:
    first = len(record.opening) + 1
    answered = {
        ply: float(move.report.text)
        for ply, move in enumerate(record.moves, first)
        if move.report is not None
    }
    whole = list(range(1, first + len(record.moves)))
    missing = sum(len(set(whole) - set(each.listed)) for each in found)
    fast = sorted(at_s for at_s in answered.values() if at_s >= begun_s)
    late = sorted(
        at_s - answered[ply]
        for each in found
        for ply, at_s in each.seen
        if answered.get(ply, 0.0) >= begun_s
    )
    return (
        name,
        len(fast),
        f"{(len(fast) - 1) / (fast[-1] - fast[0]):.1f}",
        len(late),
        missing + sum(list(each.listed) != whole for each in found),
        *(
            f"{each:.2f}"
            for each in (statistics.median(late), late[int(0.95 * len(late))], late[-1])
        ),
        f"{spent_ms / len(whole):.0f}",
        "" if late[-1] < WANTED_S else "missed",
    )


def ways() -> Iterator[tuple[str, Follow]]:
    """Yield the ways to follow a match, by name."""
    yield "readers", by_readers
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0
        )
        yield "windows of one profile", in_windows(browser, is_apart=False)
        yield "profiles", in_windows(browser, is_apart=True)
        browser.close()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--windows", type=int, default=10)
    parser.add_argument("--only", choices=("readers", "windows", "profiles"))
    parser.add_argument("--rate", type=float, default=10.0, help="plies a second")
    given = parser.parse_args()
    print(machine())
    print(table(HEADINGS, []))
    for name, follow in ways():
        if given.only is None or name.startswith(given.only):
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch)
                bot = BOT.format(pause_s=1 / given.rate, go=str(folder / GO))
                (folder / "answers.py").write_text(bot)
                row = measure(name, given.windows, follow, folder)
                print(table([str(each) for each in row], []).splitlines()[0], flush=True)
        if name == given.only:
            break


if __name__ == "__main__":
    main()
