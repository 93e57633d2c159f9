"""One log file for all processes of a run."""

import logging
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener
from pathlib import Path

FORMAT = "%(asctime)s %(levelname)-7s %(processName)s[%(process)d] %(message)s"


class RunLog:
    """The log of one run: the runner's and the workers' lines arrive in the same file.

    Workers forked while it is open write to it through multiprocessing-logging, which needs
    fork; where another start method is set, the standard QueueHandler does the same.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._logger = logging.getLogger("league")
        self._listener: QueueListener | None = None
        self._open()

    def renew(self) -> None:
        """Start over with fresh pipes: a worker that was killed may have left a lock taken."""
        self.close()
        self._open()

    def close(self) -> None:
        """Write what is on its way and let the file go."""
        if self._listener is not None:
            self._listener.stop()
            self._listener = None
        for handler in list(self._logger.handlers):
            self._logger.removeHandler(handler)
            queue = getattr(handler, "queue", None)
            handler.close()
            if queue is not None:
                # Else Python's exit waits for a pipe that nobody reads any more.
                queue.cancel_join_thread()

    def _open(self) -> None:
        from multiprocessing_logging import install_mp_handler  # noqa: PLC0415 (only for runs)

        # A bot's last words may hold half a surrogate pair, which UTF-8 can't.
        sink = logging.FileHandler(self.path, encoding="utf-8", errors="backslashreplace")
        sink.setFormatter(logging.Formatter(FORMAT))
        self._logger.setLevel(logging.INFO)
        self._logger.propagate = False
        if multiprocessing.get_start_method() == "fork":
            self._logger.addHandler(sink)
            install_mp_handler(self._logger)
            return
        queue = multiprocessing.get_context("fork").Queue(-1)
        self._listener = QueueListener(queue, sink)
        self._listener.start()
        self._logger.addHandler(QueueHandler(queue))


@contextmanager
def run_log(path: Path) -> Iterator[RunLog]:
    """Keep the run's log open; raise `OSError` when the file can't be written."""
    log = RunLog(path)
    try:
        yield log
    finally:
        log.close()
