"""Writes a file without bound."""

import tempfile
from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Filler(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        path = Path(tempfile.mkdtemp()) / "big"
        try:
            with path.open("wb") as file:
                file.truncate(300 << 20)
        finally:
            path.unlink()
