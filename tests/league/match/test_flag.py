"""A flag that falls against a side that can't win."""

from collections.abc import Sequence

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.support.game import State
from games.support.moves import WireMove
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchRecord, Termination
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault
from tests.league.seats.firstmove import FirstMove


class Late(FirstMove):
    """Never moves: its fault has the time that it used."""

    def __init__(self, termination: Termination, wall_ns: int | None = 1) -> None:
        super().__init__()
        self.fault = SeatFault(termination, "was late", wall_ns)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Fail."""
        raise self.fault


def played(fen: str, fault: Late) -> MatchRecord:
    """Play a match in which White, to move, fails."""
    game = find_game(f"chess?fen={fen}")
    setup = MatchSetup(game=game, versions=(1, 2), opening=(), limits=Limits(move_s=1.0), seed=1)
    return play_match(setup, [fault, FirstMove()])


@pytest.mark.parametrize(
    ("fen", "scores"),
    [
        ("4k3/8/8/8/8/8/Q7/4K3 w - - 0 1", (0.5, 0.5)),
        ("2b1k3/8/8/8/8/8/Q7/4K3 w - - 0 1", (0.5, 0.5)),
        ("2b1k3/8/8/8/8/8/4P3/4K3 w - - 0 1", (0.0, 1.0)),
        ("4k3/4p3/8/8/8/8/Q7/4K3 w - - 0 1", (0.0, 1.0)),
        ("1nb1k3/8/8/8/8/8/Q7/4K3 w - - 0 1", (0.0, 1.0)),
    ],
)
def test_a_flag_that_falls_against_a_side_that_can_not_mate_is_a_draw(
    fen: str, scores: tuple[float, float]
) -> None:
    record = played(fen, Late(Termination.TIME_FORFEIT))
    assert record.scores == scores
    assert (record.termination, record.fault_seat) == (Termination.TIME_FORFEIT, 0)
    assert ("a draw" in record.detail) is (scores == (0.5, 0.5))


@pytest.mark.parametrize(
    "fault",
    [Late(Termination.CRASH), Late(Termination.RESIGNATION), Late(Termination.TIME_FORFEIT, None)],
)
def test_other_faults_lose_to_a_bare_king(fault: Late) -> None:
    assert played("4k3/8/8/8/8/8/Q7/4K3 w - - 0 1", fault).scores == (0.0, 1.0)
