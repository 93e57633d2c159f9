"""Chat completions: the form that most providers and local servers speak.

https://platform.openai.com/docs/api-reference/chat
"""

from typing import Any

from league.model.model_calls import CallFault
from league.seats.language_model.api import MOVE_SCHEMA, ModelApi, Reply, Usage, count_in, text_of
from league.seats.language_model.settings import ModelSettings

_FAULTS = {"length": CallFault.CUT_OFF, "content_filter": CallFault.REFUSED}


class ChatApi(ModelApi):
    """`POST /chat/completions` with one message."""

    path = "chat/completions"

    @classmethod
    def headers(cls, key: str) -> tuple[tuple[str, str], ...]:
        """Return the header with the key."""
        return (("Authorization", f"Bearer {key}"),) if key else ()

    @classmethod
    def body(cls, model: str, prompt: str, settings: ModelSettings) -> dict[str, Any]:
        """Return the request, with the schema of the answer where it is to be enforced."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": "user", "content": prompt}],
            settings.tokens_field: settings.answer_tokens,
        }
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if settings.seed is not None:
            body["seed"] = settings.seed
        if settings.structured:
            schema = {"name": "move", "strict": True, "schema": MOVE_SCHEMA}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    @classmethod
    def read(cls, answer: dict[str, Any]) -> Reply:
        """Read the first choice."""
        choice = answer["choices"][0]
        message = choice["message"]
        refusal = text_of(message.get("refusal"))
        fault = CallFault.REFUSED if refusal else _FAULTS.get(choice.get("finish_reason"))
        return Reply(
            text=refusal or text_of(message.get("content")),
            model=text_of(answer.get("model")),
            fault=fault,
        )

    @classmethod
    def usage(cls, answer: Any) -> Usage:
        """Read the tokens."""
        tokens_in = count_in(answer, "usage", "prompt_tokens")
        cached = count_in(answer, "usage", "prompt_tokens_details", "cached_tokens")
        is_part = cached is not None and tokens_in is not None and cached <= tokens_in
        tokens_out = count_in(answer, "usage", "completion_tokens")
        return Usage(tokens_in, tokens_out, cached if is_part else None)


API = ChatApi
