"""The calls of one bot in its matches: their budgets, and the books."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from league.model.errors import DatabaseError
from league.model.model_calls import CallFault, ModelCall, cost_of
from league.model.records import BotVersion, Termination
from league.seats.language_model.answer import ANSWER_MAX
from league.seats.language_model.api import APIS, UNTOLD, Reply, Usage
from league.seats.language_model.call_book import CallBook
from league.seats.language_model.provider import Provider
from league.seats.language_model.settings import ModelSettings
from league.seats.seat import SeatFault, SeatUnavailable


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Where a call belongs: its place in the match, and the seat's seed there."""

    ply: int
    seat: int
    attempt: int
    seed: int


Judge = Callable[[str], CallFault | None]
"""Finds a fault in an answer, or None."""


class _Entry:
    """A call in the books: noted before each time it is sent, settled when that has ended.

    Raises `SeatUnavailable` for a bot whose money in the tournament is used up or can't be counted.
    """

    def __init__(
        self, book: CallBook, asked: ModelCall, name: str, settings: ModelSettings, judge: Judge
    ) -> None:
        self._book, self._asked, self._name = book, asked, name
        self._settings, self._judge = settings, judge
        self._number = 0

    def note(self) -> None:
        """Keep that it is sent."""
        budget = self._settings.budget
        if budget is not None and self._book.spent(self._asked.version) >= budget:
            raise SeatUnavailable(f"bot {self._name!r} has used up its budget of {budget:g}")
        self._number = self._book.note(replace(self._asked, fault=CallFault.UNANSWERED))

    def answer(self, reply: Reply, usage: Usage, took_ms: int) -> ModelCall:
        """Keep the model's answer."""
        call = self._settle(
            usage,
            answer=_storable(reply.text),
            fault=reply.fault or self._judge(reply.text),
            model=_storable(reply.model),
            latency_ms=took_ms,
        )
        if self._settings.has_budget and not usage.is_counted:
            raise SeatUnavailable(
                f"bot {self._name!r} has a budget, but its provider counts no tokens: register it "
                "without budget, max-cost and max-tokens for a new tournament",
                lasting=True,
            )
        return call

    def late(self, took_ms: int) -> ModelCall:
        """Keep that the answer is late."""
        return self._settle(UNTOLD, fault=CallFault.LATE, latency_ms=took_ms)

    def fail(self, text: str, usage: Usage | None, took_ms: int) -> None:
        """Keep how the provider failed; `usage` is None if that costs nothing."""
        fault = CallFault.PROVIDER if usage is None else CallFault.UNREAD
        self._settle(usage or UNTOLD, answer=text, fault=fault, latency_ms=took_ms)
        if usage is not None and self._settings.has_budget and not usage.is_counted:
            told = f"nobody knows the cost of a call: its provider {text}"
            raise SeatUnavailable(f"bot {self._name!r} has a budget, but {told}")

    def _settle(self, usage: Usage, **found: Any) -> ModelCall:
        cost = self._settings.cost(*usage)
        call = replace(self._asked, **found, **usage._asdict(), cost=cost)
        self._book.settle(self._number, call)
        return call


class Caller:
    """Asks a model, unless the books have the answer, and keeps each call in them."""

    def __init__(
        self, version: BotVersion, settings: ModelSettings, provider: Provider, book: CallBook
    ) -> None:
        self._version, self._settings = version, settings
        self._model = version.spec.partition(":")[2]
        self._api = APIS.find(settings.api)
        self._provider, self._book = provider, book
        self._calls: dict[tuple[int, int], ModelCall] = {}

    def begin_match(self) -> None:
        """Count the calls of a match from 0."""
        self._calls.clear()

    def call(
        self,
        place: CallPlace,
        prompt: str,
        left_ms: int,
        judge: Judge,
    ) -> ModelCall:
        """Return the call of that place with its answer, on which `judge` finds a fault or not.

        A late one has the fault of that name after `left_ms`. Raises `SeatFault` if the bot has
        used up what it may in a match, and `SeatUnavailable`.
        """
        asked = self._asked(place, prompt)
        key = (place.ply, place.attempt)
        self._require_room([call for at, call in self._calls.items() if at != key])
        try:
            call = self._book.find(asked) or self._fresh(asked, left_ms, judge)
        except DatabaseError as error:
            raise SeatUnavailable(f"the calls of models can't be kept: {error}") from None
        self._calls[key] = call
        return call

    def _asked(self, place: CallPlace, prompt: str) -> ModelCall:
        body = self._api.body(self._model, prompt, self._settings)
        whole = json.dumps([self._version.digest, place.seed, body], sort_keys=True)
        return ModelCall(
            ply=place.ply,
            seat=place.seat,
            attempt=place.attempt,
            version=self._version.id,
            digest=sha256(whole.encode()).hexdigest(),
            prompt=prompt,
            parameters=json.dumps({name: each for name, each in body.items() if name in _SHOWN}),
        )

    def _fresh(self, asked: ModelCall, left_ms: int, judge: Judge) -> ModelCall:
        body = self._api.body(self._model, asked.prompt, self._settings)
        entry = _Entry(self._book, asked, self._version.name, self._settings, judge)
        return self._provider.ask(body, left_ms, entry)

    def _require_room(self, calls: list[ModelCall]) -> None:
        """Raise `SeatFault` for a bot that has used up what it may in a match."""
        settings = self._settings
        used = {
            "max-calls": (len(calls), settings.max_calls),
            "max-tokens": (sum(call.tokens for call in calls), settings.max_tokens),
            "max-cost": (cost_of(calls), settings.max_cost),
        }
        for name, (amount, most) in used.items():
            if most is not None and amount >= most:
                told = f"has used up its {name} of {most:g} for a match"
                raise SeatFault(Termination.TIME_FORFEIT, told)


_SHOWN = frozenset({"temperature", "seed", "max_tokens", "max_completion_tokens"})
"""The entries of a request that are kept as the parameters of a call."""


def _storable(text: str) -> str:
    # A database may refuse halves of characters, and the character 0.
    return text.encode("utf-8", "replace").decode()[:ANSWER_MAX].replace("\0", "\ufffd")
