"""Games whose tag Result is not the result that their moves end with."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from league.interchange.pgn.files import GameBlock
from league.interchange.pgn.sections import Section, decoded
from league.model.errors import SetupError

CONFLICTS_MAX = 5
"""So many games are named."""

_END = re.compile(rb"[\s})](1-0|0-1|1/2-1/2|\*)\s*\Z")
_SPELLINGS = {b"1:0": b"1-0", b"0:1": b"0-1", b"1/2": b"1/2-1/2", b"0.5-0.5": b"1/2-1/2"}


@dataclass(slots=True)
class Conflicts:
    """The conflicts of one file, of which the first are named in `told`; `games` were read."""

    path: str
    is_strict: bool = False
    games: int = 0
    count: int = 0
    told: list[str] = field(default_factory=list)

    def look(self, block: GameBlock, found: Sequence[Section]) -> None:
        """Compare the results in a block; raise `SetupError` for a conflict if it is strict."""
        if not found:
            return
        ends = [section.position for section in found[1:]] + [len(block.text)]
        for section, end in zip(found, ends, strict=True):
            self.games += 1
            tag = section.tags.get(b"Result", b"").strip()
            last = _END.search(block.text, section.end, end)
            if not tag or last is None or _SPELLINGS.get(tag, tag) == last[1]:
                continue
            self._name(block.line(section.position + 1), decoded(tag), decoded(last[1]))

    def _name(self, line: int, tag: str, last: str) -> None:
        told = (
            f"{self.path} game {self.games:,} (line {line}): the tag Result is {tag!r}, and the "
            f"moves end with {last!r}"
        )
        if self.is_strict:
            raise SetupError(f"{told}: correct the file, or leave --strict out")
        self.count += 1
        if len(self.told) < CONFLICTS_MAX:
            self.told.append(f"{told}: the tag counts")

    @property
    def notes(self) -> list[str]:
        """The named conflicts, and how many more there are."""
        more = self.count - len(self.told)
        return [*self.told, *([f"{self.path}: {more:,} more such games"] if more else [])]


def agree(text: bytes, results: Sequence[bytes]) -> bool:
    """Whether all games of a block evidently end with these results, at the speed of C."""
    # A result is short: the end of a game is enough.
    ends = [each[-16:].rsplit(None, 1)[-1:] for each in text.rstrip().split(b"\n\n[")]
    return ends == [[_SPELLINGS.get(each, each)] for each in results]
