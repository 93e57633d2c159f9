"""What addresses say behind their question mark."""

from starlette.requests import Request

MOST = 10**9


def number_of(request: Request, name: str, default: int, most: int = MOST) -> int:
    """Return a number from 0, at most `most`; `default` where the address says none."""
    text = request.query_params.get(name, "")
    is_number = text.isascii() and text.isdigit()
    return min(most, int(text[:20])) if is_number else default
