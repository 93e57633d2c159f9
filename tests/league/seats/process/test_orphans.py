"""A sandbox that lost its starter before it could be told to end with it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from league.seats.process.orphans import end_orphans, starter_options
from tests.processes import is_running
from tests.promises import on_linux
from tests.waiting import wait_until

_NAME = "from league.seats.process.orphans import starter_options; print(*starter_options())"


@on_linux("sandboxes")
def test_a_sandbox_whose_starter_is_gone_is_ended() -> None:
    printed = subprocess.run([sys.executable, "-c", _NAME], capture_output=True, check=True)
    with _sandbox(printed.stdout.decode().split()) as sandbox:
        end_orphans()
        wait_until(lambda: not is_running(sandbox.pid))


@on_linux("sandboxes")
def test_a_sandbox_whose_starter_lives_goes_on() -> None:
    with _sandbox(starter_options()) as sandbox:
        end_orphans()
        assert is_running(sandbox.pid)


@on_linux("sandboxes")
def test_a_process_that_got_the_number_of_a_starter_is_not_the_starter() -> None:
    options = starter_options()
    namespace, _, started_at = options[2].split(":")
    options[2] = f"{namespace}:{os.getpid()}:{int(started_at) - 1}"
    with _sandbox(options) as sandbox:
        end_orphans()
        wait_until(lambda: not is_running(sandbox.pid))


@on_linux("sandboxes")
def test_a_sandbox_of_another_namespace_goes_on() -> None:
    options = starter_options()
    options[2] = "1" + options[2].replace(f":{os.getpid()}:", ":1:")
    with _sandbox(options) as sandbox:
        end_orphans()
        assert is_running(sandbox.pid)


@contextmanager
def _sandbox(options: list[str]) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a process with the command line of a sandbox, waiting for a word that never comes."""
    code = "print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()
