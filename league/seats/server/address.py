"""The address of a web server in the spec of a bot."""

from league.model.errors import SpecError
from league.model.web_address import is_server_address


def address_of(spec: str) -> str:
    """Return the address in a spec, `http://localhost:8000` or `http:https://example.org/snake`.

    Raises `SpecError` if it is none.
    """
    url = spec if spec.startswith(("http://", "https://")) else spec.partition(":")[2]
    if not is_server_address(url):
        raise SpecError(
            f"{spec!r}: expected the address of a server, as in http://localhost:8000", spec
        )
    return url
