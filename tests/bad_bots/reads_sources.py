"""Looks for the sources of other bots where its own are."""

from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Thief(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def attack(self) -> None:
        """Try."""
        own = Path(__file__).parent.parent
        if not [each for each in own.parent.iterdir() if each != own]:
            raise OSError("there are no others")
