"""Chances to win by the bots' own scores, and the moves that cost most."""

from collections.abc import Sequence

import pytest

from games.support.specs import find_game
from league.analysis.win_chance import (
    blunders,
    chance_of,
    likely_score,
    silent_plies,
    usual_size,
    win_chances,
)
from league.match.replay import Frame, frames_of
from league.model.records import MatchRecord, MoveRecord, ReportRecord, Termination


def frames(scores: Sequence[float | None], mates: Sequence[int | None] = ()) -> list[Frame]:
    """Replay a match of Connect Four whose bots told these scores, the first seat's first."""
    moves = [
        MoveRecord(ply % 7, report=None if score is None else ReportRecord(score=score, mate=mate))
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


def test_a_blunder_is_not_told_across_moves_without_a_score() -> None:
    told = frames([1.0, None, None, None, -1.0, None, -3.0])
    (found,) = blunders(told, win_chances(told, (1.0, 1.0)))
    assert (found.ply, found.found) == (5, 7)
    assert silent_plies(told, {(1, 0), (5, 0), (7, 0)}) == {0: [3]}
