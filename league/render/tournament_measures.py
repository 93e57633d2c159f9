"""What each bot achieved in a format where points do not say it."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.support.counts import counted
from league.analysis.follow import FollowUpdate
from league.analysis.standings import Standings
from league.formats.format import BracketTie, Encounter, EncounterResult, Field, TableOrder
from league.formats.ladder import spots
from league.render.bracket import Bracket, reached


@dataclass(frozen=True, slots=True)
class Measure:
    """A bot's result by the format's own measure: in the table, and in words."""

    text: str
    words: str
    detail: str = ""
    kind: str = ""


def measure_head(look: FollowUpdate, table: Standings, bracket: Bracket | None) -> str:
    """Return the heading of the measures' column, '' without one."""
    if bracket is not None:
        return "reached"
    return "moved" if table.outlook.order is TableOrder.PLACES and look.ties else ""


def measures_of(
    look: FollowUpdate, table: Standings, bracket: Bracket | None
) -> dict[int, Measure]:
    """Return what each version achieved, where points do not say it."""
    entrants = look.row.config.entrants
    if bracket is not None:
        return {entrants[each]: _reach(name) for each, name in reached(bracket).items()}
    if table.outlook.order is not TableOrder.PLACES or not look.ties:
        return {}
    return {entrants[each]: value for each, value in _climbs(look.ties, len(entrants)).items()}


def _reach(name: str) -> Measure:
    if name.endswith("final"):
        return Measure(name, f"{name}ist")
    return Measure(name, name if name == "champion" else f"reached {name}")


def _climbs(ties: Sequence[BracketTie], entrants: int) -> dict[int, Measure]:
    """Return how far each entrant of a ladder has climbed, as a whole and in the last round."""
    shape = Field(entrants=entrants, seats=2, rounds=1, seed=0)
    played = [tie for tie in ties if tie.points]
    if not played:
        return {}

    def after(some: Sequence[BracketTie]) -> dict[int, int]:
        results = [
            EncounterResult(Encounter(tie.round, 0, tie.entrants), (tie.points,)) for tie in some
        ]
        return {entrant: spot for spot, entrant in enumerate(spots(shape, results))}

    now = after(played)
    before = after([tie for tie in played if tie.round < played[-1].round])
    return {each: _climb(each - spot, before[each] - spot) for each, spot in now.items()}


def _climb(whole: int, newest: int) -> Measure:
    kind = "won" if whole > 0 else "lost" if whole < 0 else "quiet"
    last = f"last round {_arrow(newest)}" if newest else ""
    many = counted(abs(whole), "place")
    words = f"{'up' if whole > 0 else 'down'} {many}" if whole else "kept its place"
    return Measure(_arrow(whole), words, last, kind)


def _arrow(spots_up: int) -> str:
    if not spots_up:
        return "="
    return f"▲ {spots_up}" if spots_up > 0 else f"▼ {-spots_up}"
