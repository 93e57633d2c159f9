"""One log file for all processes of a run."""

import json
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import QueueHandler, RotatingFileHandler
from pathlib import Path
from queue import Empty, SimpleQueue

from league.platform import datagrams, send_datagram

LOG_FORMAT = "%(asctime)s %(levelname)-7s %(processName)s[%(process)d] %(message)s"

FILE_MAX = 64 << 20
"""Maximum bytes of a log file; a full one is renamed with `.1` at its end, replacing the last."""

MESSAGE_MAX = 16_000
"""Longer messages are cut to fit a datagram."""

SEND_S = 1.0
"""Longest time that a process waits for room in the channel before it drops a line."""

ENDING_S = 0.001
"""Longest wait for a record once the run is over: those that were sent are there."""

DATAGRAM_MAX = 1 << 20
"""Larger than the system's maximum datagram."""

_LOGGER = logging.getLogger("league")
# A run without a log is silent; faults are in the records of their matches.
_LOGGER.addHandler(logging.NullHandler())


class LogChannel:
    """A queue of log records between processes, without threads or locks.

    multiprocessing's queue starts a thread in each writer, and a worker killed while writing keeps
    its lock. A datagram arrives whole or not at all.
    """

    def __init__(self) -> None:
        self._reader, self.writer = datagrams()
        self.writer.settimeout(SEND_S)
        self._is_ending = False

    def put_nowait(self, record: logging.LogRecord) -> None:
        """Send a record."""
        _send(self.writer, record)

    def get(self, timeout: float | None = None) -> logging.LogRecord:
        """Return the next record; raise `queue.Empty` after `timeout` seconds without one."""
        self._reader.settimeout(ENDING_S if self._is_ending else timeout)
        try:
            return logging.makeLogRecord(json.loads(self._reader.recv(DATAGRAM_MAX)))
        except (TimeoutError, BlockingIOError, ValueError):
            raise Empty from None

    def qsize(self) -> int:
        """Return 1 if a record is waiting, else 0."""
        # With a timeout, Python waits whatever the flags say.
        self._reader.settimeout(0)
        try:
            return len(self._reader.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return 0

    def end(self) -> None:
        """Let nobody wait for records any more who waits for the end."""
        self._is_ending = True
        with suppress(OSError):
            send_datagram(self.writer, b"")

    def close(self) -> None:
        """Close both ends."""
        self._reader.close()
        self.writer.close()

    def join_thread(self) -> None:
        """Return at once: there is no thread."""


class _Sender(QueueHandler):
    """Sends a worker's log records to the runner."""

    def __init__(self, writer: socket.socket) -> None:
        super().__init__(SimpleQueue())
        self._writer = writer

    def enqueue(self, record: logging.LogRecord) -> None:
        _send(self._writer, record)


def _send(writer: socket.socket, record: logging.LogRecord) -> None:
    """Send a record as JSON: unlike pickle, it can't make the runner execute code."""
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
        send_datagram(writer, json.dumps(data).encode())


class _LogFile(RotatingFileHandler):
    """A log file that drops what it can't write."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the record: on a full disk a traceback for each would flood standard error."""

    def close(self) -> None:
        """Close the file, without the lines that it has no room for."""
        with suppress(OSError):
            super().close()


class RunLog:
    """The log file of one run, shared by the runner and its workers.

    A thread of multiprocessing-logging moves records from a channel to the file. The channel exists
    from the beginning, the thread from `start` on: the process that forks workers is forked in
    between, since forking beside a thread is unsafe. Raises `OSError` if the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.channel = LogChannel()
        # A bot's output may contain lone surrogates, which UTF-8 can't encode.
        self._sink = _LogFile(
            path, maxBytes=FILE_MAX, backupCount=1, encoding="utf-8", errors="backslashreplace"
        )
        self._sink.setFormatter(logging.Formatter(LOG_FORMAT))
        self._handler: logging.Handler | None = None

    def start(self) -> None:
        """Start the writing thread; earlier records are kept."""
        from multiprocessing_logging import MultiProcessingHandler  # noqa: PLC0415 (only for runs)

        if self._handler is None:
            handler = MultiProcessingHandler("run-log", sub_handler=self._sink)
            handler.queue = self.channel
            self._handler = handler
            _log_through(handler)

    def close(self) -> None:
        """Write pending records and close the file."""
        if self._handler is None:
            self._sink.close()
        else:
            _LOGGER.removeHandler(self._handler)
            _LOGGER.propagate = True
            self.channel.end()
            self._handler.close()
        self.channel.close()


def log_to(writer: socket.socket) -> None:
    """Send this process's log records through the run's channel."""
    for handler in list(_LOGGER.handlers):
        _LOGGER.removeHandler(handler)
    _log_through(_Sender(writer))


def _log_through(handler: logging.Handler) -> None:
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False
    _LOGGER.addHandler(handler)


@contextmanager
def run_log(path: Path) -> Iterator[RunLog]:
    """Keep the run's log open; raise `OSError` if the file can't be written."""
    log = RunLog(path)
    try:
        yield log
    finally:
        log.close()
