"""One log file for all processes of a run."""

import json
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import QueueHandler
from pathlib import Path
from queue import Empty, SimpleQueue

LOG_FORMAT = "%(asctime)s %(levelname)-7s %(processName)s[%(process)d] %(message)s"

MESSAGE_MAX = 16_000
"""A longer message is cut: a datagram has to hold it."""

SEND_S = 1.0
"""How long a process waits for room in the channel before a line is lost."""

DATAGRAM_MAX = 1 << 20
"""More bytes than the system takes for one datagram."""

_LOGGER = logging.getLogger("league")


class LogChannel:
    """A queue of log records between processes that has neither a thread nor a lock.

    multiprocessing's own queue starts a thread in each process that writes to it, and a worker that
    is killed while it writes keeps the queue's lock. A datagram arrives whole or not at all.
    """

    def __init__(self) -> None:
        self._reader, self.writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.writer.settimeout(SEND_S)

    def put_nowait(self, record: logging.LogRecord) -> None:
        """Send a record."""
        _send(self.writer, record)

    def get(self, timeout: float | None = None) -> logging.LogRecord:
        """Return the next record; raise `queue.Empty` after `timeout` seconds without one."""
        self._reader.settimeout(timeout)
        try:
            return logging.makeLogRecord(json.loads(self._reader.recv(DATAGRAM_MAX)))
        except (TimeoutError, BlockingIOError, ValueError):
            raise Empty from None

    def qsize(self) -> int:
        """Return 1 where a record is waiting, else 0."""
        try:
            return len(self._reader.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Let both ends go."""
        self._reader.close()
        self.writer.close()

    def join_thread(self) -> None:
        """Return at once: there is no thread."""


class _Sender(QueueHandler):
    """Sends what a worker logs to the runner."""

    def __init__(self, writer: socket.socket) -> None:
        super().__init__(SimpleQueue())
        self._writer = writer

    def enqueue(self, record: logging.LogRecord) -> None:
        _send(self._writer, record)


def _send(writer: socket.socket, record: logging.LogRecord) -> None:
    """Send a record as JSON: a bot that reached the channel could not make the runner run code."""
    data = {
        "name": record.name,
        "levelno": record.levelno,
        "levelname": record.levelname,
        "msg": record.getMessage()[:MESSAGE_MAX],
        "exc_text": record.exc_text and record.exc_text[:MESSAGE_MAX],
        "created": record.created,
        "msecs": record.msecs,
        "processName": record.processName,
        "process": record.process,
    }
    with suppress(OSError):
        writer.send(json.dumps(data).encode())


class RunLog:
    """The log of one run: the lines of the runner and of its workers arrive in the same file.

    multiprocessing-logging writes the file, in a thread that takes records off a channel. The
    channel exists from the beginning, and the thread from `start` on: the process that forks the
    workers is forked in between, so that nothing forks beside a thread. Raises `OSError` when the
    file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.channel = LogChannel()
        # A bot's last words may hold half a surrogate pair, which UTF-8 can't.
        self._sink = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
        self._sink.setFormatter(logging.Formatter(LOG_FORMAT))
        self._handler: logging.Handler | None = None

    def start(self) -> None:
        """Write from now on, in a thread of this process; what has come before is kept."""
        from multiprocessing_logging import MultiProcessingHandler  # noqa: PLC0415 (only for runs)

        if self._handler is None:
            handler = MultiProcessingHandler("run-log", sub_handler=self._sink)
            handler.queue = self.channel
            self._handler = handler
            _log_through(handler)

    def close(self) -> None:
        """Write what is on its way and let the file go."""
        if self._handler is None:
            self._sink.close()
        else:
            _LOGGER.removeHandler(self._handler)
            _LOGGER.propagate = True
            self._handler.close()
        self.channel.close()


def log_to(writer: socket.socket) -> None:
    """Send what this process logs through the channel of its run."""
    for handler in list(_LOGGER.handlers):
        _LOGGER.removeHandler(handler)
    _log_through(_Sender(writer))


def _log_through(handler: logging.Handler) -> None:
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False
    _LOGGER.addHandler(handler)


@contextmanager
def run_log(path: Path) -> Iterator[RunLog]:
    """Keep the run's log open; raise `OSError` when the file can't be written."""
    log = RunLog(path)
    try:
        yield log
    finally:
        log.close()
