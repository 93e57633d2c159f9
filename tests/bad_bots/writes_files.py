"""Overwrites a file of its user."""

from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Writer(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def __init__(self, target: str = "") -> None:
        self.target = target

    def attack(self) -> None:
        """Try."""
        with Path(self.target).open("r+b") as file:
            file.write(b"owned")
