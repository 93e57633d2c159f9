"""The messages of Anthropic: https://docs.anthropic.com/en/api/messages."""

from typing import Any

from league.model.model_calls import CallFault
from league.seats.language_model.api import MOVE_SCHEMA, ModelApi, Reply, Usage, count_in, text_of
from league.seats.language_model.settings import ModelSettings

VERSION = "2023-06-01"

_FAULTS = {"max_tokens": CallFault.CUT_OFF, "refusal": CallFault.REFUSED}


class MessagesApi(ModelApi):
    """`POST /messages` with one message."""

    path = "messages"

    @classmethod
    def headers(cls, key: str) -> tuple[tuple[str, str], ...]:
        """Return the headers with the version and the key."""
        return (("anthropic-version", VERSION), *((("x-api-key", key),) if key else ()))

    @classmethod
    def body(cls, model: str, prompt: str, settings: ModelSettings) -> dict[str, Any]:
        """Return the request, with the schema of the answer where it is to be enforced."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": settings.answer_tokens,
        }
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if settings.structured:
            body["output_config"] = {"format": {"type": "json_schema", "schema": MOVE_SCHEMA}}
        return body

    @classmethod
    def read(cls, answer: dict[str, Any]) -> Reply:
        """Join the blocks of text."""
        texts = [text_of(each["text"]) for each in answer["content"] if each["type"] == "text"]
        return Reply(
            text="".join(texts),
            model=text_of(answer.get("model")),
            fault=_FAULTS.get(answer.get("stop_reason", "")),
        )

    @classmethod
    def usage(cls, answer: Any) -> Usage:
        """Read the tokens; cached ones are counted apart there."""
        fresh = count_in(answer, "usage", "input_tokens")
        cached = count_in(answer, "usage", "cache_read_input_tokens")
        written = count_in(answer, "usage", "cache_creation_input_tokens")
        return Usage(
            None if fresh is None else fresh + (cached or 0) + (written or 0),
            count_in(answer, "usage", "output_tokens"),
            cached,
        )


API = MessagesApi
