"""Reads what lies beside the file of its game: backups of the league, tokens, other bots."""

from pathlib import Path

from breaking_in import Intruder  # type: ignore[import-not-found]  # beside it


class Looker(Intruder):  # type: ignore[misc]  # its base is found by the host alone
    """Try that."""

    def __init__(self, target: str = "") -> None:
        self.target = Path(target)

    def attack(self) -> None:
        """Try."""
        found = [path for path in self.target.parent.rglob("*") if path.is_file()]
        if found == [self.target]:
            raise OSError("there is nothing but the game")
        for path in found:
            path.read_bytes()
