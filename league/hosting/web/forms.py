"""Forms of people, with a token that shows that a page of ours sent them."""

from starlette.exceptions import HTTPException
from starlette.requests import Request

from league.web.forms import BODY_MAX, fields

FIELD = "token"
"""The name of the field with the token."""


async def posted(request: Request, most: int = BODY_MAX) -> dict[str, str]:
    """Return the fields of a form that a page of ours sent; raise `HTTPException` for another.

    It may have `most` bytes.
    """
    found = await fields(request, most)
    check_form(request, found.get(FIELD, ""))
    return found


def check_form(request: Request, given: str) -> None:
    """Raise `HTTPException` unless `given` is the token of forms on pages of this browser.

    `Guard` refuses what a browser says comes from elsewhere; this holds for browsers that say
    nothing. A program that brings a personal token sends no cookie, so nobody can make it ask.
    """
    caller = request.state.caller
    if not caller.is_program and not caller.is_form_token(given):
        raise HTTPException(403)
