"""A line for each finished match: `4/12 toga – gnu 1/2-1/2, checkmate, 61 plies`."""

from collections.abc import Mapping
from contextlib import suppress

from games.support.errors import InputError
from games.support.printable import printable
from games.support.specs import find_game
from league.model.records import MatchRecord, Termination
from league.render.match_endings import ending_of
from league.store.record_codec.packed_match import PackedMatch

_HALF = "1/2-1/2"


def finished_line(match: PackedMatch, number: str, names: Mapping[int, str]) -> str:
    """Return the line of a match after its `number` in the tournament; `names` are by version."""
    bots = " – ".join(printable(names.get(version, "?")) for version in match.versions)
    how = printable(_ending(match.record(), names))
    return f"{number} {bots} {_result(match.scores)}, {how}, {match.plies} plies"


def _result(scores: tuple[float, ...]) -> str:
    is_level = len(scores) == 2 and scores[0] == scores[1] > 0
    return _HALF if is_level else "-".join(f"{score:g}" for score in scores)


def _ending(record: MatchRecord, names: Mapping[int, str]) -> str:
    """Say why a match ended, by its game's own word if its rules ended it."""
    if record.fault_seat is not None:
        name = names.get(record.versions[record.fault_seat], "?")
        return f"{record.termination} of {name}: {record.detail}".removesuffix(": ")
    if record.termination is Termination.RULES:
        with suppress(InputError):
            return ending_of(find_game(record.game), record) or str(record.termination)
    return f"{record.termination}: {record.detail}".removesuffix(": ")
