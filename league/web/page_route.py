"""Addresses of the dashboard, each with the people who may see it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import Scope


class Audience(StrEnum):
    """The group of people who may see a page of a hosted league; organisers see all pages.

    Where nobody hosts the league, everybody who reaches it sees all of its pages. Pages about
    matches and bots are for `RESULTS`.
    """

    EVERYBODY = "everybody"
    RESULTS = "people who signed in, and visitors who may see everything"
    STANDINGS = "people who signed in, and visitors who may see standings"
    PEOPLE = "people who signed in"
    AUTHORS = "people with a team"
    ORGANISERS = "organisers"


class PageRoute(Route):
    """An address with its audience.

    A page for `PEOPLE` that is about one team checks the team itself. With `checks_itself`, nobody
    finds out who asks: such a page shows nothing private, or does its own check.
    """

    def __init__(
        self,
        path: str,
        endpoint: Any,
        audience: Audience,
        *,
        checks_itself: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(path, endpoint, **more)
        self.audience = audience
        self.checks_itself = checks_itself


class FileMount(Mount):
    """The files below an address, which are for everybody."""

    audience = Audience.EVERYBODY
    checks_itself = True


def check_audiences(routes: Iterable[BaseRoute]) -> None:
    """Raise `TypeError` for an address that does not say who may see it."""
    for each in routes:
        if not isinstance(each, PageRoute | FileMount):
            raise TypeError(f"{each!r} has no audience: expected a PageRoute")


def route_of(scope: Scope) -> PageRoute | FileMount | None:
    """Return the address that answers a request; None if none does."""
    partly = None
    for route in scope["app"].routes:
        match, _ = route.matches(scope)
        if match is Match.FULL:
            return _checked(route)
        if match is Match.PARTIAL and partly is None:
            partly = route
    return None if partly is None else _checked(partly)


def _checked(route: BaseRoute) -> PageRoute | FileMount:
    check_audiences([route])
    assert isinstance(route, PageRoute | FileMount)  # noqa: S101 (just checked)
    return route
