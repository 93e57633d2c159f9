"""The reason for a loss, in sentences."""

from dataclasses import replace
from pathlib import Path

import pytest

from league.analysis.loss_report import loss_report
from league.analysis.replay import load_replay
from league.model.records import MatchKey, Termination
from league.store.store import open_store
from tests.league.matches import add_bots, add_tournament, won_match

HINT = "A program that can't start a thread within its memory of 1024 MB waits like that"


@pytest.mark.parametrize(
    ("termination", "cpu_ns", "is_hinted"),
    [
        (Termination.TIME_FORFEIT, 300_000, True),
        (Termination.TIME_FORFEIT, 300_000_000, False),
        (Termination.CRASH, 300_000, False),
    ],
)
def test_a_late_bot_that_computes_nothing_may_lack_memory(
    tmp_path: Path, termination: Termination, cpu_ns: int, is_hinted: bool
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        record = replace(
            won_match(one, two),
            termination=termination,
            fault_seat=1,
            fault_wall_ns=500_000_000,
            fault_cpu_ns=cpu_ns,
        )
        store.matches.save(add_tournament(store, one, two), [(MatchKey(0, 0), record)])
        sentences = loss_report(load_replay(store, 1)).sentences
    assert any(each.startswith(HINT) for each in sentences) == is_hinted


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ("closed its output", "closed its output."),
        ("can't be reached; is the server running?", "can't be reached; is the server running?"),
    ],
)
def test_a_reason_ends_with_one_mark(tmp_path: Path, detail: str, told: str) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        record = replace(
            won_match(one, two), termination=Termination.CRASH, fault_seat=1, detail=detail
        )
        store.matches.save(add_tournament(store, one, two), [(MatchKey(0, 0), record)])
        assert f"The reason: {told}" in loss_report(load_replay(store, 1)).sentences
