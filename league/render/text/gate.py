"""The result of a gate as text, and its words for files."""

import math
from collections.abc import Sequence

from games.support.counts import counted
from league.analysis.gate import GateLine, GateResult, GateVerdict, LostMatch
from league.analysis.sentences import faults_told
from league.model.number_format import exact_span, told_interval, true_minus
from league.model.records import Termination
from league.render.text.table import Block, Table

HEAD = ("opponent", "game", "verdict", "Elo", "LLR", "H0, H1", "W", "D", "L", "forfeits", "time")
"""The columns of the table with a line for each opponent."""


def gate_blocks(found: GateResult) -> list[Block]:
    """Return the verdict, the table, and the reasons for what is not decided."""
    if found.verdict is GateVerdict.UNFIT:
        return [headline(found), found.reason]
    table = Table(HEAD, [cells(line) for line in found.lines], right=("W", "D", "L"))
    return [headline(found), table, *reasons(found), rates(found)]


def headline(found: GateResult) -> str:
    """State the verdict in a sentence."""
    if found.verdict is GateVerdict.UNFIT:
        return f"{found.change} does not pass its check"
    if found.verdict is GateVerdict.UNDECIDED:
        return f"undecided whether {found.change} is weaker than {_opponents(found)}"
    return f"{found.change} is {found.verdict} than {_opponents(found)}"


def _opponents(found: GateResult) -> str:
    """Name the opponents that the verdict is about."""
    names = dict.fromkeys(line.opponent for line in found.lines if line.verdict is found.verdict)
    return ", ".join(names)


def reasons(found: GateResult) -> list[str]:
    """Say in a line each why a test is undecided or took no match, and what failed."""
    told = []
    for line in found.lines:
        if line.reason:
            told.append(f"{line.opponent}, {line.game}: {line.reason}")
        if line.failed_moves:
            told.append(
                f"{line.opponent}, {line.game}: the game made {line.failed_moves} moves for "
                f"{found.change}, which failed"
            )
    return told


def rates(found: GateResult) -> str:
    """State the error rates of all tests together in plain words."""
    is_one = len(found.lines) == 1
    tests = {(line.test.elo0, line.test.elo1, line.test.model.unit) for line in found.lines}
    weaker, equal = "as weak as H0 says", "as strong as H1 says, or stronger,"
    if len(tests) == 1:
        ((elo0, elo1, unit),) = tests
        weaker, equal = f"of {elo0:g} {unit}", f"of {elo1:g} {unit} or more"
    return true_minus(
        f"Error rates: a change {weaker} against {'the' if is_one else 'any'} opponent passes "
        f"with a probability of at most {100 * found.alpha:.3g}%, and a change {equal} against "
        f"{'the opponent' if is_one else 'all opponents'} fails with at most "
        f"{100 * found.beta:.3g}%."
    )


def cells(line: GateLine) -> tuple[object, ...]:
    """Return the cells of a line, in the order of `HEAD`."""
    test = line.test
    return (
        line.opponent,
        line.game,
        str(line.verdict),
        _elo(line),
        true_minus(f"{line.llr:+.2f} ({line.lower:.2f} to {line.upper:.2f})"),
        true_minus(f"{test.elo0:g}, {test.elo1:g} {test.model.unit}"),
        line.won,
        line.drawn,
        line.lost,
        faults_told(line.forfeits) or "–",
        exact_span(line.play_s),
    )


def _elo(line: GateLine) -> str:
    """Write the estimate with its 95% interval."""
    if line.trial is None:
        return "–"
    whole = told_interval(line.elo_low, line.elo_high)
    return true_minus(f"{line.elo:+z.1f} ({whole})" if math.isfinite(line.elo) else whole)


def lost_told(lost: LostMatch) -> str:
    """Say how the change lost a match."""
    end = "" if lost.termination is Termination.RULES else f"{lost.termination} "
    told = f"{end}after {counted(lost.plies, 'ply')}"
    return f"{told}: {lost.detail}" if lost.detail else told


def lost_matches(found: GateResult) -> Sequence[tuple[GateLine, LostMatch]]:
    """List the lost matches of all lines."""
    return [(line, lost) for line in found.lines for lost in line.lost_matches]
