"""Scores from PGN files by their tags alone, without looking at moves."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from games.support.errors import brief
from league.interchange.pgn.conflicts import Conflicts, agree
from league.interchange.pgn.files import GameBlock, PgnFile
from league.interchange.pgn.sections import TAG_MAX, Section, decoded, sections
from league.model.errors import SetupError

FAULTS_MAX = 20
"""Maximum number of unreadable games to list."""

RESULTS = {
    b"1-0": 1.0,
    b"1:0": 1.0,
    b"0-1": 0.0,
    b"0:1": 0.0,
    b"1/2-1/2": 0.5,
    b"1/2": 0.5,
    b"0.5-0.5": 0.5,
    "½-½".encode(): 0.5,
}
"""White's score for each way to write a result."""

UNFINISHED = b"*"

_TEXT = rb'"([^"\\\n]{0,%d})"\]' % TAG_MAX
_OTHERS = rb"(?:\n\[[^\n]*)*?"
# In the order of the standard, which nearly all programs keep to.
_ROSTER = re.compile(
    rb"\n\[White " + _TEXT + _OTHERS + rb"\n\[Black " + _TEXT + _OTHERS + rb"\n\[Result " + _TEXT
)
_NAMED = (b'White "', b'Black "', b'Result "')


@dataclass(slots=True)
class Results:
    """The results of collections.

    `scores[white, black]` counts wins, draws and losses of White, by their names. `left_out` counts
    games by why they don't count, `faults` says where the first of those are that can't be read, or
    what is wrong with a file. `size` is in bytes, unpacked.
    """

    scores: dict[tuple[str, str], list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0, 0])
    )
    left_out: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    size: int = 0


def collect(
    paths: Iterable[str],
    on_block: Callable[[int], None] = lambda size: None,
    *,
    is_strict: bool = False,
) -> Results:
    """Read the results of all games in the files; `on_block` hears how many bytes are read.

    Raises `SetupError` where a file can't be opened, or holds no game at all, and if it `is_strict`
    where a game's tag and its moves have different results.
    """
    found = Results()
    for path in paths:
        file = PgnFile(path)
        triples: Triples = Counter()
        conflicts = Conflicts(path, is_strict)
        left_out = found.left_out.total()
        for block in file.blocks():
            regular = _regular(block.text)
            if regular and agree(block.text, [result for _, _, result in regular]):
                conflicts.games += len(regular)
            else:
                conflicts.look(block, list(sections(block.text)))
            triples.update(_irregular(block, path, found) if regular is None else regular)
            on_block(found.size + file.size)
        found.size += file.size
        found.faults += conflicts.notes
        if file.fault:
            found.faults.insert(0, f"{path}: {file.fault}")
        elif not triples and found.left_out.total() == left_out:
            raise SetupError(f"{path!r}: expected games in PGN, found none")
        _add(triples, path, found)
    return found


Triple = tuple[bytes, bytes, bytes]
Triples = Counter[Triple]


def _regular(text: bytes) -> list[Triple] | None:
    """Return who met whom and how it ended, at the speed of C; None where a tag is elsewhere."""
    found: list[Triple] = _ROSTER.findall(text)
    if not found or any(text.count(name) != len(found) for name in _NAMED):
        return None
    return found


def _irregular(block: GameBlock, path: str, results: Results) -> list[Triple]:
    found = []
    for section in sections(block.text):
        if lack := _lack(section):
            results.left_out["unreadable"] += 1
            if len(results.faults) < FAULTS_MAX:
                line = block.line(section.position + 1)
                results.faults.append(f"{path} line {line}: {lack}")
            continue
        tags = section.tags
        found.append((tags[b"White"], tags[b"Black"], tags[b"Result"]))
    return found


def _lack(section: Section) -> str:
    if section.unreadable:
        return f"the tag {section.unreadable[0].decode()} has no text between quotes"
    for name in (b"White", b"Black", b"Result"):
        if name not in section.tags:
            return f"no tag {name.decode()}"
    return ""


def _add(triples: Triples, path: str, results: Results) -> None:
    for (white, black, result), count in triples.items():
        score = RESULTS.get(result.strip())
        names = decoded(white), decoded(black)
        if score is None:
            if result.strip() == UNFINISHED:
                results.left_out["unfinished"] += count
            else:
                results.left_out["unknown result"] += count
                if len(results.faults) < FAULTS_MAX:
                    results.faults.append(f"{path}: unknown result {brief(decoded(result))}")
        elif not all(names) or "?" in names:
            results.left_out["nameless"] += count
        elif names[0] == names[1]:
            results.left_out["against itself"] += count
        else:
            results.scores[names][round(2 - 2 * score)] += count
