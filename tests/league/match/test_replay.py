"""A stored match becomes positions, words and JSON again."""

from pathlib import Path

import pytest

from games.support.errors import MoveError
from games.support.specs import find_game
from league.analysis.replay import load_replay
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import to_dict
from league.match.replay import Frame, biggest_swing, frames_of
from league.model.errors import UnknownRowError
from league.model.records import MatchKey, MatchRecord, MoveRecord, ReportRecord, Termination
from league.store.store import open_store
from tests.league.matches import add_bots, add_tournament


def told(*scores: float | None) -> MatchRecord:
    """Return an unfinished match whose moves have these scores (None: no report)."""
    return MatchRecord(
        game="connectfour",
        versions=(1, 2),
        seed=1,
        opening=(3,),
        moves=tuple(
            MoveRecord(
                ply % 7, report=None if score is None else ReportRecord(score=score, pv=(ply % 7,))
            )
            for ply, score in enumerate(scores)
        ),
        scores=(0.0, 1.0),
        termination=Termination.CRASH,
        fault_seat=0,
        detail="exited with status 3",
    )


@pytest.mark.parametrize(
    ("scores", "swing"),
    [
        ((), None),
        ((1.0, 900.0), None),
        ((1.0, 900.0, 2.0), 4),
        ((1.0, 0.0, 5.0, -9.0, 4.0), 5),
        ((1.0, 0.0, None, None, -70.0, 3.0), 6),
        ((0.0, 0.0, 5.0, 5.0), 4),
        ((100_000.0, 0.0, 100_000.0), None),
    ],
)
def test_the_biggest_swing(tmp_path: Path, scores: tuple[float | None, ...], swing: int) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        tournament = add_tournament(store, *add_bots(store, "a", "b"))
        store.matches.save(tournament, [(MatchKey(0, 0), told(*scores))])
        replay = load_replay(store, None)
    assert replay.biggest_swing() == swing
    assert replay.ending == "0 – 1, crash: a exited with status 3"
    assert replay.title == "match 1: a – b, connectfour"
    assert len(to_dict(document_of(replay))["plies"]) == len(scores) + 2


def test_a_swing_says_what_is_proven() -> None:
    reports = ((31.0, ""), (100_000.0, "won, compiled"))
    frames = [
        Frame(
            ply=2 * number,
            state=find_game("connectfour").initial(),
            seat=0,
            record=MoveRecord(3, report=ReportRecord(score=score, text=text)),
        )
        for number, (score, text) in enumerate(reports)
    ]
    swing = biggest_swing(frames)
    assert swing is not None
    assert swing.told == "from +31 to +100000 (won)"


def test_a_line_ends_where_it_is_no_longer_legal() -> None:
    moves = (MoveRecord(2, report=ReportRecord(pv=(2, 4, 77, 1))),)
    record = MatchRecord(
        game="connectfour",
        versions=(1, 2),
        seed=1,
        opening=(3,),
        moves=moves,
        scores=(1, 0),
        termination=Termination.RULES,
    )
    start, opening, first = frames_of(record)
    assert (start.seat, start.move, start.line) == (None, "", ())
    assert (opening.seat, opening.move, opening.record) == (0, "4", None)
    assert (first.seat, first.move, first.line) == (1, "3", ("3", "5"))


def test_a_line_that_begins_with_another_move_foretells_no_position() -> None:
    record = MatchRecord(
        game="connectfour",
        versions=(1, 2),
        seed=1,
        opening=(),
        moves=(
            MoveRecord(3, report=ReportRecord(pv=(2, 2, 2))),
            MoveRecord(3, report=ReportRecord(pv=(3, 2, 2))),
        ),
        scores=(0.5, 0.5),
        termination=Termination.ADJUDICATED,
    )
    _, other, played = frames_of(record)
    assert other.line == ("3", "3", "3")
    assert (other.foreseen, other.expected) == ((), None)
    assert played.line == ("4", "3", "3")
    assert [seat for seat, _ in played.foreseen] == [0, 1]
    assert played.expected is not None
    assert played.expected == played.state.play(2).play(2)


def test_a_move_that_is_not_legal_is_refused() -> None:
    record = MatchRecord(
        game="connectfour",
        versions=(1, 2),
        seed=1,
        opening=(77,),
        moves=(),
        scores=(1, 0),
        termination=Termination.RULES,
    )
    with pytest.raises(MoveError, match="77"):
        list(frames_of(record))


def test_an_unknown_match(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        with pytest.raises(UnknownRowError, match="no match 5"):
            load_replay(store, 5)
        with pytest.raises(UnknownRowError):
            load_replay(store, None)
