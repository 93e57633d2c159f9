"""The options of a web server that are the league's own; all others are the bot's."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from games.support.errors import OptionError, brief, nearest
from league.model.records import Termination
from league.seats.seat import SeatFault
from league.seats.server.dialect import DIALECTS

RESERVED = DIALECT, SECRET, ADDRESSES = "dialect", "secret-env", "addresses"
"""The names of the league's own options; a bot has no option whose name looks like one of them."""

ANY, PUBLIC = "any", "public"
"""The addresses at which a server may be: `PUBLIC` are those of the internet alone."""

SECRET_MIN = 8
"""A shorter secret could be part of any answer, from which it is struck out."""

_SECRET = re.compile(rf"[A-Za-z0-9._~+/-]{{{SECRET_MIN},}}=*")
"""The form of a bearer token (RFC 6750, section 2.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """How to talk to a server.

    `dialect` is the name of one, '' to find it out. `secret_env` is the environment variable with
    the secret, '' for none. `others` are the options of the bot itself.
    """

    dialect: str = ""
    secret_env: str = ""
    is_public: bool = False
    others: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, options: Mapping[str, str]) -> Self:
        """Read the options of a version; raise `InputError` for a wrong value or a slip in a name.

        Any other name is an option of the bot, which would be sent what is meant for the league.
        """
        for name in options:
            if name not in RESERVED and (meant := nearest(name, RESERVED)):
                raise OptionError(
                    f"unknown option {name!r} of a web server (did you mean {meant!r}?); a bot's "
                    "own options need names that differ more",
                    name,
                )
        others = dict(options)
        dialect, name = others.pop(DIALECT, ""), others.pop(SECRET, "")
        if dialect:
            DIALECTS.find(dialect)
        if name and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            # Whoever gives the secret itself should not read it in an error, and then in a log.
            raise OptionError(f"{SECRET} is not the name of an environment variable", SECRET)
        addresses = others.pop(ADDRESSES, ANY)
        if addresses not in (ANY, PUBLIC):
            raise OptionError(
                f"{ADDRESSES} {brief(addresses)}: expected {ANY} or {PUBLIC}", ADDRESSES
            )
        return cls(dialect=dialect, secret_env=name, is_public=addresses == PUBLIC, others=others)

    def secret(self) -> str:
        """Return the secret, '' for none; raise `SeatFault` if there is none in the environment."""
        if not self.secret_env:
            return ""
        value = os.environ.get(self.secret_env, "")
        if not _SECRET.fullmatch(value):
            raise SeatFault(
                Termination.CRASH,
                f"can't be asked: the environment variable {self.secret_env} must hold a secret of "
                f"{SECRET_MIN} or more letters, digits and signs of '._~+/-' where the bot plays",
            )
        return value
