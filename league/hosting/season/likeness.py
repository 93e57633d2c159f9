"""Likeness of bots: which teams have almost the same source.

Sources are compared as sequences of tokens without comments, layout, names and values, so that
renamed variables hide nothing. Nothing is parsed: these are the bytes of strangers, and every
pattern here takes time in proportion to a text of bounded size.

The shares of fingerprints follow S. Schleimer, D. Wilkerson and A. Aiken, "Winnowing: local
algorithms for document fingerprinting", SIGMOD 2003.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from keyword import kwlist
from pathlib import PurePosixPath

from league.hosting.season.languages import LANGUAGES

SOURCE_MAX = 100_000
"""So many bytes of a bot's source are compared at most."""

LENGTH = 12
"""A fingerprint is of so many tokens in a row."""

LEAST = 40
"""Shorter bots are alike by chance: they have fewer fingerprints of their own."""

ALIKE = 0.8
"""Two bots are alike if so much of the shorter one is in the other."""

TEAMS = 4
"""Among so many teams, what more than half of them have is taken for what the class was given."""

_KEPT = frozenset((*kwlist, "else", "for", "if", "switch", "case", "do", "let", "const", "fn"))

# Each pattern ends with its text too, so that nothing is read twice.
_TOKEN = re.compile(
    r"""
    (?P<left_out> \#[^\n]* | //[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<value> \"\"\".*?(?:\"\"\"|\Z) | '''.*?(?:'''|\Z)
        | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? | \d[\w.]* )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> \S )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Teams whose bots are alike; at least the `share` of each, 0 to 1, is in that of another."""

    teams: tuple[str, ...]
    share: float


def likenesses(sources: Iterable[tuple[str, Mapping[str, bytes]]]) -> tuple[Likeness, ...]:
    """Return groups of teams whose bots are alike, the most alike first.

    `sources` are the teams, each with the files of its bot; one is read at a time.
    """
    prints = {team: _fingerprints(files) for team, files in sources}
    if len(prints) >= TEAMS:
        common = Counter(each for found in prints.values() for each in found)
        given = {each for each, teams in common.items() if 2 * teams > len(prints)}
        prints = {team: found - given for team, found in prints.items()}
    prints = {team: found for team, found in prints.items() if len(found) >= LEAST}
    groups: dict[str, Likeness] = {}
    for (one, first), (other, second) in combinations(prints.items(), 2):
        share = len(first & second) / min(len(first), len(second))
        if share >= ALIKE:
            _join(groups, one, other, share)
    return tuple(sorted(set(groups.values()), key=lambda each: (-each.share, each.teams)))


def _join(groups: dict[str, Likeness], one: str, other: str, share: float) -> None:
    """Join the groups of two teams that are alike."""
    both = [groups[team] for team in (one, other) if team in groups]
    teams = {one, other, *(team for each in both for team in each.teams)}
    # Of two that are in a group already, the likeness says nothing new.
    is_known = len(both) == 2 and both[0] is both[1]
    lowest = min([each.share for each in both] + ([] if is_known else [share]))
    group = Likeness(tuple(sorted(teams)), lowest)
    groups.update(dict.fromkeys(teams, group))


def _fingerprints(files: Mapping[str, bytes]) -> frozenset[int]:
    """Return the hashes of all runs of `LENGTH` tokens in a bot's source files."""
    found: set[int] = set()
    left = SOURCE_MAX
    for name, data in sorted(files.items()):
        if PurePosixPath(name).suffix.casefold() not in LANGUAGES or left <= 0:
            continue
        tokens = _tokens(data[:left].decode("utf-8", "replace"))
        left -= len(data)
        found.update(
            hash(tuple(tokens[at : at + LENGTH])) for at in range(len(tokens) - LENGTH + 1)
        )
    return frozenset(found)


def _tokens(text: str) -> list[str]:
    """Return the tokens of a source: its keywords and signs, 'n' for a name, 'v' for a value.

    >>> _tokens("best = max(moves)  # the best one")
    ['n', '=', 'n', '(', 'n', ')']
    """
    found = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "value":
            found.append("v")
        elif kind == "word":
            found.append(match[0] if match[0] in _KEPT else "n")
        elif kind == "sign":
            found.append(match[0])
    return found
