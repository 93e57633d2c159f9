"""Takes back that it is killed first when the machine runs out of memory."""

from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Spared(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        Path("/proc/self/oom_score_adj").write_text("0")
