"""The log of failures: each answer with status 500, with its traceback."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import Request

_log = logging.getLogger("league.web")

PATH_SHOWN = 200
"""So many characters of an address are logged."""

HIDDEN = "token"
"""The parameter of a path that is a secret."""


def log_failure(request: Request, error: Exception) -> None:
    """Log why a request gets status 500."""
    path = request.scope["path"]
    if secret := request.path_params.get(HIDDEN):
        path = path.replace(secret, "…")
    _log.error("%s %r failed", request.method, path[:PATH_SHOWN], exc_info=error)


class _Telling(logging.Handler):
    """Passes the text of each record on."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record on."""
        self._tell(f"{record.levelname.lower()}: {self.format(record)}")


@contextmanager
def failures_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Give `tell` what the dashboard logs, for a dashboard that has no log of its own."""
    handler = _Telling(tell)
    _log.addHandler(handler)
    try:
        yield
    finally:
        _log.removeHandler(handler)
