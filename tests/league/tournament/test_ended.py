"""Tournaments that end with what is planned, and fields that change in one revision."""

from pathlib import Path

import pytest

from league.analysis.verify import verify
from league.model.errors import SetupError
from league.store.rows import TournamentState
from league.tournament.lifecycle import change_field, end, extend, join, withdraw
from league.tournament.planner import Planner
from league.tournament.progress import Progress
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.in_process import InProcessPool, run_here
from tests.league.tournament.test_runner import held, league_of


@pytest.fixture(autouse=True)
def _asked_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.tournament.runner.ASK_EVERY_S", 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rounds"), [("season", 60), ("roundrobin", 1000), ("adaptive", 60), ("swiss", 60)]
)
def test_a_tournament_ends_with_the_stages_that_are_planned(
    tmp_path: Path, name: str, rounds: int
) -> None:
    with league_of(tmp_path) as store:
        row = held(store, "tictactoe", ["ab", "it", "rnd", "gr"], format=name, rounds=rounds)

        def ask(progress: Progress) -> None:
            ended = store.tournaments.get(row.id).config.ended_at
            if progress.done > 10 and ended is None:
                end(store, row.id)

        run_here(store, row.id, on_progress=ask)
        ended = store.tournaments.get(row.id)
        assert ended.state is TournamentState.FINISHED
        assert ended.stop_reason is None
        last_stage = store.tournaments.last_stage(row.id)
        assert ended.config.ended_at == (last_stage or 0) + 1
        assert (
            ended.played
            == ended.total
            == 2 * len(store.tournaments.encounters(row.id))
            < 11 * rounds
        )
        assert [*verify(store)][-1] == []
        with pytest.raises(SetupError, match="is finished: nothing to end"):
            end(store, row.id)
        told = "was ended: 'league run --again 1' runs it again"
        with pytest.raises(SetupError, match=told if name != "swiss" else "longer|was ended"):
            extend(store, row.id, 1)
        with pytest.raises(SetupError, match=told):
            join(store, row.id, ["gr"])


@pytest.mark.slow
def test_who_joins_while_a_season_ends_plays_in_one_more_stage(tmp_path: Path) -> None:
    with league_of(tmp_path) as store:
        row = held(store, "tictactoe", ["ab", "rnd", "gr"], format="season", rounds=60)

        def ask(progress: Progress) -> None:
            if progress.done > 10 and store.tournaments.get(row.id).config.ended_at is None:
                end(store, row.id)
                join(store, row.id, ["it"])

        run_here(store, row.id, on_progress=ask)
        ended = store.tournaments.get(row.id)
        begin = ended.config.joined[-1]
        assert ended.state is TournamentState.FINISHED
        assert ended.config.ended_at == begin + 1
        assert {
            each.stage for each in store.tournaments.encounters(row.id) if 3 in each.entrants
        } == {begin}
        assert [*verify(store)][-1] == []


def test_one_that_nobody_runs_is_ended_by_its_next_run(tmp_path: Path) -> None:
    with league_of(tmp_path) as store:
        row = held(store, "tictactoe", ["rnd", "gr"], format="season", rounds=500)
        end(store, row.id)
        assert end(store, row.id).config.ended_at == 0
        run_here(store, row.id)
        assert store.tournaments.get(row.id).is_finished
        assert store.tournaments.get(row.id).played == 0


@pytest.mark.slow
def test_bots_join_and_leave_in_one_revision(tmp_path: Path) -> None:
    with league_of(tmp_path) as store:
        row = held(store, "tictactoe", ["ab", "rnd"], format="season", rounds=6)
        run_here(store, row.id)
        found = change_field(store, row.id, ["it", "gr"], ["ab"], {"gr": 250.0})
        assert found.revision == row.revision + 1
        config = found.config
        begin = config.joined[-1]
        assert config.joined == (0, 0, begin, begin)
        assert config.withdrawn == ((0, begin),)
        assert config.starting_ratings == (0.0, 0.0, 0.0, 250.0)
        with pytest.raises(SetupError, match="bot 'ab' is not in tournament 1"):
            withdraw(store, row.id, "ab")
        # A version is meant by its number, too.
        assert withdraw(store, row.id, "gr@1").config.withdrawn[-1] == (3, begin)


@pytest.mark.slow
def test_stages_are_made_again_from_the_store_as_they_were(tmp_path: Path) -> None:
    with league_of(tmp_path) as store:
        bots = ["ab", "it", "rnd", "gr"]
        row = held(store, "tictactoe", bots[:3], format="season", rounds=8)
        run_here(store, row.id)
        change_field(store, row.id, bots[3:], ["ab"])
        extend(store, row.id, 8)
        run_here(store, row.id)
        schedule = Planner(store, row.id).schedule
        before = [each for each in schedule.encounters if each.stage < 8]
        assert schedule.remade()[: len(before)] == before
        assert set(schedule.remade()) == set(schedule.encounters)
        assert all(each.wall_s >= 0 for each in schedule.results)
        assert [*verify(store)][-1] == []


@pytest.mark.slow
def test_the_first_matches_of_a_bot_that_joins_are_played_next(tmp_path: Path) -> None:
    pools: list[InProcessPool] = []

    def open_pool(size: int) -> InProcessPool:
        pools.append(InProcessPool(size))
        return pools[-1]

    with league_of(tmp_path) as store:
        bots = ["ab", "it", "rnd"]
        row = held(store, "tictactoe", bots, format="season:least=40", rounds=4)
        run_here(store, row.id)
        extend(store, row.id, 2)
        change_field(store, row.id, ["gr"], [])
        run_tournament(store, row.id, RunOptions(workers=2), open_pool=open_pool)
        begin = store.tournaments.get(row.id).config.joined[-1]
        encounters = store.tournaments.encounters(row.id)
        stages = [encounters[job.key.encounter].stage for job in pools[0].played]
        names = [{each.name for each in job.versions} for job in pools[0].played]
        new = [place for place, found in enumerate(names) if "gr" in found]
        first = [place for place in new if stages[place] == begin]
        # Before all others, although the stage has 40 encounters.
        assert first == list(range(len(first)))
