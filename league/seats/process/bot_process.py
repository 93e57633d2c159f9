"""A bot's process: raw pipes, deadlines, the tail of its log, and a kill that leaves nothing."""

import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from league.platform import (
    cpu_clock,
    end_strays,
    family_of,
    freeze_strays,
    has_unread,
    hold_more,
    memory_kills,
    watch_descendants,
)
from league.platform.cpu_usage import CpuUsage
from league.seats.process.bot_use import BotUse, Excess
from league.seats.process.namespace import namespaced
from league.seats.process.output_bounds import OutputBound
from league.seats.process.rlimits import ProcessLimits
from league.seats.process.sandbox_handshake import SandboxCommand, SandboxHandshake
from league.seats.process.scratch import ScratchFolder

CHUNK = 65536
LINE_MAX = 1 << 20
PIPE_SIZE = 1 << 20
LOG_MAX = 16384

CPU_S = 24 * 3600
"""CPU time of a bot's processes; it is restarted between matches long before.

Not a limit of the kernel: with one, the process sees its own CPU time in steps of milliseconds.
"""

POLL_NS = 1_000_000
"""The resolution of `poll`, which rounds up."""

REST_NS = 200_000
"""The CPU time that a bot may take to go on waiting after its answer; it pays for more."""

EXIT_S = 2.0
"""Longest time for a process to exit after it closes its output.

The kernel closes files just before the process is gone, long before on a busy machine; a bot killed
from outside must not look like one that hung up.
"""

_SIGNAL_STATUS = 128

_LIVE: set[int] = set()
"""The running bot processes that this process has started."""


class ProcessLate(Exception):
    """The deadline passed without an answer."""


class Sender(Enum):
    """The possible senders of the signal that ended a process."""

    ITSELF = "it or its children: nothing else reaches into a sandbox but the kernel"
    OUTSIDE = "another program, for nothing in a sandbox reaches its outer process"
    UNKNOWN = "any program of this user, or the kernel where memory ran out"


class ProcessEnded(Exception):
    """The process ended or closed its output; `returncode` is negative for a signal."""

    def __init__(
        self,
        returncode: int | None,
        sender: Sender = Sender.UNKNOWN,
        *,
        excess: Excess | None = None,
    ) -> None:
        super().__init__(describe_exit(returncode))
        self.returncode = returncode
        self.sender = sender
        self.excess = excess


class ProcessFlood(Exception):
    """More output came than any answer has."""


class Aside(NamedTuple):
    """Lines of a bot that are no answers: they begin with `prefix`, and `hear` gets each.

    An engine writes dozens while it searches, and whoever waits for its answer wakes up for each.
    """

    prefix: bytes
    hear: Callable[[bytes], None]


class BotProcess:
    """A child process in its own session, with line-based messages.

    The session shields it from Ctrl-C in the terminal and lets `kill` reach its children. `scratch`
    is removed with it. If `command` is a function, it returns the sandbox's command given the
    handshake options. Raises `OSError` if the command can't be started.
    """

    def __init__(
        self,
        command: Sequence[str] | SandboxCommand,
        env: Mapping[str, str],
        folder: Path,
        limits: ProcessLimits,
        scratch: ScratchFolder | None = None,
    ) -> None:
        handshake = None
        if callable(command):
            handshake = SandboxHandshake()
            command = command(handshake.options)
        try:
            command, enter = limits.applied(command, env)
            self._popen = subprocess.Popen(  # noqa: S603 (a list, no shell: the bot's own command)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=dict(env),
                cwd=folder,
                start_new_session=True,
                pass_fds=handshake.descriptors if handshake else (),
                preexec_fn=enter,
            )
            self._in, self._out, self._err = _pipes_of(self._popen)
            self._inner = namespaced(self._popen.pid) if limits.is_apart else None
            if handshake:
                self._inner = handshake.open(limits.processes, self._popen)
        except subprocess.SubprocessError as error:
            raise OSError(f"its limits or its namespace can't be set: {error}") from None
        finally:
            if handshake:
                handshake.close()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._open: tuple[int, ...] = (self._out, self._err)
        self.lines: deque[bytes] = deque()
        """The whole lines that have come and that nobody has read."""
        self._rest = b""
        self._bound: OutputBound | None = None
        self._lines_told = self._bytes_told = 0
        self._log = bytearray()
        self._scratch = scratch
        self._group = limits.group
        self._is_nested = handshake is not None or limits.is_apart
        self._family = family_of(self.leader, is_nested=self._is_nested)
        self._use = BotUse(self._family, limits)
        self._last_look_ns = 0
        self._memory_kills = memory_kills() if self._is_nested else 0
        self.is_frozen = False
        self._cpu_clock: Callable[[], int] | None = None
        self._rested_ns: int | None = None
        """The CPU time it had used when it last answered in this match; None if it has not."""
        self._stolen_ns = 0
        """The CPU time that it has used since."""
        self.looks = 0
        """How often somebody has looked since."""
        self.is_restless = False
        """Whether it has ever computed while others moved."""
        self.has_computed = True
        """Whether it has computed for its last answer; so it is said of one that has given none."""
        _LIVE.add(self._popen.pid)

    @property
    def pid(self) -> int:
        """The process ID of the bot; the sandbox's until that is set up."""
        return (self._inner and self._inner.pid) or self._popen.pid

    def begin_match(self) -> bool:
        """Begin a match; return whether it may exhaust the CPU time or the memory of the bot."""
        self.rest(None)
        is_near = self._use.begin_match(self.pid)
        return is_near or (self.cpu_ns() or 0) > CPU_S * 1e9 / 2

    def rest(self, used_ns: int | None) -> None:
        """Note that it has answered, and its CPU time then; None if its match only begins."""
        self._rested_ns = used_ns
        self._stolen_ns = self.looks = 0
        self._family.rest()

    def rests(self) -> bool:
        """Look whether it has hardly computed since `rest`, or the first look after that."""
        self.looks += 1
        stolen = self._family.used_at_rest_ns()
        if self._rested_ns is not None:
            stolen = max(stolen, (self.cpu_ns() or 0) - self._rested_ns)
        self._stolen_ns = stolen
        return stolen < REST_NS

    @property
    def is_large(self) -> bool:
        """Whether it had more than a few processes when somebody last looked."""
        return self._family.is_large

    def freeze(self) -> None:
        """Suspend it and all its descendants, whatever their session, until the next write."""
        if self.is_frozen:
            return
        if self._group:
            self._group.freeze()
        else:
            self._family.freeze()
        self.is_frozen = True

    def thaw(self) -> int:
        """Resume it; return the CPU time in ns that it has used while others moved."""
        self.is_frozen = False
        stolen = max(0, self._stolen_ns - REST_NS)
        if self._group:
            self._group.thaw()
            return stolen
        return stolen + self._family.thaw()

    def usage(self) -> CpuUsage:
        """Return what its threads and those of its descendants have used and waited for."""
        return self._family.usage()

    @property
    def leader(self) -> int:
        """The ID of its first process, constant while it runs."""
        return self._inner.first if self._inner else self._popen.pid

    def write(self, data: bytes, deadline_ns: int) -> None:
        """Write one whole message; raise `ProcessLate` if the bot does not read it in time."""
        if self.is_frozen:
            self.thaw()
        try:
            written = os.write(self._in, data)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            raise self._ended() from None
        if written < len(data):
            self._write_rest(data[written:], deadline_ns)

    def read_line(self, deadline_ns: int, aside: Aside | None = None) -> bytes:
        """Return the next line that is not `aside`, without its end.

        Raises `ProcessLate` at the deadline (on the `time.monotonic_ns` clock), `ProcessEnded` if
        no line can follow, and `ProcessFlood` if a line or all output is too long. Looks once more
        at the deadline: this process may have been held up while the line was already there.
        """
        lines = self.lines
        while True:
            while lines:
                line = lines.popleft()
                if aside is None or not line.startswith(aside.prefix):
                    return line
                aside.hear(line)
            if len(self._rest) > LINE_MAX:
                raise ProcessFlood(f"more than {LINE_MAX} bytes without the end of a line")
            now = time.monotonic_ns()
            if now >= deadline_ns:
                if self._last_look_ns == deadline_ns:
                    raise ProcessLate
                self._last_look_ns = deadline_ns
            self._fill(now, deadline_ns)

    def bound_output(self, bound: OutputBound) -> None:
        """Begin a phase in which the bot may write so much; before the first, it has no bound."""
        self._bound = bound
        self._lines_told = self._bytes_told = 0

    def forget_lines(self) -> bool:
        """Discard the complete lines written so far; return whether there were any."""
        if self._poll.poll(0):
            with suppress(BlockingIOError):
                # At the end of the output this adds nothing, and the next read tells.
                self._split(os.read(self._out, CHUNK))
        had_lines = bool(self.lines)
        self.lines.clear()
        return had_lines

    def hold_more_output(self) -> None:
        """Let the bot write much before somebody reads it."""
        hold_more(self._out, PIPE_SIZE)

    @property
    def has_unread(self) -> bool:
        """Whether a part of what was written to it still waits for it."""
        return has_unread(self._in)

    def cpu_ns(self) -> int | None:
        """Return the CPU time used so far; None if unavailable."""
        clock = self._cpu_clock
        if clock is None:
            # Read lazily: a sandbox contains its bot only once that has answered.
            pid = self._inner.pid if self._inner else self._popen.pid
            self._cpu_clock = clock = cpu_clock(pid) if pid else None
        if clock is None:
            return None
        try:
            return clock()
        except OSError:
            return None

    def forget_log(self) -> None:
        """Clear the log."""
        self._read_log()
        self._log.clear()

    def log(self) -> str:
        """Return the tail of the bot's standard error."""
        self._read_log()
        return self._log.decode("utf-8", "replace")

    def leave(self, data: bytes, wait_s: float) -> bool:
        """Write a last message and close the input; return whether it exits in `wait_s`."""
        if self.is_frozen:
            self.thaw()
        try:
            if self._popen.stdin is not None and not self._popen.stdin.closed:
                os.write(self._in, data)
                self._popen.stdin.close()
            self._popen.wait(wait_s)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return True

    def kill(self) -> None:
        """Kill and reap the process and everything it started."""
        watch_descendants()
        if self._inner:
            self._inner.kill(self._popen)
        try:
            os.killpg(self._popen.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._popen.kill()
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()
        self._cpu_clock = None
        self._family.close()
        _LIVE.discard(self._popen.pid)
        end_strays(_LIVE)
        if self._group:
            self._group.remove()
        if self._scratch is not None:
            self._scratch.remove()
            self._scratch = None

    def _fill(self, now_ns: int, until_ns: int) -> None:
        """Read what is there or comes until then."""
        if now_ns >= self._use.due_ns and (excess := self._use.excess(now_ns)):
            raise ProcessEnded(None, excess=excess)
        wait_ns = max(0, min(until_ns, self._use.due_ns) - now_ns)
        if 0 < wait_ns < POLL_NS:
            # `poll` would wait for a whole millisecond.
            ready = select.select(self._open, (), (), wait_ns / 1e9)[0]
        else:
            ready = [descriptor for descriptor, _ in self._poll.poll(wait_ns / 1e6)]
        for descriptor in ready:
            try:
                data = os.read(descriptor, CHUNK)
            except BlockingIOError:
                continue
            if descriptor == self._err:
                self._keep_log(data)
            elif data:
                self._split(data)
            else:
                raise self._ended()
            if self._bound and (fault := self._bound.fault(self._lines_told, self._bytes_told)):
                raise ProcessFlood(fault)

    def _split(self, data: bytes) -> None:
        """Add output to the lines that wait to be read."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.lines += lines
        self._lines_told += len(lines)
        self._bytes_told += len(data)

    def _write_rest(self, data: bytes, deadline_ns: int) -> None:
        poll = select.poll()
        poll.register(self._in, select.POLLOUT)
        while data:
            wait_ns = deadline_ns - time.monotonic_ns()
            if wait_ns <= 0 or not poll.poll(wait_ns / 1e6):
                raise ProcessLate
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._ended() from None

    def _keep_log(self, data: bytes) -> None:
        if not data:
            self._poll.unregister(self._err)
            self._open = (self._out,)
            return
        self._bytes_told += len(data)
        self._log += data
        del self._log[:-LOG_MAX]

    def _read_log(self) -> None:
        # Bounded, so that a bot that floods its log can't trap the reader here.
        for _ in range(64):
            try:
                data = os.read(self._err, CHUNK)
            except (BlockingIOError, OSError, ValueError):
                return
            if not data:
                return
            self._log += data
            del self._log[:-LOG_MAX]

    def _ended(self) -> ProcessEnded:
        try:
            returncode: int | None = self._popen.wait(EXIT_S)
        except subprocess.TimeoutExpired:
            returncode = None
        excess = Excess.MEMORY if self._group and self._group.is_out_of_memory else None
        sender = Sender.UNKNOWN
        if self._is_nested and returncode is not None:
            if returncode < 0:
                sender = Sender.OUTSIDE
            elif returncode > _SIGNAL_STATUS:
                # Like a shell, bubblewrap and a namespace report a signal as 128 plus its number.
                returncode = _SIGNAL_STATUS - returncode
                if memory_kills() == self._memory_kills:
                    sender = Sender.ITSELF
        return ProcessEnded(returncode, sender, excess=excess)


def freeze_strays_of_bots() -> None:
    """Suspend processes that bots started and left to this process as subreaper."""
    freeze_strays(_LIVE)


def end_strays_of_bots() -> None:
    """End processes that bots started and left to this process as subreaper."""
    end_strays(_LIVE)


def describe_exit(returncode: int | None) -> str:
    """Describe how a process ended."""
    if returncode is None:
        return "closed its output without exiting"
    if returncode >= 0:
        return f"exited with status {returncode}"
    try:
        name = signal.Signals(-returncode).name
    except ValueError:
        name = f"signal {-returncode}"
    return f"was ended by {name}"


def _pipes_of(popen: "subprocess.Popen[bytes]") -> Sequence[int]:
    """Make the pipes of a process non-blocking and return their descriptors."""
    pipes = (popen.stdin, popen.stdout, popen.stderr)
    descriptors = [pipe.fileno() for pipe in pipes if pipe is not None]
    for descriptor in descriptors:
        os.set_blocking(descriptor, False)
    return descriptors
