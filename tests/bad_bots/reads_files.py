"""Reads a file of its user: a key, a paper, an opponent."""

from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Reader(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def __init__(self, target: str = "") -> None:
        self.target = target

    def attack(self) -> None:
        """Try."""
        Path(self.target).read_bytes()
