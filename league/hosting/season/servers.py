"""Submissions that are web servers: whether a season takes them, and at which addresses."""

from collections.abc import Mapping

from games.support.errors import InputError, brief
from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.season import ServerRule, UploadRefusal
from league.model.errors import SpecError
from league.seats.bot_seat import BotKind
from league.seats.bot_specs import kind_of
from league.seats.server.address import address_of
from league.seats.server.options import ADDRESSES, ANY, PUBLIC, SECRET, ServerOptions

SUFFIX = ".url"
"""A file whose name ends so holds the address of a web server, and nothing else."""

ADDRESS_BYTES = 2000


def address_in(data: bytes) -> str:
    """Return the address in an uploaded file; raise `RefusedUploadError` if there is none."""
    text = data[: ADDRESS_BYTES + 1].decode("utf-8", "replace").strip()
    try:
        if len(text) > ADDRESS_BYTES:
            raise SpecError("too long", text)
        return address_of(f"http:{text}")
    except SpecError:
        raise RefusedUploadError(
            f"the file has {brief(text)}: expected the address of a server alone, as in "
            "https://example.org/bot",
            UploadRefusal.UNSUITABLE,
        ) from None


def options_for(rule: ServerRule, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a submitted server, with the addresses that a season allows.

    Raises `RefusedUploadError` for options that are the organiser's to give, or wrong.
    """
    for name in (SECRET, ADDRESSES):
        if name in options:
            # The environment is the host's: a secret of it would go to a stranger's server.
            raise RefusedUploadError(
                f"option {name!r} is not for submissions", UploadRefusal.UNSUITABLE
            )
    allowed = PUBLIC if rule is ServerRule.PUBLIC else ANY
    found = {**options, ADDRESSES: allowed}
    try:
        ServerOptions.read(found)
    except InputError as error:
        raise RefusedUploadError(str(error), UploadRefusal.UNSUITABLE) from None
    return found


def server_fault(rule: ServerRule, spec: str, options: Mapping[str, str]) -> str:
    """Return why a season does not take a team's bot, '' if it does or the bot is no server."""
    if kind_of(spec) is not BotKind.SERVER:
        return ""
    if rule is ServerRule.NO:
        return "this season takes no web servers"
    if rule is ServerRule.PUBLIC and options.get(ADDRESSES) != PUBLIC:
        return "this season takes web servers at public addresses only: submit yours again"
    return ""
