"""Connects to somebody."""

import socket

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Caller(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def __init__(self, target: str = "") -> None:
        self.target = target

    def attack(self) -> None:
        """Try."""
        socket.create_connection(("127.0.0.1", int(self.target)), 1).close()
