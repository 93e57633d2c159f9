"""JSON answers of the API, errors included."""

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
    """Whether clients of a path expect JSON."""
    return path == ROOT or path.startswith(f"{ROOT}/")


class Error(Document):
    """Why an address of the API has no answer."""

    error: str


def written(content: object) -> bytes:
    """Encode JSON as UTF-8; lone surrogates, which a bot may report, are escaped."""
    return json_text(content).encode("utf-8", "backslashreplace")


class JsonResponse(Response):
    """A document, or a list of them."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Encode the value unless it is bytes already."""
        return content if isinstance(content, bytes) else written(content)


def failure(text: str, status: int, headers: Mapping[str, str] | None = None) -> JsonResponse:
    """Return an error document."""
    return JsonResponse(Error(error=text), status, {**(headers or {}), "Cache-Control": "no-store"})
