"""Reports and logs of bots are bounded in a match and in a day, and marked when they are cut."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from games.support.game import Game, State
from games.support.moves import WireMove
from games.support.specs import find_game
from league.analysis.verify import verify
from league.match.play import MatchSetup, play_match
from league.match.report_share import (
    CUT,
    LOG_MAX,
    OUTPUT_MAX,
    RECORD_MAX,
    SPENT_LOG_MAX,
    ReportShare,
)
from league.model.records import BotVersion, Limits, MatchRecord, ReportRecord, Termination
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault
from league.store.record_codec.packed_match import PackedMatch
from league.store.store import open_store
from league.tournament.create import create_tournament
from league.tournament.storage_quota import DAY_MAX, StorageQuota
from tests.league.in_process import run_here
from tests.league.seats.firstmove import FirstMove

GAME = find_game("connectfour?columns=16&rows=16")
LIMITS = Limits(depth=1)


class Talker(FirstMove):
    """Tells a text of so many random characters of four bytes with each move, and a line."""

    def __init__(self, noise: int, line: tuple[WireMove, ...] = (), log: str = "") -> None:
        super().__init__()
        self.noise, self.line, self.log, self.output = noise, line, log, ""

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Fail if there is a log to tell."""
        if self.log:
            raise SeatFault(Termination.CRASH, "x" * 100_000)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Tell all of it."""
        text = "".join(chr(0x10000 + 256 * byte) for byte in os.urandom(self.noise))
        report = ReportRecord(depth=3, score=float(len(history)), pv=self.line, text=text)
        return SeatAnswer(state.legal_moves()[-1], wall_ns=0, cpu_ns=0, over_ns=0, report=report)


def played(*talkers: Talker) -> MatchRecord:
    """Play a match between them."""
    setup = MatchSetup(game=GAME, versions=(1, 2), opening=(), limits=LIMITS, seed=1)
    return play_match(setup, talkers)


@pytest.mark.parametrize("line", [tuple(range(64)), ("x" * 100_000,), (1 << 80_000,), (0,) * 9000])
def test_a_record_is_bounded_and_keeps_every_score(line: tuple[WireMove, ...]) -> None:
    record = played(Talker(50_000, line), Talker(0))
    assert len(record.moves) > 40
    assert len(PackedMatch.of(record).data) < RECORD_MAX
    texts = [move.report.text for move in record.moves[::2] if move.report]
    assert CUT not in texts[0]
    assert texts[-1] == CUT
    for ply, move in enumerate(record.moves):
        assert move.report is not None
        assert move.report.score == ply


def test_one_bot_does_not_use_the_share_of_another() -> None:
    record = played(Talker(500), Talker(20))
    cut = [move.report is not None and move.report.text == CUT for move in record.moves]
    assert any(cut[::2])
    assert not any(cut[1::2])


def test_a_log_is_bounded_and_so_is_the_reason() -> None:
    log = "".join(f"{number}\n" for number in range(100_000))
    record = played(Talker(0, (), log), Talker(0))
    assert record.log.startswith(f"{CUT}\n")
    assert record.log.endswith("99999\n")
    assert len(record.log) <= LOG_MAX
    assert len(record.detail) == 1000
    assert len(ReportShare(2, is_spent=True).take_log(log)) <= SPENT_LOG_MAX


@pytest.mark.slow
def test_what_a_bot_stores_in_a_day_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.tournament.storage_quota.DAY_MAX", 50)
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        for name, spec in (("deep", "minimax:depth=2"), ("random", "random")):
            register(store, name, spec, options={}, is_checked=False)
        row = create_tournament(
            store,
            TournamentSpec(game="tictactoe", bots=["all"], rounds=20, limits=LIMITS, seed=1),
        )
        run_here(store, row.id, workers=1)
        texts = [
            [move.report.text for move in store.matches.get(match)[1].moves if move.report]
            for match in store.matches.numbers(row.id)
        ]
        assert verify(store) == (40, [])
    assert CUT not in texts[0]
    assert set(texts[-1]) == {CUT}


def test_a_new_day_begins_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = [BotVersion("a", "random"), BotVersion("b", "random")]
    quota = StorageQuota()
    monkeypatch.setattr("league.tournament.storage_quota.time.time", lambda: 86_400.0)
    quota.take(bots, (DAY_MAX, 1))
    assert quota.spent(bots) == (0,)
    monkeypatch.setattr("league.tournament.storage_quota.time.time", lambda: 2 * 86_400.0)
    quota.take(bots, (1, 1))
    assert quota.spent(bots) == ()


def test_what_bots_print_is_kept_without_a_fault_too() -> None:
    talkers = [Talker(0), Talker(0)]
    assert played(*talkers).log == ""
    talkers[1].output = "".join(f"{number}\n" for number in range(1000))
    log = played(*talkers).log
    assert log.startswith(f"seat 1:\n{CUT}\n")
    assert log.endswith("998\n999\n")
    assert len(log) < OUTPUT_MAX + 20
