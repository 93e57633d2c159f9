"""A provider of models: asked a few times at once, and again after it has failed."""

import json
import re
import time
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

from games.support.printable import cut, drawable
from league.model.clock import now
from league.model.model_calls import ModelCall
from league.model.number_format import exact_span
from league.seats.language_model.api import UNTOLD, ModelApi, ProtocolError, Reply, Usage
from league.seats.language_model.provider_board import ProviderBoard
from league.seats.language_model.settings import ModelSettings, ProviderKey
from league.seats.seat import SeatUnavailable
from league.seats.server.connection import (
    Request,
    Response,
    ServerConnection,
    ServerFailed,
    ServerLate,
)

ANSWER_BYTES = 4_000_000
"""Size limit of an answer: a model may tell its thoughts."""

CONNECT_S = 20.0
"""Longest time for a connection, which is not on the bot's clock."""

TRIES = 8
"""A provider is asked so often before the match waits for another day."""

WAIT_MAX_S = 60.0
"""Longest wait before a provider is asked again that does not say when."""

WORDS_MAX = 200
"""Number of characters of a provider's own words to show."""

PASSING = frozenset({408, 409, 425, 429})
"""Statuses besides those from 500 on after which it helps to wait."""


class CallEntry(Protocol):
    """The place of a call in the books; it may raise `DatabaseError`."""

    def note(self) -> None:
        """Keep that it is sent."""

    def answer(self, reply: Reply, usage: Usage, took_ms: int) -> ModelCall:
        """Keep the model's answer, and return the call."""

    def late(self, took_ms: int) -> ModelCall:
        """Keep that the answer is late, and return the call."""

    def fail(self, text: str, usage: Usage | None, took_ms: int) -> None:
        """Keep how the provider failed; `usage` is None if that costs nothing."""


class CallLate(Exception):
    """The model has not answered in its time."""


class ProviderFailed(Exception):
    """The provider gave no answer of a model: nobody's fault.

    `wait_s` is how long it asks to wait, None if it does not say. If it is not `passing`, it does
    not help to wait. `usage` has the tokens of a call that may cost money, None if it does not.
    """

    def __init__(
        self,
        text: str,
        *,
        wait_s: float | None = None,
        passing: bool = True,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(text)
        self.wait_s = wait_s
        self.passing = passing
        self.usage = usage


class Provider:
    """Where the model of the bot `name` is asked."""

    def __init__(
        self,
        name: str,
        api: type[ModelApi],
        settings: ModelSettings,
        key: ProviderKey,
        board: ProviderBoard,
    ) -> None:
        self._title = f"the provider of bot {name!r} at {settings.url}"
        self._api, self._settings, self._key, self._board = api, settings, key, board

    def ask(self, body: dict[str, Any], limit_ms: int, entry: CallEntry) -> ModelCall:
        """Return the call with the model's answer, or as a late one.

        Raises `SeatUnavailable` if the provider keeps failing: then nobody in this run asks it
        again.
        """
        end_s = time.monotonic() + self._settings.patience
        for tried in range(1, TRIES + 1):
            self._board.require_open()
            begin = time.monotonic_ns()
            try:
                # Until the answer is stored: a run that ends waits for the calls that are open.
                with self._board.slot():
                    entry.note()
                    begin = time.monotonic_ns()
                    return self._asked_once(body, limit_ms, entry)
            except ProviderFailed as failed:
                entry.fail(str(failed), failed.usage, _ms_since(begin))
                self._wait_after(failed, tried, end_s)
        raise AssertionError("the last try returns or raises")

    def _asked_once(self, body: dict[str, Any], limit_ms: int, entry: CallEntry) -> ModelCall:
        try:
            response, took_ms = self._exchange(body, limit_ms / 1e3)
        except CallLate:
            return entry.late(limit_ms)
        if response.status != 200:
            raise self._failure(f"status {response.status}", response.status, response)
        return entry.answer(*self._read(response), took_ms)

    def _wait_after(self, failed: ProviderFailed, tried: int, end_s: float) -> None:
        """Wait until the provider may be asked again; raise `SeatUnavailable` if that is too late.

        `end_s` is when the bot's patience ends.
        """
        wait_s = min(WAIT_MAX_S, 2.0**tried / 4) if failed.wait_s is None else failed.wait_s
        is_too_long = time.monotonic() + wait_s > end_s
        told = f"{self._title} {failed}"
        if failed.passing and tried < TRIES and not is_too_long:
            self._board.wait(wait_s, f"waiting for {exact_span(wait_s)}: {told}")
            return
        if failed.wait_s is not None and is_too_long:
            told += f" and asks to wait for {exact_span(wait_s)}"
        self._board.end(told)
        raise SeatUnavailable(told)

    def _exchange(self, body: dict[str, Any], limit_s: float) -> tuple[Response, int]:
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
            except ServerFailed as failed:
                # Nobody knows whether the model has answered, and what for.
                raise ProviderFailed(str(failed), usage=UNTOLD) from None
            return response, _ms_since(begin)
        except ServerFailed as failed:
            raise ProviderFailed(str(failed)) from None
        finally:
            server.close()

    def _read(self, response: Response) -> tuple[Reply, Usage]:
        try:
            answer = json.loads(response.body)
        except (ValueError, RecursionError):
            answer = None
        usage, hidden = self._api.usage(answer), self._key.hidden_in
        try:
            reply = self._api.read(answer)
        except (ProtocolError, ValueError, LookupError, TypeError, AttributeError):
            if isinstance(answer, dict) and answer.get("error"):
                raise self._error_in(answer["error"], usage, response) from None
            text = "answered with a body that is not of its protocol"
            raise ProviderFailed(text, usage=usage) from None
        return replace(reply, text=hidden(reply.text), model=hidden(reply.model)), usage

    def _error_in(self, error: Any, usage: Usage, response: Response) -> ProviderFailed:
        """Return the failure that an answer of status 200 has in its body."""
        code = str(error.get("code")) if isinstance(error, dict) else ""
        is_status = re.fullmatch("[45][0-9][0-9]", code)
        told = f"an error of status {code}" if is_status else "an error"
        # One without a status may be over when it is asked again.
        failed = self._failure(told, int(code) if is_status else 500, response)
        failed.usage = None if usage == UNTOLD else usage
        return failed

    def _failure(self, told: str, status: int, response: Response) -> ProviderFailed:
        words = self._key.struck_from(drawable(_words_of(response.body)))
        quoted = f" ({cut(words, WORDS_MAX)})" if words else ""
        return ProviderFailed(
            f"answered with {told}{quoted}",
            wait_s=_seconds(response.retry_after),
            passing=status in PASSING or status >= 500,
        )


def _words_of(body: bytes) -> str:
    """Return the message of an error in the usual forms; '' for anything else, as a page."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    error = found.get("error", found) if isinstance(found, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else ""


def _seconds(retry_after: str) -> float | None:
    """Return how long a header `Retry-After` asks to wait; None if it does not say."""
    if retry_after.isdecimal():
        return float(retry_after[:9])
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - now())
    except (ValueError, OverflowError):
        return None


def _ms_since(begin: int) -> int:
    return (time.monotonic_ns() - begin) // 1_000_000
