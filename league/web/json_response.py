"""Answers of the API: JSON, errors too."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

ROOT = "/api"


def is_api(path: str) -> bool:
    """Whether whoever asks for that path expects JSON."""
    return path == ROOT or path.startswith(f"{ROOT}/")


class Document(Response):
    """A value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write the value in UTF-8; half a surrogate pair, which a bot may tell, as its escape."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace")


def failure(text: str, status: int, headers: Mapping[str, str] | None = None) -> Document:
    """Say what was wrong, in the one shape that errors of the API have."""
    return Document({"error": text}, status, {**(headers or {}), "Cache-Control": "no-store"})
