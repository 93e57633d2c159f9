"""Makes empty files without bound: each takes memory of the kernel."""

import os
import shutil
import tempfile
from itertools import count

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it

MANY = 20_000


class Maker(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that, once."""

    def __init__(self) -> None:
        self._outcome: OSError | None = None
        self._tries = count()

    def attack(self) -> None:
        """Try."""
        if next(self._tries) == 0:
            folder = tempfile.mkdtemp()
            try:
                for number in range(MANY):
                    os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))
            except OSError as error:
                self._outcome = error
            finally:
                shutil.rmtree(folder)
        if self._outcome:
            raise self._outcome
