"""Reads the memory of its opponent's process."""

import os
from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Reader(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        others = [
            entry
            for entry in Path("/proc").glob("[0-9]*")
            if entry.name != str(os.getpid()) and b"league.seats.python.host" in _command(entry)
        ]
        if not others:
            raise OSError("there is no opponent")
        with (others[0] / "mem").open("rb", 0):
            return


def _command(entry: Path) -> bytes:
    try:
        return (entry / "cmdline").read_bytes()
    except OSError:
        return b""
