"""Leaves files in its home, its working folder and where temporary ones go."""

import contextlib
import os
import tempfile
from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Litterer(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        for place in (Path.home(), Path.cwd(), Path(tempfile.gettempdir())):
            with contextlib.suppress(OSError):
                (place / f"litter-{os.getpid()}").write_bytes(b"litter")
