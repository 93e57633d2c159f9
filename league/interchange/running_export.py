"""Files of matches that grow while a tournament is played."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from games.support.specs import find_game
from league.analysis.replay import load_replays
from league.interchange.export import Export
from league.model.errors import SetupError
from league.store.store import StoreReader

WRITE_EVERY_S = 1.0
"""Interval at which the runner looks for matches to write."""

WRITE_S = 0.2
"""Longest time to write before the runner plans more matches."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file and the format of the matches in it."""

    path: Path
    export: Export

    def check(self, game: str) -> None:
        """Raise `SetupError` if the file can't be written, or the format can't hold the game."""
        if refusal := self.export.refusal(find_game(game)):
            raise SetupError(f"matches can't be written as {self.export.name}: {refusal}")
        try:
            self.path.open("ab").close()
        except OSError as error:
            raise _unwritable(self.path, error) from None


class RunningExport:
    """Writes the matches of a tournament to files as they are stored, each once, in that order.

    The files begin with all matches that are stored already; if it `appends`, they keep their
    content, and only later matches are added.
    """

    def __init__(
        self, store: StoreReader, tournament: int, targets: Sequence[Target], *, appends: bool
    ) -> None:
        self._store = store
        self._tournament = tournament
        self._targets = targets
        known = store.matches.numbers(tournament) if appends and targets else ()
        self._last = max(known, default=0)
        self._looked_s = 0.0
        if not appends:
            for target in targets:
                target.path.open("wb").close()

    def look(self) -> None:
        """Write new matches, if it is time to look for any, for `WRITE_S` seconds at most."""
        now_s = time.monotonic()
        if self._targets and now_s - self._looked_s >= WRITE_EVERY_S:
            self.write(WRITE_S)
            self._looked_s = time.monotonic()

    def write(self, most_s: float = float("inf")) -> None:
        """Write the matches that are stored and not written yet, for about `most_s` seconds."""
        if not self._targets:
            return
        end_s = time.monotonic() + most_s
        numbers = self._store.matches.numbers(self._tournament, after=self._last)
        for replay in load_replays(self._store, numbers):
            for target in self._targets:
                text = target.export.text(replay)
                try:
                    with target.path.open("ab") as file:
                        file.write(text if isinstance(text, bytes) else text.encode())
                except OSError as error:
                    raise _unwritable(target.path, error) from None
            self._last = replay.row.id
            if time.monotonic() > end_s:
                return


def _unwritable(path: Path, error: OSError) -> SetupError:
    return SetupError(f"can't write {str(path)!r}: {error.strerror}")
