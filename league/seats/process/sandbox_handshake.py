"""The handshake of a sandbox: who is in it, and what bounds are set before it may run."""

import os
import re
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from league.seats.process.rlimits import ProcessLimits
from league.seats.process.subreaper import children

SandboxCommand = Callable[[Sequence[str]], Sequence[str]]

_PID = rb'"child-pid": (\d+)'

GATE_S = 10.0
"""How long a sandbox may take to be made."""

END_S = 1.0
"""How long a sandbox may take to come down once the first process in it is killed."""


class SandboxedProcess:
    """What is in a sandbox, as it is seen from outside: its first process, and the bot below it."""

    def __init__(self, first: int) -> None:
        self.first = first
        self._bot: int | None = None
        # By its number alone, another process could be meant once this one is gone.
        self._handle = os.pidfd_open(first)

    @property
    def pid(self) -> int | None:
        """The number of the bot's process, None while the sandbox is being made."""
        if self._bot is None:
            self._bot = next(iter(children(self.first)), None)
        return self._bot

    def kill(self, outer: "subprocess.Popen[bytes]") -> None:
        """End the first process, and all others with it, before `outer` that has made it all."""
        if self._handle < 0:
            return
        try:
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            outer.wait(END_S)
        except (OSError, subprocess.TimeoutExpired):
            pass
        os.close(self._handle)
        self._handle = -1


class SandboxHandshake:
    """Two pipes to a sandbox in the making: one tells of its process, the other holds it back."""

    def __init__(self) -> None:
        self._info, info = os.pipe()
        block, self._block = os.pipe()
        self.descriptors: tuple[int, ...] = (info, block)
        self.options = ("--info-fd", str(info), "--block-fd", str(block))

    def open(self, limits: ProcessLimits, outer: "subprocess.Popen[bytes]") -> SandboxedProcess:
        """Bound the process in the sandbox and let it go; raise `OSError` where there is none."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = ()
        try:
            inner = SandboxedProcess(self._pid())
            if limits.processes is not None:
                bound = (limits.processes, limits.processes)
                # Only now: outside it would count every process that the user has.
                resource.prlimit(inner.first, resource.RLIMIT_NPROC, bound)
        except (OSError, ValueError) as error:
            text = _last_words(outer) or str(error)
            raise OSError(f"the sandbox can't be made: {text}") from None
        return inner

    def close(self) -> None:
        """Let what waits at the handshake go."""
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


def _last_words(outer: "subprocess.Popen[bytes]") -> str:
    """End a sandbox that could not be made, and return what it told."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(outer.pid, signal.SIGKILL)
    outer.kill()
    try:
        told: bytes | None = outer.communicate(timeout=END_S)[1]
    except subprocess.TimeoutExpired as late:
        # A process below may have left the group, outlive it, and hold its pipes open.
        told = late.stderr
    return (told or b"").decode("utf-8", "replace").strip()
