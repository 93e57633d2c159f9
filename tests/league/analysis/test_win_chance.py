"""Chances to win by the bots' own scores, and the moves that cost most."""

from collections.abc import Sequence

import pytest

from games.support.specs import find_game
from league.analysis.win_chance import (
    Chance,
    blunders,
    chance_of,
    first_side_share,
    likely_score,
    silent_plies,
    usual_size,
    win_chances,
)
from league.match.replay import Frame, frames_of
from league.model.records import MatchRecord, MoveRecord, ReportRecord, Termination


def frames(
    scores: Sequence[float | None],
    mates: Sequence[int | None] = (),
    columns: Sequence[int] = range(7),
) -> list[Frame]:
    """Replay a match of Connect Four whose bots told these scores, the first seat's first.

    They play in these columns by turns.
    """
    moves = [
        MoveRecord(
            columns[ply % len(columns)],
            report=None if score is None else ReportRecord(score=score, mate=mate),
        )
        for ply, (score, mate) in enumerate(
            zip(scores, [*mates, *[None] * len(scores)], strict=False)
        )
    ]
    record = MatchRecord(
        game="connectfour",
        versions=(1, 2),
        seed=1,
        opening=(),
        moves=tuple(moves),
        scores=(0.5, 0.5),
        termination=Termination.ADJUDICATED,
    )
    return list(frames_of(record))


@pytest.mark.parametrize(
    ("game", "spec", "options", "likely"),
    [
        ("chess", "uci:/usr/games/stockfish", {}, 2.7),
        ("chess", "alphabeta", {"evaluate": "material"}, 270),
        ("connectfour", "uci:x", {}, None),
        ("connectfour", "mine.py:Bot", {}, None),
        ("connectfour", "iterative", {"evaluate": "tops"}, 0.35),
        ("connectfour", "mcts", {"evaluate": "tops"}, 400),
        ("connectfour", "iterative", {"evaluate": "unheard-of"}, None),
        ("tictactoe", "minimax", {}, 4),
        ("lost.py:Game", "minimax", {}, None),
        ("", "", {}, None),
    ],
)
def test_the_unit_of_a_score(
    game: str, spec: str, options: dict[str, str], likely: float | None
) -> None:
    assert likely_score(game, spec, options) == pytest.approx(likely)


def test_a_proven_win_is_certain_in_every_game_and_the_least_score_is_not() -> None:
    for game in ("chess", "connectfour", "othello", "breakthrough", "mnk", "tablut", "tictactoe"):
        found = find_game(game).evaluations[0]
        likely = likely_score(game, "alphabeta", {})
        assert likely is not None
        assert chance_of(found.scale, likely) > 0.999
        assert 0.1 < chance_of(-likely, likely) < 0.5


def test_chances_follow_the_scores_and_a_mate_is_certain() -> None:
    told = frames([1.0, -1.0, 0.0, None, -2.0, 0.01], mates=[None, None, None, None, None, 3])
    found = win_chances(told, (1.0, 1.0))
    assert [(each.ply, each.seat) for each in found] == [(1, 0), (2, 1), (3, 0), (5, 0), (6, 1)]
    assert [round(each.value, 2) for each in found] == [0.73, 0.27, 0.5, 0.12, 1.0]


def test_the_unit_of_an_unknown_bot_is_that_of_its_match() -> None:
    small, large = (
        win_chances(frames([factor * score for score in (1, 5, 3, -5, -4, 2)]), (None, None))
        for factor in (1, 1000)
    )
    assert [round(each.value, 6) for each in small] == [round(each.value, 6) for each in large]
    assert usual_size([1.0, -2.0, 100_000.0]) < 3


def test_a_blunder_is_the_move_before_the_bot_sees_less() -> None:
    told = frames([1.0, 0.0, 1.1, 0.0, -1.0, 0.0, -1.1, 3.0])
    (found,) = blunders(told, win_chances(told, (1.0, 1.0)))
    assert (found.ply, found.seat, found.found) == (3, 0, 5)
    assert (round(found.before, 2), round(found.after, 2)) == (0.75, 0.27)
    # 0.73 to 0.5 is one, 0.6 to 0.5 is none.
    told = frames([0.4, None, 0.0])
    assert not blunders(told, win_chances(told, (1.0, 1.0)))


def test_the_result_counts_after_the_last_move() -> None:
    # Red has four in column 1 after ply 7, which Yellow did not see.
    told = frames([0.0, 0.5, 0.0, 0.4, 0.0, 0.6, 9.0], columns=(0, 1))
    (found,) = blunders(told, win_chances(told, (1.0, 1.0)))
    assert (found.ply, found.seat, found.found, found.is_last) == (6, 1, 7, True)
    assert (round(found.before, 2), found.after) == (0.65, 0.0)
    # A bot that knew it loses nothing, and of one that was silent nobody knows when it lost.
    for last in (-5.0, None):
        told = frames([0.0, 0.5, 0.0, 0.4, 0.0, last, 9.0], columns=(0, 1))
        assert not [each for each in blunders(told, win_chances(told, (1.0, 1.0))) if each.is_last]
    # A match that somebody else ended proves nothing.
    told = frames([0.0, 0.5, 0.0, 0.4, 0.0, 0.6], columns=(0, 1))
    assert not blunders(told, win_chances(told, (1.0, 1.0)))


def test_a_bar_has_the_mean_of_both_a_proof_alone_and_at_last_the_result() -> None:
    told = frames([0.0, 0.5, 0.0, 0.4, 0.0, 0.6, 9.0], columns=(0, 1))
    going, over = told[6].state, told[7].state
    one, other = Chance(5, 0, 0.6), Chance(6, 1, 0.8)
    assert first_side_share(going, (0, 1), []) is None
    assert first_side_share(going, (0, 1), [one, other]) == pytest.approx(0.4)
    proof = Chance(6, 1, 1.0, is_proven=True)
    assert first_side_share(going, (0, 1), [one, proof]) == 0.0
    assert first_side_share(over, (0, 1), [one, proof]) == 1.0


def test_a_blunder_is_not_told_across_moves_without_a_score() -> None:
    told = frames([1.0, None, None, None, -1.0, None, -3.0])
    (found,) = blunders(told, win_chances(told, (1.0, 1.0)))
    assert (found.ply, found.found) == (5, 7)
    assert silent_plies(told, {(1, 0), (5, 0), (7, 0)}) == {0: [3]}
