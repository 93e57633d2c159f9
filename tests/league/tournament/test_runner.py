"""Tournaments: the same on any number of workers, complete, resumable, joined."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest

from games.support.errors import InputError
from league.analysis.crosstable import crosstable
from league.analysis.follow import Follower
from league.analysis.outlook import outlook
from league.analysis.standings import standings
from league.analysis.verify import verify
from league.execution.pool import Pool
from league.execution.worker import MatchJob
from league.model.errors import SetupError, StoppedError, UnknownRowError
from league.model.records import Limits, MatchKey, OwnLimits, Termination
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.seats.seat import SeatFault, SeatKilled
from league.store.matches import MatchTable
from league.store.rows import Request, TournamentRow, TournamentState
from league.store.store import Store, open_store
from league.store.tournaments import TournamentTable
from league.tournament.create import create_tournament
from league.tournament.lifecycle import cancel, extend, join, pause, withdraw
from league.tournament.planner import Planner
from league.tournament.progress import Progress
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from league.tournament.stored import unfinished
from tests.examples import slow
from tests.league.in_process import InProcessPool, Script, run_here
from tests.paths import BAD_BOTS

LIMITS = Limits(depth=2, start_s=20)
RESTARTED = replace(LIMITS, is_restarted=True)
BOTS = {"ab": "alphabeta:depth=3", "it": "iterative:depth=3", "rnd": "random", "gr": "greedy"}


@pytest.fixture
def _asked_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the runner look for requests after every batch, and not once a second."""
    monkeypatch.setattr("league.tournament.runner.ASK_EVERY_S", 0.0)


@cache
def built_in() -> bytes:
    """Return the database of a league of built-in bots."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "league.db"
        with open_store(str(path), create=True) as store:
            for name, spec in BOTS.items():
                register(store, name, spec, options={}, is_checked=False)
        return path.read_bytes()


def league_of(folder: Path, *bad: str) -> Store:
    """Make a league of built-in bots and of bad ones."""
    folder.mkdir(exist_ok=True)
    (folder / "league.db").write_bytes(built_in())
    store = open_store(str(folder / "league.db"))
    for name in bad:
        register(store, name, str(BAD_BOTS / f"{name}.py"), options={}, is_checked=False)
    return store


def held(store: Store, game: str, bots: Sequence[str], **settings: Any) -> TournamentRow:
    """Create a tournament: one round with seed 5, except for other `settings`."""
    usual = TournamentSpec(game=game, bots=bots, rounds=1, limits=LIMITS, seed=5)
    return create_tournament(store, replace(usual, **settings))


def depths_of(store: Store, match: int) -> list[int]:
    """Return the depths that were told in a match."""
    _, record = store.matches.get(match)
    return [move.report.depth or 0 for move in record.moves if move.report]


def all_moves(store: Store, tournament: int) -> dict[MatchKey, tuple[object, ...]]:
    """Return the moves of every match by its place."""
    found: dict[MatchKey, tuple[object, ...]] = {}
    for match in store.matches.numbers(tournament):
        row, record = store.matches.get(match)
        found[row.key] = (record.opening, *(move.move for move in record.moves), record.scores)
    return found


@pytest.mark.slow
def test_the_seed_decides_on_any_number_of_workers(tmp_path: Path) -> None:
    found, names = [], ["it", "rnd", "gr"]
    for workers in (1, 3):
        store = league_of(tmp_path / str(workers))
        row = held(store, "connectfour", names)
        progress = run_tournament(
            store, row.id, RunOptions(workers=workers, is_pinned=workers == 3)
        )
        assert progress.played == progress.total == 3 * 2
        found.append(all_moves(store, row.id))
    store = league_of(tmp_path / "here")
    row = held(store, "connectfour", names)
    run_here(store, row.id, seed=7)
    assert found[0] == found[1] == all_moves(store, row.id)
    assert len(set(found[0].values())) > 1


@pytest.mark.slow
def test_a_limit_in_rounds_is_as_many_plies_as_seats_move_in_them(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    register(store, "deep", "iterative:depth=9", options={}, is_checked=False)
    limits = replace(LIMITS, depth=None, depth_rounds=1)
    for game, seats in (("tictactoe", 2), ("pacman?rounds=2", 3)):
        row = held(store, game, ["deep", "gr", "rnd"], limits=limits)
        run_here(store, row.id, workers=2)
        assert store.tournaments.get(row.id).config.limits.depth_rounds == 1
        depths = [
            depth for each in store.matches.numbers(row.id) for depth in depths_of(store, each)
        ]
        assert max(depths) == seats


def test_a_limit_in_rounds_stands_beside_that_in_plies() -> None:
    assert Limits().plies(4) is None
    assert Limits(depth=3).plies(4) == 3
    assert Limits(depth=3, depth_rounds=1).plies(4) == 3
    assert Limits(depth=9, depth_rounds=2).plies(4) == 8


def test_what_is_missing_is_played_and_nothing_else(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "tictactoe", ["ab", "rnd"], rounds=20)

    def stop(progress: Progress) -> None:
        if progress.played >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_here(store, row.id, workers=1, on_progress=stop)
    played = unfinished(store, None).played
    assert played >= 5
    progress = run_here(store, row.id, workers=1)
    assert progress.played_before == played
    assert progress.done == progress.total == 40
    assert run_here(store, row.id, workers=1).played == 0
    with pytest.raises(UnknownRowError, match="nothing to resume"):
        unfinished(store, None)


class _BatchPool(InProcessPool):
    """A pool that notes how many matches each batch has."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.sizes: list[int] = []

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        self.sizes.append(len(jobs))
        return super().submit(jobs)


@pytest.mark.parametrize(("match_s", "is_alone"), [(0.0, True), (0.05, False), (None, False)])
def test_a_little_rest_is_for_one_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, match_s: float | None, is_alone: bool
) -> None:
    """To start a second one, with its bots, takes longer than to play it."""
    store = league_of(tmp_path)
    row = held(store, "tictactoe", ["ab", "rnd"], rounds=10)
    monkeypatch.setattr(MatchTable, "match_s", lambda self, tournament: match_s)
    pools: list[_BatchPool] = []

    def open_pool(size: int) -> Pool:
        pools.append(_BatchPool(size))
        return pools[-1]

    run_tournament(store, row.id, RunOptions(workers=2), open_pool=open_pool)
    (pool,) = pools
    assert sum(pool.sizes) == 20
    assert (pool.sizes == [20]) is is_alone


def test_a_bad_bot_loses_and_disturbs_nobody(tmp_path: Path) -> None:
    store = league_of(tmp_path, "raises", "loops")
    row = held(store, "connectfour", ["rnd", "raises", "loops"], rounds=2)
    faults = {
        "raises": SeatFault(Termination.CRASH, "ZeroDivisionError"),
        "loops": SeatFault(Termination.TIME_FORFEIT, "had not moved"),
    }
    run_here(store, row.id, scripts={name: Script(ask=fault) for name, fault in faults.items()})
    rows = {each.bot: each for each in standings(store, row.config.game, row.id).rows}
    assert rows["rnd"].wins == rows["rnd"].matches == 8
    assert set(rows["raises"].forfeits) == {Termination.CRASH}
    assert set(rows["loops"].forfeits) == {Termination.TIME_FORFEIT}
    _, cells = crosstable(store, row.config.game, row.id)
    assert cells[rows["rnd"].version, rows["loops"].version].wins == 4


def test_a_strict_run_ends_at_the_first_fault_and_goes_on_later(tmp_path: Path) -> None:
    store = league_of(tmp_path, "raises")
    row = held(store, "connectfour", ["rnd", "raises"], rounds=200)
    scripts = {"raises": Script(ask=SeatFault(Termination.CRASH, "ZeroDivisionError"))}
    options = RunOptions(workers=2, is_strict=True)
    found = run_tournament(
        store, row.id, options, open_pool=lambda size: InProcessPool(size, scripts, None)
    )
    assert found.stopped == "raises lost by crash"
    left = store.tournaments.get(row.id)
    assert left.stop_reason == "raises lost by crash"
    assert 0 < left.played < 400
    run_here(store, row.id, scripts=scripts)
    assert store.tournaments.get(row.id).played == 400


def test_a_match_that_is_void_again_and_again_stops_the_tournament(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    late = Script(start=OSError("no more processes"))
    row = held(store, "connectfour", ["rnd", "it", "gr"])
    with pytest.raises(StoppedError, match="no process for seat"):
        run_here(store, row.id, scripts={"it": late})
    left = store.tournaments.get(row.id)
    assert left.played == 2
    assert "void 3 times" in (left.stop_reason or "")
    assert (left.stop_reason or "").endswith("(and 3 more, all with it)")


def test_a_bot_that_kills_itself_crashes_at_last(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "connectfour", ["rnd", "gr"])
    run_here(store, row.id, scripts={"gr": Script(ask=SeatKilled("was ended by SIGKILL"))})
    rows = {each.bot: each for each in standings(store, row.config.game, row.id).rows}
    assert rows["gr"].forfeits == {Termination.CRASH: 2}


@pytest.mark.parametrize(
    ("bots", "text"),
    [
        (["ab"], "1 bot can't fill the 2 seats"),
        (["ab", "ab"], "named twice"),
        (["ab", "its"], r"no bot 'its' \(did you mean 'it'\?\)"),
        (["ab", "mtdf:depth=2"], r"not registered yet: 'league register NAME mtdf:depth=2' does"),
        (["ab", "old"], "is retired"),
        (["ab", "ttt"], "registered for tictactoe, not for connectfour"),
    ],
)
def test_tournaments_that_cannot_be_held(tmp_path: Path, bots: list[str], text: str) -> None:
    store = league_of(tmp_path)
    register(store, "old", "random", options={}, is_checked=False)
    store.bots.retire("old")
    register(store, "ttt", "random", options={}, games=["tictactoe"], is_checked=False)
    with pytest.raises((SetupError, UnknownRowError), match=text):
        held(store, "connectfour", bots, seed=1)
    assert store.tournaments.all() == ()


def test_a_gauntlet_is_the_first_against_the_others(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    row = held(store, "tictactoe", ["rnd", "ab", "it"], rounds=2, seed=1, format="gauntlet")
    assert run_here(store, row.id, workers=1).played == row.total == 2 * 2 * 2
    rows = {each.bot: each.matches for each in standings(store, row.config.game, row.id).rows}
    assert rows == {"rnd": 8, "ab": 4, "it": 4}


@pytest.mark.parametrize(
    ("schedule", "text"),
    [
        ("knockout:third=yes,advance=all", "expected one of half, one"),
        ("gauntlet:challengers=4", "leaves 0 to meet"),
        ("gauntlet:challengers=none", "expected a whole number from 1"),
        ("swyss", r"unknown format 'swyss' \(did you mean 'swiss'\?\)"),
    ],
)
def test_formats_that_cannot_be_held(tmp_path: Path, schedule: str, text: str) -> None:
    store = league_of(tmp_path)
    with pytest.raises(InputError, match=text):
        held(store, "connectfour", list(BOTS), seed=1, format=schedule)
    assert store.tournaments.all() == ()


def test_without_a_seed_one_is_drawn(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    spec = TournamentSpec(game="connectfour", bots=list(BOTS), rounds=1, limits=LIMITS)
    first, second = (create_tournament(store, spec).config.seed for _ in range(2))
    assert first != second


def test_all_means_those_for_the_game(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    register(store, "ttt", "random", options={}, games=["tictactoe"], is_checked=False)
    row = held(store, "connectfour", ["all"], seed=1)
    assert len(row.config.entrants) == len(BOTS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "own", "crashes"),
    [
        (RESTARTED, {}, 0),
        (LIMITS, {"remembers": OwnLimits(is_restarted=True)}, 0),
        *slow((RESTARTED, {"remembers": OwnLimits(is_restarted=False)}, 2), (LIMITS, {}, 2)),
    ],
)
def test_bots_are_kept_between_matches_or_started_afresh(
    tmp_path: Path, limits: Limits, own: dict[str, OwnLimits], crashes: int
) -> None:
    store = league_of(tmp_path, "remembers")
    names = ["remembers", "rnd"]
    row = held(store, "tictactoe", names, rounds=2, limits=limits, own_limits=own)
    run_tournament(store, row.id, RunOptions(workers=1))
    found = [match.termination for match in store.matches.page()]
    # Every second match: a bot that failed is started afresh anyway.
    assert found.count(Termination.CRASH) == crashes
    assert len(found) == 4


def test_a_worker_pauses_between_its_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("league.execution.worker.time", SimpleNamespace(sleep=pauses.append))
    store = league_of(tmp_path)
    row = held(store, "tictactoe", ["rnd", "gr"], rounds=2)
    options = RunOptions(workers=1, wait_s=0.25)
    run_tournament(store, row.id, options, open_pool=InProcessPool)
    assert pauses == [0.25] * 3, "none before the first of four"


FORMATS = {
    "roundrobin": ("ab", "it", "rnd", "gr"),
    "gauntlet": ("rnd", "ab", "it"),
    "swiss": ("ab", "it", "rnd", "gr"),
    "knockout:third=yes": ("ab", "it", "rnd", "gr"),
    "ladder": ("rnd", "gr", "ab"),
    "adaptive": ("rnd", "gr", "ab"),
    "sprt:elo0=0,elo1=100,batch=2": ("ab", "rnd"),
}


@pytest.mark.parametrize("schedule", FORMATS)
def test_every_format_is_played_to_its_end(tmp_path: Path, schedule: str) -> None:
    store = league_of(tmp_path)
    names = FORMATS[schedule]
    rounds = 40 if schedule.startswith("sprt") else 2
    row = held(store, "tictactoe", names, rounds=rounds, opening_plies=3, format=schedule)
    planner = Planner(store, row.id)
    found = outlook(store, row)
    assert (found.says, found.expected) == (planner.says(), planner.schedule.expected())
    progress = run_here(store, row.id, workers=2)
    row = store.tournaments.get(row.id)
    assert row.is_finished
    assert row.played == row.total == progress.played == progress.total
    assert verify(store) == (row.played, [])
    planner = Planner(store, row.id)
    assert all(planner.has(key) for key in store.matches.scores(row.id))
    found = outlook(store, row)
    assert (
        found.expected == planner.schedule.expected() == Follower(store, row.id).look(60).expected
    )
    assert bool(found.says) == (schedule.split(":")[0] not in ("adaptive", "gauntlet"))
    if schedule.split(":", maxsplit=1)[0] in ("knockout", "ladder", "sprt"):
        said = planner.says()
        assert any(name in said for name in names)
        assert said == progress.says == found.says


@pytest.mark.slow
def test_games_for_three_in_every_format_that_takes_them(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    for schedule in ("roundrobin", "gauntlet", "swiss", "knockout", "ladder", "adaptive"):
        row = held(store, "pacman?rounds=2", ["ab", "gr", "rnd"], format=schedule)
        run_here(store, row.id, workers=2)
        row = store.tournaments.get(row.id)
        assert row.played == row.total
        assert row.played % 3 == 0
    assert verify(store)[1] == []
    with pytest.raises(SetupError, match="can't fill 3 seats"):
        held(store, "pacman", ["ab", "gr", "rnd"], format="sprt")


def contents(store: Store, tournament: int) -> dict[object, tuple[object, ...]]:
    """Return the moves of every match by what the match is, whatever its number."""
    planner = Planner(store, tournament)
    moves = all_moves(store, tournament)
    return {(planner.schedule.encounters[key.encounter], key.rotation): moves[key] for key in moves}


@pytest.mark.slow
@pytest.mark.usefixtures("_asked_always")
@pytest.mark.parametrize("schedule", ["roundrobin", "gauntlet"])
def test_joined_and_extended_equals_straight(tmp_path: Path, schedule: str) -> None:
    names = ["rnd", "gr", "ab", "it"]
    straight = league_of(tmp_path / "straight")
    row = held(straight, "tictactoe", names, rounds=2, opening_plies=2, format=schedule)
    run_here(straight, row.id, workers=2)
    store = league_of(tmp_path / "changed")
    held(store, "tictactoe", names[:2], opening_plies=2, format=schedule)
    run_here(store, 1, workers=1)
    assert store.tournaments.get(1).is_finished
    extend(store, 1, 1)

    def change(progress: Progress) -> None:
        # Another process may ask for it at any moment of a run.
        if progress.played and len(store.tournaments.get(1).config.entrants) == 2:
            with open_store(str(tmp_path / "changed" / "league.db")) as other:
                join(other, 1, names[2:])

    run_here(store, 1, workers=1, on_progress=change)
    assert store.tournaments.get(1).is_finished
    assert contents(store, 1) == contents(straight, 1)
    assert verify(store)[1] == []
    same = [
        (row.bot, row.points) for row in sorted(standings(store, row.config.game, 1).rows, key=str)
    ]
    assert sorted(same) == sorted(
        (row.bot, row.points) for row in standings(straight, row.config.game, 1).rows
    )


@pytest.mark.slow
def test_a_swiss_tournament_resumed_and_joined(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    held(store, "tictactoe", ["rnd", "gr", "ab"], rounds=2, opening_plies=2, format="swiss")
    run_here(store, 1, workers=2)
    before = contents(store, 1)
    extend(store, 1, 2)
    join(store, 1, ["it"])
    assert store.tournaments.get(1).config.joined == (0, 0, 0, 2)
    assert run_here(store, 1, workers=2).played == 2 * 2 * 2
    after = contents(store, 1)
    assert after.items() > before.items()
    assert verify(store)[1] == []


@pytest.mark.usefixtures("_asked_always")
def test_pausing_lets_matches_end_and_cancelling_does_not(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    held(store, "connectfour", ["ab", "it"], rounds=200)
    with pytest.raises(SetupError, match="not in play"):
        pause(store, 1)

    def ask(progress: Progress) -> None:
        if progress.played:
            store.tournaments.ask(1, Request.PAUSE)

    progress = run_here(store, 1, workers=1, on_progress=ask)
    row = store.tournaments.get(1)
    assert progress.stopped == row.stop_reason == "paused"
    assert 0 < row.played == progress.played < 400
    assert unfinished(store, None).id == 1
    assert cancel(store, 1).state is TournamentState.CANCELLED
    with pytest.raises(SetupError, match="was cancelled"):
        run_here(store, 1, workers=1)
    with pytest.raises(UnknownRowError, match="nothing to resume"):
        unfinished(store, None)
    with pytest.raises(SetupError, match="league run --again 1"):
        join(store, 1, ["gr"])
    with pytest.raises(SetupError, match="league run --again 1"):
        extend(store, 1, 1)


@pytest.mark.usefixtures("_asked_always")
def test_a_cancelled_tournament_has_all_its_matches_when_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = league_of(tmp_path)
    held(store, "connectfour", ["it", "rnd"], rounds=200)
    monkeypatch.setattr("league.tournament.runner.SAVE_EVERY_S", 3600)
    stored = []

    def cancel_and_look(self: TournamentTable, tournament: int) -> None:
        stored.append(self.get(tournament).played)
        really_cancel(self, tournament)

    really_cancel = TournamentTable.cancel
    monkeypatch.setattr(TournamentTable, "cancel", cancel_and_look)

    def ask(progress: Progress) -> None:
        if progress.played:
            store.tournaments.ask(1, Request.CANCEL)

    progress = run_here(store, 1, on_progress=ask)
    assert stored == [progress.played] == [store.tournaments.get(1).played]
    assert progress.played > 0


@pytest.mark.usefixtures("_asked_always")
def test_a_tournament_in_play_is_cancelled(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    held(store, "connectfour", ["ab", "it"], rounds=200)

    def ask(progress: Progress) -> None:
        if progress.played:
            store.tournaments.ask(1, Request.CANCEL)

    progress = run_here(store, 1, workers=1, on_progress=ask)
    row = store.tournaments.get(1)
    assert progress.stopped == row.state == "cancelled"
    assert row.played >= progress.played > 0


@pytest.mark.usefixtures("_asked_always")
def test_a_budget_of_time_stops_a_run_and_the_next_one_goes_on(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    held(store, "connectfour", ["ab", "it"], rounds=300, budget_s=0.1)
    progress = run_here(store, 1, workers=1)
    assert progress.stopped == "its time is used up"
    assert 0 < progress.played < 600
    assert not store.tournaments.get(1).is_finished


@pytest.mark.usefixtures("_asked_always")
def test_a_run_can_have_less_time_than_its_tournament(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    held(store, "connectfour", ["ab", "it"], rounds=300, budget_s=3600.0)
    options = RunOptions(workers=1, budget_s=0.1)
    progress = run_tournament(store, 1, options, open_pool=InProcessPool)
    assert progress.stopped == "its time is used up"
    assert 0 < progress.played < 600


@pytest.mark.parametrize(
    ("schedule", "bots", "text"),
    [("knockout", ["rnd", "gr"], "drawn when it begins"), ("sprt", ["rnd", "gr"], "3 entrants")],
)
def test_who_cannot_join(tmp_path: Path, schedule: str, bots: list[str], text: str) -> None:
    store = league_of(tmp_path)
    held(store, "tictactoe", bots, format=schedule)
    with pytest.raises(SetupError, match=text):
        join(store, 1, ["ab"])
    held(store, "tictactoe", bots)
    with pytest.raises(SetupError, match="'gr' plays in it already"):
        join(store, 2, ["gr"])
    assert len(store.tournaments.get(2).config.entrants) == 2


@pytest.mark.slow
def test_bots_that_draw_nothing_never_play_the_same_match_twice(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    names = ["ab", "it", "rnd"]
    held(store, "tictactoe", names, rounds=2, opening_plies=0)
    progress = run_here(store, 1, workers=2)
    # Two matches between ab and it; those with rnd are all played.
    assert (progress.played, progress.copied) == (2 + 8, 2)
    assert progress.done == progress.total == 12
    assert verify(store)[1] == []
    moves = [all_moves(store, 1)[key] for key in store.matches.scores(1)]
    assert len(set(moves)) < len(moves)
    # What is stored of another tournament serves as well, under the same limits.
    held(store, "tictactoe", names[:2], rounds=2, seed=6, opening_plies=0)
    progress = run_here(store, 2, workers=1)
    assert (progress.played, progress.copied) == (0, 4)
    assert store.tournaments.get(2).played == 4
    held(store, "tictactoe", names[:2], limits=replace(LIMITS, depth=1), seed=6, opening_plies=0)
    assert run_here(store, 3, workers=1).played == 2
    assert verify(store)[1] == []


def test_time_and_luck_make_matches_differ(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    timed = replace(LIMITS, move_s=5.0)
    held(store, "tictactoe", ["ab", "it"], rounds=2, limits=timed, opening_plies=0)
    assert run_here(store, 1, workers=2).copied == 0
    register(store, "drawing", "alphabeta:depth=2,ties=random", options={}, is_checked=False)
    held(store, "tictactoe", ["ab", "drawing"], rounds=2, opening_plies=0)
    assert run_here(store, 2, workers=2).copied == 0


def test_a_swiss_tournament_of_copies_ends(tmp_path: Path) -> None:
    store = league_of(tmp_path)
    names = ["ab", "it", "gr"]
    held(store, "tictactoe", names, rounds=3, opening_plies=0)
    run_here(store, 1, workers=2)
    row = held(store, "tictactoe", names, rounds=3, opening_plies=0, format="swiss")
    progress = run_here(store, row.id, workers=2)
    assert progress.played == 0
    assert progress.copied == row.total
    assert store.tournaments.get(row.id).is_finished


@pytest.mark.slow
@pytest.mark.usefixtures("_asked_always")
@pytest.mark.parametrize("schedule", ["roundrobin", "swiss"])
def test_a_bot_that_is_withdrawn_in_play_plays_no_more(tmp_path: Path, schedule: str) -> None:
    store = league_of(tmp_path)
    names = ["rnd", "gr", "ab", "it"]
    rounds = 3 if schedule == "swiss" else 12
    held(store, "tictactoe", names, rounds=rounds, opening_plies=2, format=schedule)

    def change(progress: Progress) -> None:
        if progress.played and not store.tournaments.get(1).config.withdrawn:
            withdraw(store, 1, "gr")

    run_here(store, 1, workers=1, on_progress=change)
    row = store.tournaments.get(1)
    assert row.is_finished
    assert verify(store) == (row.played, [])
    rows = {each.bot: each.matches for each in standings(store, row.config.game, 1).rows}
    assert rows.get("gr", 0) < rows["ab"]
    with pytest.raises(SetupError, match="'gr' is not in tournament 1"):
        withdraw(store, 1, "gr")
