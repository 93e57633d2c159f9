"""The address of a web server in the spec of a bot."""

import re

from league.model.errors import SpecError
from league.model.web_address import server_address_fault


def address_of(spec: str) -> str:
    """Return the address in a spec, `http://localhost:8000` or `http:https://example.org/snake`.

    Raises `SpecError` if it is none.
    """
    is_plain = spec.partition("://")[0].isidentifier()
    url = spec if is_plain else spec.partition(":")[2]
    if fault := server_address_fault(url):
        shown = re.sub(r"//[^/]*@", "//***@", spec)
        secret = " (--option secret-env=NAME gives a server a secret)" if shown != spec else ""
        raise SpecError(
            f"{shown!r}: {fault}{secret}; expected the address of a server, as in "
            "http://localhost:8000",
            spec,
        )
    return url
