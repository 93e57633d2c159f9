"""Runs the examples of a page one after the other in a folder, as a reader does."""

import doctest
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, chdir
from pathlib import Path
from typing import Any

from tests.docs.blocks import PYTHON, SETUP, Block, Page, PageError
from tests.docs.output import difference
from tests.paths import ROOT
from tests.waiting import PATIENCE_S, wait_until

PORT = re.compile(r"\b800\d\b")
"""Where a page's servers listen; each run of a page gets ports of its own instead."""

SERVE_PORT = "8000"
"""That of `league serve`, if a page does not say otherwise."""

LEAGUE = """\
#!{python}
import sys
from league.cli.main import main
words = sys.argv[1:]
if words[:1] == ["serve"] or words[:1] == ["host"] and (len(words) == 1 or words[1][0] == "-"):
    sys.argv += ["--port", "{port}"]
sys.argv[0] = "league"
main()
"""


OF_THE_SYSTEM = re.compile(
    r"(?:^|[|;&(]\s*)(?:sudo|su|apt(?:-get)?|useradd|systemctl|systemd-run|docker|podman|"
    r"(?:\S*/)?pip3?|(?:\S*/)?python3? -m (?:venv|pip)|createdb|pg_dump|pg_restore|dask)\s",
    re.MULTILINE,
)
"""Commands that change the machine, or another one: no test runs them, marked or not."""


class ExampleError(AssertionError):
    """An example that fails, or prints something else than its page shows."""


class PageRun:
    """A run of a page's examples in `folder`; `scratch` is for the runner's own files.

    Leave it as a context: this ends what the page started in the background.
    """

    def __init__(self, folder: Path, scratch: Path) -> None:
        self._folder = folder
        self._scratch = scratch
        self._names: dict[str, Any] = {"__name__": "__main__"}
        self._background = ExitStack()
        self._ports: dict[str, str] = {}
        program = scratch / "league"
        port = self._port_of(SERVE_PORT)
        program.write_text(LEAGUE.format(python=sys.executable, port=port))
        program.chmod(0o755)
        path = f"{scratch}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self._environment = {
            **os.environ,
            "PATH": path,
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "COLUMNS": "100",
            "BROWSER": "true",
            "CHECKOUT": str(ROOT),
            "HOME": str(scratch),
            "TZ": "UTC",
        }

    def __enter__(self) -> "PageRun":
        """Return itself."""
        return self

    def __exit__(self, *raised: object) -> None:
        """End the background."""
        self._background.close()

    def run(self, page: Page) -> None:
        """Run all blocks; raise `ExampleError` for the first that does not do as the page says."""
        for block in page.blocks:
            if not block.is_run:
                continue
            try:
                self._run(block)
            except ExampleError as error:
                raise ExampleError(f"line {block.line}: {error}") from None

    def _run(self, block: Block) -> None:
        if "file" in block.marks:
            path = self._folder / block.marks["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        elif block.language in PYTHON and re.match(r"\s*>>> ", block.text):
            self._run_session(block)
        elif block.language in PYTHON:
            (self._folder / "example.py").write_text(block.text)
            self._run_shell(block, "python example.py")
        elif block.language == "console":
            for command, shown in _console(block.text):
                self._run_shell(Block(block.line, "sh", command, block.marks, shown), command)
        else:
            self._run_shell(block, block.text)

    def _run_session(self, block: Block) -> None:
        """Run an interactive session; the sessions of a page share their names."""
        test = doctest.DocTestParser().get_doctest(block.text, self._names, "", "page", block.line)
        told: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        with chdir(self._folder):
            runner.run(test, out=told.append, clear_globs=False)
        self._names.update(test.globs)
        if told:
            raise ExampleError("".join(told))

    def _run_shell(self, block: Block, text: str) -> None:
        refused = OF_THE_SYSTEM.search(text)
        if refused is not None:
            raise ExampleError(f"{refused[0].strip()!r} changes the machine: mark it 'not run'")
        text = PORT.sub(lambda found: self._port_of(found[0]), text)
        if "background" in block.marks:
            self._start(block, text)
            return
        with subprocess.Popen(
            ["/bin/bash", "-e", "-o", "pipefail", "-c", text],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._folder,
            env=self._environment,
            text=True,
            start_new_session=True,
        ) as process:
            typed = "".join(f"{line}\n" for line in block.marks.get("typed", "").split("; "))
            try:
                out, err = process.communicate(typed, timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                # All of its commands, too.
                os.killpg(process.pid, signal.SIGKILL)
                raise ExampleError(f"it runs for longer than {PATIENCE_S:g} s") from None
        code = int(block.marks.get("exit code", "0"))
        if process.returncode != code:
            raise ExampleError(f"exit code {process.returncode} instead of {code}:\n{out}{err}")
        # Notes about the run differ between machines; an error is what its example is about.
        printed = self._as_on_page(out + (err if code else ""))
        if block.output is not None and block.language != SETUP:
            changed = difference(block.output, printed)
            if changed:
                raise ExampleError(f"the output differs from the page's:\n{changed}")

    def _start(self, block: Block, text: str) -> None:
        """Start a command, and wait until it has printed what the page shows, or anything."""
        log = self._scratch / f"line_{block.line}.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                shlex.split(text, comments=True),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                env=self._environment,
            )
        self._background.callback(_end, process)

        def is_ready() -> bool:
            printed = self._as_on_page(log.read_text())
            if block.output is None:
                return bool(printed) or process.poll() is not None
            return not difference(block.output, printed) or process.poll() is not None

        wait_until(is_ready)
        if process.poll() is not None:
            raise ExampleError(f"it ended with code {process.returncode}:\n{log.read_text()}")

    def _as_on_page(self, printed: str) -> str:
        for port, own in self._ports.items():
            printed = printed.replace(f":{own}", f":{port}")
        return printed

    def _port_of(self, port: str) -> str:
        """Return this run's own port for one of the page."""
        if port not in self._ports:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self._ports[port] = str(free.getsockname()[1])
        return self._ports[port]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a server as Ctrl-C does."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _console(text: str) -> list[tuple[str, str]]:
    """Split a session of a shell into its commands and the output below each."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    if parts[0].strip():
        raise PageError(f"a console block begins with '$ ', not with {parts[0][:40]!r}")
    pairs = [part.partition("\n") for part in parts[1:]]
    return [(command, shown) for command, _, shown in pairs]
