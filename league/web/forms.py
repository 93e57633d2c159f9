"""The fields of forms."""

import hmac
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

BODY_MAX = 8192
"""The most bytes that a form may send."""

FIELDS_MAX = 64


async def whole_body(request: Request, most: int = BODY_MAX) -> bytes:
    """Return the body of a request; raise `HTTPException` for one of more than `most` bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise HTTPException(413)
    return body


async def fields(request: Request, most: int = BODY_MAX) -> dict[str, str]:
    """Return the fields of a form, the last of each name; raise `HTTPException` for a long one."""
    body = await whole_body(request, most)
    text = body.decode("utf-8", "replace")
    try:
        parsed = parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError:
        raise HTTPException(413) from None
    return dict(parsed)


def is_same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing about them."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
