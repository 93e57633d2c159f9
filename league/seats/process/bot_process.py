"""A bot's process: raw pipes, deadlines, the tail of its log, and an end that ends it all."""

import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from league.seats.process.rlimits import CPU_S, ProcessLimits
from league.seats.process.sandbox_handshake import SandboxCommand, SandboxHandshake
from league.seats.process.subreaper import end_strays, freeze, thaw

CHUNK = 65536
LINE_MAX = 1 << 20
LOG_MAX = 16384

EXIT_S = 2.0
"""How long a process may take to be gone once its output has ended.

The system closes the files of a process a moment before the process is gone. On a busy machine that
moment is long, and a bot that was killed from outside must not pass for one that hung up.
"""

_CPUCLOCK_SCHED = 2
_SIGNAL_STATUS = 128

_LIVE: set[int] = set()
"""The bots' processes that this process has started and not ended."""


class ProcessLate(Exception):
    """Nothing came before the deadline."""


class ProcessEnded(Exception):
    """The process is gone or closed its output; `returncode` is negative for a signal."""

    def __init__(self, returncode: int | None) -> None:
        super().__init__(describe_exit(returncode))
        self.returncode = returncode


class ProcessFlood(Exception):
    """More came than any answer has."""


class BotProcess:
    """A child process in a session of its own, spoken to by lines.

    Its own session keeps a Ctrl-C in the terminal from it, and lets `kill` reach its children.
    `scratch` is removed with it. A function for a command makes the one that starts a sandbox, of
    the options by which it tells of the process in it. Raises `OSError` when the command can't be
    started.
    """

    def __init__(
        self,
        command: Sequence[str] | SandboxCommand,
        env: Mapping[str, str],
        folder: Path,
        limits: ProcessLimits,
        scratch: Path | None = None,
    ) -> None:
        handshake = None
        if callable(command):
            handshake = SandboxHandshake()
            command = command(handshake.options)
        try:
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
                preexec_fn=partial(limits.enter, os.getpid()),
            )
            self._in, self._out, self._err = _pipes_of(self._popen)
            self._inner = handshake.open(limits, self._popen) if handshake else None
        finally:
            if handshake:
                handshake.close()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._buffer = b""
        self._log = bytearray()
        self._scratch = scratch
        self._is_frozen = False
        self._cpu_clock: int | None = None
        _LIVE.add(self._popen.pid)

    @property
    def pid(self) -> int:
        """The number of the bot's own process; its sandbox's while that is being made."""
        return (self._inner and self._inner.pid) or self._popen.pid

    @property
    def is_spent(self) -> bool:
        """Whether it has used so much computing time that another match may take the rest."""
        return (self.cpu_ns() or 0) > CPU_S * 1e9 / 2

    def freeze(self) -> None:
        """Stop it with all its children until it is written to."""
        if not self._is_frozen:
            self._is_frozen = True
            freeze(self.leader)

    def _thaw(self) -> None:
        self._is_frozen = False
        thaw(self.leader)

    @property
    def leader(self) -> int:
        """The number of the first of its processes: the same for as long as it runs."""
        return self._inner.first if self._inner else self._popen.pid

    def write(self, data: bytes, deadline_ns: int) -> None:
        """Write one whole message; raise `ProcessLate` when the bot does not read it in time."""
        if self._is_frozen:
            self._thaw()
        try:
            written = os.write(self._in, data)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            raise self._ended() from None
        if written < len(data):
            self._write_rest(data[written:], deadline_ns)

    def read_line(self, deadline_ns: int) -> bytes:
        """Return the next line without its end.

        Raises `ProcessLate` at the deadline (a reading of `time.monotonic_ns`), `ProcessEnded`
        when no line can come any more, and `ProcessFlood` when a line has no end.
        """
        while True:
            buffer = self._buffer
            end = buffer.find(b"\n") if buffer else -1
            if end >= 0:
                self._buffer = buffer[end + 1 :]
                return buffer[:end]
            if len(buffer) > LINE_MAX:
                raise ProcessFlood(f"more than {LINE_MAX} bytes without the end of a line")
            wait_ns = deadline_ns - time.monotonic_ns()
            if wait_ns <= 0:
                raise ProcessLate
            self._fill(wait_ns / 1e6)

    def forget_lines(self) -> None:
        """Leave the whole lines out that have come already."""
        if self._buffer:
            self._buffer = self._buffer.rpartition(b"\n")[2]

    def cpu_ns(self) -> int | None:
        """Return the CPU time the process has used so far; None where that is not told."""
        clock = self._cpu_clock
        if clock is None:
            # Not sooner: a sandbox has its bot in it once that has answered.
            pid = self._inner.pid if self._inner else self._popen.pid
            self._cpu_clock = clock = _cpu_clock(pid) if pid else None
        if clock is None:
            return None
        try:
            return time.clock_gettime_ns(clock)
        except OSError:
            return None

    def forget_log(self) -> None:
        """Start the log tail anew."""
        self._read_log()
        self._log.clear()

    def log(self) -> str:
        """Return the tail of what the bot wrote to its standard error."""
        self._read_log()
        return self._log.decode("utf-8", "replace")

    def leave(self, data: bytes, wait_s: float) -> bool:
        """Write a last message, close the process's input, and say whether it ends in `wait_s`."""
        if self._is_frozen:
            self._thaw()
        try:
            if self._popen.stdin is not None and not self._popen.stdin.closed:
                os.write(self._in, data)
                self._popen.stdin.close()
            self._popen.wait(wait_s)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return True

    def kill(self) -> None:
        """End the process and all that it has started, and take it off the system's table."""
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
        _LIVE.discard(self._popen.pid)
        end_strays(_LIVE)
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _fill(self, wait_ms: float) -> None:
        for descriptor, _ in self._poll.poll(wait_ms):
            try:
                data = os.read(descriptor, CHUNK)
            except BlockingIOError:
                continue
            if descriptor == self._err:
                self._keep_log(data)
            elif data:
                self._buffer += data
            else:
                raise self._ended()

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
            return
        self._log += data
        del self._log[:-LOG_MAX]

    def _read_log(self) -> None:
        # Bounded: a bot that floods its log must not keep its reader here.
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
        if self._inner and returncode is not None and returncode > _SIGNAL_STATUS:
            # So bubblewrap, like a shell, tells of a signal that ended the bot.
            returncode = _SIGNAL_STATUS - returncode
        return ProcessEnded(returncode)


def end_strays_of_bots() -> None:
    """End what bots have started and left to this process, which takes in strays."""
    end_strays(_LIVE)


def describe_exit(returncode: int | None) -> str:
    """Say in words how a process ended."""
    if returncode is None:
        return "closed its output without exiting"
    if returncode >= 0:
        return f"exited with status {returncode}"
    try:
        name = signal.Signals(-returncode).name
    except ValueError:
        name = f"signal {-returncode}"
    return f"was ended by {name}"


def _cpu_clock(pid: int) -> int | None:
    # Linux numbers the CPU clock of another process so (clock_getcpuclockid(3)); Python has no
    # name for it. Reading it takes a microsecond, where /proc takes twenty and counts in jiffies.
    clock = (~pid << 3) | _CPUCLOCK_SCHED
    try:
        time.clock_gettime_ns(clock)
    except OSError:
        return None
    return clock


def _pipes_of(popen: "subprocess.Popen[bytes]") -> Sequence[int]:
    """Return the descriptors of its input, output and errors, which are made not to block."""
    pipes = (popen.stdin, popen.stdout, popen.stderr)
    descriptors = [pipe.fileno() for pipe in pipes if pipe is not None]
    for descriptor in descriptors:
        os.set_blocking(descriptor, False)
    return descriptors
