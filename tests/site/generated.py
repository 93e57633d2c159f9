"""The hook that puts the generated reference into pages, at `<!-- generated: NAME -->`.

On GitHub such a comment is invisible, so a page says in words where to find the same.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.site.commands import commands
from tests.site.database import database
from tests.site.http_api import http_api
from tests.site.settings import host_settings, season_settings, tournament_settings

MARK = re.compile(r"^<!-- generated: (\S+)( alone)? -->$", re.MULTILINE)
ALONE = "\n    options: {members: false}"
"""A class without its members, which stand on pages of their topics."""
SECTIONS: Mapping[str, Callable[[], str]] = {
    "commands": commands,
    "database": database,
    "host-settings": host_settings,
    "http-api": http_api,
    "season-settings": season_settings,
    "tournament-settings": tournament_settings,
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page with each generated section; `python:NAME` is for mkdocstrings."""
    return MARK.sub(_section, markdown)


def _section(mark: re.Match[str]) -> str:
    kind, _, name = mark[1].partition(":")
    if kind == "python":
        return f"::: {name}{ALONE if mark[2] else ''}"
    return SECTIONS[mark[1]]()
