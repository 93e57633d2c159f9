"""A provider of models: asked a few times at once, and again after it has failed."""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from league.seats.language_model.api import ModelApi, ProtocolError, Reply
from league.seats.language_model.settings import ModelSettings, ProviderKey
from league.seats.seat import SeatUnavailable
from league.seats.server.connection import Request, ServerConnection, ServerFailed, ServerLate

ANSWER_BYTES = 4_000_000
"""Size limit of an answer: a model may tell its thoughts."""

CONNECT_S = 20.0
"""Longest time for a connection, which is not on the bot's clock."""

TRIES = 8
"""A provider is asked so often before the match waits for another day."""

WAIT_MAX_S = 60.0
"""Longest wait before a provider is asked again."""

SLOT_WAIT_S = 0.02
"""Interval between looks for a call that has ended."""

PASSING = frozenset({408, 409, 425, 429})
"""Statuses besides those from 500 on after which it helps to wait."""


class CallLate(Exception):
    """The model has not answered in its time."""


class ProviderFailed(Exception):
    """The provider gave no answer of a model: nobody's fault.

    `wait_s` is how long it asks to wait, None if it does not say. If it is not `passing`, it does
    not help to wait.
    """

    def __init__(self, text: str, *, wait_s: float | None = None, passing: bool = True) -> None:
        super().__init__(text)
        self.wait_s = wait_s
        self.passing = passing


class Provider:
    """Where a bot's model is asked; processes that share a `folder` share the limit of calls."""

    def __init__(
        self, api: type[ModelApi], settings: ModelSettings, key: ProviderKey, folder: Path | None
    ) -> None:
        self._api, self._settings, self._key = api, settings, key
        if folder is not None:
            folder /= "calls-" + sha256(settings.url.encode()).hexdigest()[:16]
            folder.mkdir(mode=0o700, exist_ok=True)
        self._folder = folder

    def ask(
        self, body: dict[str, Any], limit_s: float, on_failure: Callable[[str, int], None]
    ) -> tuple[Reply, int]:
        """Return the model's answer and its time in ms.

        Tells `on_failure` of each failure of the provider, with the time of that call. Raises
        `CallLate` if the answer takes longer than `limit_s`, and `SeatUnavailable` if the provider
        keeps failing.
        """
        end_s = time.monotonic() + self._settings.patience
        for tried in range(1, TRIES + 1):
            begin = time.monotonic_ns()
            try:
                with self._slot():
                    begin = time.monotonic_ns()
                    return self._exchange(body, limit_s)
            except ProviderFailed as failed:
                on_failure(str(failed), _ms_since(begin))
                wait_s = min(WAIT_MAX_S, 2.0**tried / 4 if failed.wait_s is None else failed.wait_s)
                is_over = tried == TRIES or time.monotonic() + wait_s > end_s
                if is_over or not failed.passing:
                    raise SeatUnavailable(f"its provider {failed}") from None
                time.sleep(wait_s)
        raise AssertionError("the last try returns or raises")

    def _exchange(self, body: dict[str, Any], limit_s: float) -> tuple[Reply, int]:
        request = Request(
            "POST", self._api.path, json.dumps(body).encode(), self._api.headers(self._key.reveal())
        )
        # A fresh connection for each call: a call on one that the server has closed meanwhile would
        # have to be sent again, and perhaps paid again.
        server = ServerConnection(self._settings.url, ANSWER_BYTES)
        try:
            try:
                server.open(request, time.monotonic_ns() + int(CONNECT_S * 1e9))
            except ServerLate:
                raise ProviderFailed(f"accepted no connection within {CONNECT_S:g} s") from None
            begin = time.monotonic_ns()
            try:
                response = server.exchange(request, begin + int(limit_s * 1e9))
            except ServerLate:
                raise CallLate from None
            took_ms = _ms_since(begin)
        except ServerFailed as failed:
            raise ProviderFailed(str(failed)) from None
        finally:
            server.close()
        if response.status != 200:
            # Nothing of the body: it may have a part of the key.
            raise ProviderFailed(
                f"answered with status {response.status}",
                wait_s=_seconds(response.retry_after),
                passing=response.status in PASSING or response.status >= 500,
            )
        try:
            reply = self._api.read(json.loads(response.body))
            hidden = self._key.hidden_in
            return replace(reply, text=hidden(reply.text), model=hidden(reply.model)), took_ms
        except (ProtocolError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise ProviderFailed("answered with a body that is not of its protocol") from None

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Hold one of the calls that the provider allows at once; wait for a free one."""
        if self._folder is None:
            yield
            return
        while (held := self._free_slot(self._folder)) is None:
            time.sleep(SLOT_WAIT_S)
        try:
            yield
        finally:
            os.close(held)

    def _free_slot(self, folder: Path) -> int | None:
        for place in range(self._settings.at_once):
            descriptor = os.open(folder / str(place), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                # The kernel releases it with its holder, which may be killed.
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(descriptor)
                continue
            return descriptor
        return None


def _seconds(retry_after: str) -> float | None:
    """Read a header `Retry-After` in seconds; None for a date or nothing."""
    return float(retry_after) if retry_after.isdecimal() else None


def _ms_since(begin: int) -> int:
    return (time.monotonic_ns() - begin) // 1_000_000
