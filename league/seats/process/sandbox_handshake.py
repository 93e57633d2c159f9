"""The sandbox handshake: finding its process and setting limits before it runs."""

import os
import re
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_hex

from league.platform import children
from league.seats.process.rooms import bound_files
from league.seats.process.seccomp import filter_options, open_filter

SandboxCommand = Callable[[Sequence[str]], Sequence[str]]

_PID = rb'"child-pid": (\d+)'

GATE_S = 10.0
"""Longest time for setting up a sandbox."""

END_S = 1.0
"""Longest time for a sandbox to end after its first process is killed."""


class SandboxedProcess:
    """A sandbox seen from outside: its first process, and the bot below it."""

    def __init__(self, first: int) -> None:
        self.first = first
        self._bot: int | None = None
        # A bare process ID could be reused once this one is gone.
        self._handle = os.pidfd_open(first)

    @property
    def pid(self) -> int | None:
        """The process ID of the bot; None while the sandbox is set up."""
        if self._bot is None:
            self._bot = next(iter(children(self.first)), None)
        return self._bot

    def kill(self, outer: "subprocess.Popen[bytes]") -> None:
        """Kill the first process, and thereby all others, before `outer`, which created them."""
        if self._handle < 0:
            return
        with suppress(OSError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            _await_end(outer.pid)
        os.close(self._handle)
        self._handle = -1


class SandboxHandshake:
    """Pipes to a new sandbox: one reports its process, one holds it back, one has its filter."""

    def __init__(self) -> None:
        self._info, info = os.pipe()
        block, self._block = os.pipe()
        calls = open_filter()
        self.descriptors: tuple[int, ...] = (info, block, *calls)
        self._mark = f"/etc/sandbox-{token_hex(8)}"
        self.options = (
            *("--info-fd", str(info), "--block-fd", str(block), *filter_options(calls)),
            *("--dir", self._mark),
        )

    def open(self, processes: int | None, outer: "subprocess.Popen[bytes]") -> SandboxedProcess:
        """Bound the sandbox's files and processes; raise `OSError` if there is none."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = ()
        try:
            inner = SandboxedProcess(self._pid())
            bound_files(inner.first, self._mark)
            if processes is not None:
                bound = (processes, processes)
                # Only now: outside, it would count all processes of the user.
                resource.prlimit(inner.first, resource.RLIMIT_NPROC, bound)
        except (OSError, ValueError) as error:
            text = _last_words(outer) or str(error)
            raise OSError(f"the sandbox can't be made: {text}") from None
        return inner

    def close(self) -> None:
        """Close the pipes, releasing the waiting process."""
        for descriptor in (*self.descriptors, self._info, self._block):
            os.close(descriptor)

    def _pid(self) -> int:
        told = b""
        deadline = time.monotonic() + GATE_S
        while not (told.endswith(b"}\n") and (found := re.search(_PID, told))):
            ready = select.select([self._info], [], [], max(0.0, deadline - time.monotonic()))[0]
            data = os.read(self._info, 4096) if ready else b""
            if not data:
                raise ValueError("it does not say which process is in it")
            told += data
        return int(found[1])


def _await_end(child: int) -> None:
    """Wait until a child has ended; `Popen.wait` would sleep too long between its looks."""
    handle = os.pidfd_open(child)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    poll.poll(END_S * 1000)
    os.close(handle)


def _last_words(outer: "subprocess.Popen[bytes]") -> str:
    """Kill a sandbox that could not be set up, and return its output."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(outer.pid, signal.SIGKILL)
    outer.kill()
    try:
        told: bytes | None = outer.communicate(timeout=END_S)[1]
    except subprocess.TimeoutExpired as late:
        # A descendant may have left the group and survive, holding the pipes open.
        told = late.stderr
    return (told or b"").decode("utf-8", "replace").strip()
