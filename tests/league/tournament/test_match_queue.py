"""Matches with language models and matches of other bots in one tournament."""

import threading
from pathlib import Path

import pytest

from league.api.league import League
from league.execution.worker import MatchJob
from league.model.records import BotVersion, Limits, MatchKey
from league.tournament.match_queue import MatchQueue, has_model
from league.tournament.progress import Progress
from league.tournament.run_options import ELSEWHERE, RunOptions, cores
from tests.league.seats.model_server import Asked, Said, plays, providing
from tests.waiting import PATIENCE_S


def job(number: int, *specs: str) -> MatchJob:
    """Return a match of bots of these specs."""
    versions = tuple(BotVersion(spec, spec) for spec in specs)
    key = MatchKey(number, 0)
    return MatchJob(key, 1, "tictactoe", versions, opening=(), limits=Limits(), seed=1)


def test_each_line_keeps_its_order() -> None:
    jobs = [job(0, "random", "llm:x"), job(1, "random", "greedy"), job(2, "llm:x", "llm:y")]
    queue = MatchQueue()
    for each in jobs:
        queue.put(each)
    urgent = [job(3, "greedy", "random"), job(4, "http://localhost", "random"), job(5, "llm:x")]
    queue.put_first(urgent)
    assert [each.key.encounter for each in queue.called] == [5, 0, 2]
    assert [each.key.encounter for each in queue.computed] == [3, 4, 1]
    assert len(queue) == 6
    queue.clear()
    assert not queue


@pytest.mark.parametrize(
    ("options", "has_models", "workers"),
    [
        (RunOptions(), False, cores()),
        (RunOptions(), True, cores() + ELSEWHERE),
        (RunOptions(workers=3), True, 3),
    ],
)
def test_matches_with_models_get_workers_of_their_own(
    options: RunOptions, has_models: bool, workers: int
) -> None:
    assert options.workers_wanted(1, has_models=has_models) == workers


def test_matches_go_on_while_all_calls_are_under_way(tmp_path: Path) -> None:
    answers, was_freed, computed = threading.Event(), list[bool](), list[int]()

    def waits(asked: Asked) -> Said:
        was_freed.append(answers.wait(PATIENCE_S))
        return plays(asked)

    with providing(waits) as provided, League(tmp_path / "cup.db") as cup:
        options = {"url": provided.url, "at-once": str(2 * ELSEWHERE)}
        cup.register("model", "llm:some", options=options)
        for name, spec in (("one", "random"), ("two", "greedy")):
            cup.register(name, spec, check=False)
        bots = ["model", "one", "two"]
        tournament = cup.create(
            "tictactoe", bots=bots, rounds=2, seed=1, isolation="none", move_time="10m"
        )
        without_models = 2 * 2

        def show(progress: Progress) -> None:
            computed.append(sum(not has_model(job) for job in progress.in_play))
            if progress.done >= without_models and provided.open_now >= ELSEWHERE:
                answers.set()

        tournament.resume(progress=show)
        assert tournament.is_finished
        assert len(tournament.matches) == 3 * without_models
    assert was_freed
    assert all(was_freed)
    # The bots that compute here have a core each.
    assert 0 < max(computed) <= cores()
