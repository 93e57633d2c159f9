"""Bots registered and tried out, as text."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from games.support.counts import counted
from games.support.printable import cut
from games.support.specs import find_game
from league.registration.changes import Removal
from league.registration.check import Checked
from league.registration.finding import CheckFinding
from league.registration.register import Registration
from league.registration.submissions import Submitted
from league.render.text.table import Block, Table

REASON_MAX = 300
"""The most characters of a reason in a table; JSON has all of it."""

_SIGNS = {True: "ok  ", False: "FAIL", None: "-   "}

_NOTE = "note"
"""The sign of a point that holds, with advice."""


def registration_blocks(found: Registration, games: Sequence[str] = ()) -> list[Block]:
    """Return what became of a bot, in a line; `games` are those that it plays now, () any."""
    version = found.version
    if found.is_new:
        return [f"registered {version.name} (version {version.number})"]
    return [
        f"{version.name} is registered already, unchanged (version {version.number}); it plays "
        f"{', '.join(games) or 'any game'}"
    ]


def submitted_blocks(found: Sequence[Submitted]) -> list[Block]:
    """Return a table of what became of a class, and a line with the counts."""
    rows = [
        (
            each.bot,
            each.source,
            each.status,
            each.version or "–",
            cut(" ".join((each.reason or "; ".join(each.warnings)).split()), REASON_MAX),
        )
        for each in found
    ]
    counts = Counter(each.status for each in found)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    return [
        Table(("bot", "submission", "result", "version", "reason"), rows, right=("version",)),
        f"{counted(len(found), 'submission')}: {told}",
    ]


def removal_blocks(found: Removal) -> list[Block]:
    """Return what became of a removed bot, in a line."""
    if not found.kept_as:
        return [f"removed {found.name}"]
    return [
        f"removed {found.name}; its {found.matches} matches stay as those of {found.kept_as}, with "
        "what it reported in them"
    ]


def trial_line(trial: Checked) -> str:
    """Say how a bot did in the trial before its registration."""
    times = trial.times
    if not times.matches:
        return "not played: calls of a language model may cost money; see 'league check --paid'"
    return (
        f"checked in {trial.game}: {counted(times.matches, 'match')}, "
        f"{len(times.moves)} legal moves, {times.mean_s * 1e3:.0f} ms a move, "
        f"slowest {times.slowest_s * 1e3:.0f} ms, "
        f"first moves up to {max(times.firsts, default=0.0) * 1e3:.0f} ms"
    )


def check_blocks(found: Mapping[str, Sequence[CheckFinding]]) -> list[Block]:
    """Return the findings about a bot, game by game."""
    blocks: list[Block] = []
    for game, findings in found.items():
        blocks.append(f"{find_game(game).title}:")
        for at, finding in enumerate(findings):
            blocks += finding_blocks(finding, findings[:at])
    return blocks


def finding_blocks(finding: CheckFinding, earlier: Sequence[CheckFinding] = ()) -> list[Block]:
    """Return one point of a check, what to do about it, and the end of the bot's log.

    A reason and an advice that one of the `earlier` points has too are not repeated.
    """
    detail = finding.detail
    head, reason = _split(detail)
    failed = [each for each in earlier if each.is_passed is False]
    if reason and any(_split(each.detail)[1] == reason for each in failed):
        detail = f"{head}, as above"
    sign = _NOTE if finding.is_passed and finding.hint else _SIGNS[finding.is_passed]
    blocks: list[Block] = [f"{sign} {finding.demand:<28} {detail}".rstrip()]
    if finding.hint and finding.hint not in [each.hint for each in failed]:
        blocks.append(f"     to do: {finding.hint}")
    return [*blocks, *(f"     | {line}" for line in finding.log)]


def _split(detail: str) -> tuple[str, str]:
    """Return when a bot failed, and how, without what differs from position to position."""
    head, _, reason = detail.partition(": ")
    return head, re.sub(r"<[^>…]*[>…]|: \d.*|\d+\.\d+ s", "", reason)
