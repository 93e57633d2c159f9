"""The events of a host: one line each, in the terminal and in rotated files."""

import json
import logging
import sys
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Protocol

from games.support.printable import printable
from league.model.errors import SetupError

LOGGER = "league.hosting.supervisor"

FILE_BYTES, FILES = 16 << 20, 8
"""A full log file gets a number at its end; so many older ones are kept."""


class Tell(Protocol):
    """Takes an event: its kind in a word, its text, and the process that it is about."""

    def __call__(self, kind: str, text: str, part: str = "host") -> None:
        """Tell it."""


class Events:
    """Writes events to standard error, as text or JSON, and to a logger of that process."""

    def __init__(self, *, as_json: bool, is_quiet: bool = False) -> None:
        self._as_json = as_json
        self._is_quiet = is_quiet

    def __call__(self, kind: str, text: str, part: str = "host") -> None:
        """Write an event."""
        text = printable(text)
        level = logging.WARNING if kind in WARNINGS else logging.INFO
        logging.getLogger(LOGGER).log(level, "%s: %s", kind, text, extra={"part": part})
        if self._is_quiet:
            return
        at_s = time.time()
        if self._as_json:
            line = json.dumps({"at": round(at_s, 3), "event": kind, "part": part, "text": text})
        else:
            line = f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(at_s))}  {text}"
        try:
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
        except OSError:
            # A terminal that is gone stops no league.
            self._is_quiet = True


WARNINGS = frozenset({"ended", "failed", "killed", "silent", "warning", "low disk"})
"""The events that somebody should look at."""


class _JsonLines(logging.Formatter):
    """Writes a record as an object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "text": printable(record.getMessage()),
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told)


class _TextLines(logging.Formatter):
    """Writes a record as text without control characters; a traceback keeps its lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802, RUF100 (logging's name)
        return printable(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record), keep_lines=True)


def log_to(folder: Path, part: str, *, as_json: bool) -> Callable[[], None]:
    """Write what the league logs in this process to `FOLDER/PART.log`; return what ends that.

    Each process has files of its own, since none may rotate a file that another one writes.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / f"{part}.log", maxBytes=FILE_BYTES, backupCount=FILES, encoding="utf-8"
        )
    except OSError as error:
        raise SetupError(f"can't write logs in {str(folder)!r}: {error.strerror}") from None
    lines = _JsonLines() if as_json else _TextLines("%(asctime)s %(levelname)-7s %(message)s")
    handler.setFormatter(lines)
    handler.setLevel(logging.INFO)
    logger = logging.getLogger("league")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(min(before or logging.INFO, logging.INFO))

    def end() -> None:
        logger.removeHandler(handler)
        logger.setLevel(before)
        handler.close()

    return end
