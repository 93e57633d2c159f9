"""A seat that resigns loses, without a fault."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from games.support.specs import find_game
from league.analysis.loss_report import loss_report
from league.analysis.replay import load_replay
from league.analysis.standings import standings
from league.analysis.verify import verify
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchKey, MatchRecord, Termination
from league.store.store import open_store
from tests.league.matches import add_bots, add_tournament
from tests.league.seats.firstmove import FirstMove

GAME = find_game("connectfour")
LIMITS = Limits(move_s=0.1)


def resigned(versions: Sequence[int] = (1, 2)) -> MatchRecord:
    """Return a match that the second seat resigned at ply 4."""
    seats = [FirstMove(), FirstMove(until=3)]
    record = play_match(
        MatchSetup(game=GAME, versions=versions, opening=(), limits=LIMITS, seed=1), seats
    )
    assert [seat.stopped for seat in seats] == [0, 0]
    return record


def test_who_resigns_loses_and_goes_on_sitting() -> None:
    record = resigned()
    assert record.termination is Termination.RESIGNATION
    assert not record.termination.is_fault
    assert (record.fault_seat, record.scores, record.utilities) == (1, (1.0, 0.0), None)
    assert [move.move for move in record.moves] == [0, 0, 0]
    assert record.detail == "resigned"


def test_a_resignation_is_a_loss_and_no_forfeit(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two)
        store.matches.save(tournament, [(MatchKey(0, 0), resigned((one, two)))])
        rows = {row.version: row for row in standings(store, "connectfour").rows}
        assert (rows[one].wins, rows[two].losses) == (1, 1)
        assert not rows[two].forfeits
        assert store.matches.page(faults_only=True) == ()
        assert len(store.matches.page(termination=Termination.RESIGNATION)) == 1
        reason = loss_report(load_replay(store, None))
        assert reason.sentences[0] == "two (seat 1) resigned at ply 4 and lost."


def test_a_league_with_a_resignation_bears_out(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two)
        record = resigned((one, two))
        false = replace(record, scores=(0.0, 1.0))
        store.matches.save(tournament, [(MatchKey(0, 0), record), (MatchKey(1, 0), false)])
        texts = [(each.match, each.text) for each in verify(store)[1]]
    endings = [each for each in texts if "bear out" in each[1] or "its end gives" in each[1]]
    assert [match for match, _ in endings] == [2], texts
