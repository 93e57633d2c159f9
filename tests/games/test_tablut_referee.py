"""Tablut against whole matches of the Bologna competition's referee.

`tablut_referee.txt` holds random matches that the referee's class GameAshtonTablut played and
ended: https://github.com/AGalassi/TablutCompetition, commit 9698398. A line is the options, who
won, and for each ply the number of moves that the referee allows and the move. Black captures the
king in every way: on the throne, beside it, between two besiegers, and against a camp.
"""

from pathlib import Path

import pytest

from games.support.specs import find_game

MATCHES = Path(__file__).with_name("tablut_referee.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("line", MATCHES, ids=range(len(MATCHES)))
def test_a_match_goes_as_the_referee_says(line: str) -> None:
    options, winner, *plies = line.split(" ")
    game = find_game(f"tablut?{options}")
    state = game.initial()
    for count, text in zip(plies[::2], plies[1::2], strict=True):
        assert state.outcome() is None
        assert len(state.legal_moves()) == int(count)
        state = state.play(state.parse(text))
    outcome = state.outcome()
    assert outcome is not None
    if winner == "draw":
        assert outcome == (0.0, 0.0)
    else:
        assert outcome[game.seat_names.index(winner)] == 1.0
