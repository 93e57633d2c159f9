"""Answers of the API: JSON, errors too."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from league.interchange.documents.document import Document, json_text

ROOT = "/api"


def path_below(scope: Mapping[str, Any]) -> str:
    """Return the path of a request below that of the dashboard."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def is_api(path: str) -> bool:
    """Whether whoever asks for that path expects JSON."""
    return path == ROOT or path.startswith(f"{ROOT}/")


class Error(Document):
    """Why an address of the API has no answer."""

    error: str


def written(content: object) -> bytes:
    """Write a value in UTF-8; half a surrogate pair, which a bot may tell, as its escape."""
    return json_text(content).encode("utf-8", "backslashreplace")


class JsonResponse(Response):
    """A document, or a list of them."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write the value, unless that was done before."""
        return content if isinstance(content, bytes) else written(content)


def failure(text: str, status: int, headers: Mapping[str, str] | None = None) -> JsonResponse:
    """Say what was wrong, in the one shape that errors of the API have."""
    return JsonResponse(Error(error=text), status, {**(headers or {}), "Cache-Control": "no-store"})
