"""The socket at which a server of this project listens."""

import socket

from league.model.errors import SetupError

ACCEPTED_AT_ONCE = 32
"""Number of connections that may be accepted before the first can be refused."""


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise `SetupError` where it can't."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named asyncio sends at once what is written; else the second answer on a
    # connection, and each after it, waits 40 ms for the client's system to acknowledge.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(ACCEPTED_AT_ONCE)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise SetupError(
            f"can't listen at {host}:{port}: {reason}; port 0 takes a free one"
        ) from None
    return listener
