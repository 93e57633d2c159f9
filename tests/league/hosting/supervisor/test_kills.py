"""Any process of a host may be killed at any time, the supervisor too."""

import logging
import os
import random
import signal
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest

from league.hosting.model.season import Submission
from league.hosting.model.services import PARTS
from tests.league.command import below
from tests.league.hosting.supervisor.sixty import AT_ONCE, Sixty
from tests.league.hosting.supervisor.story import Story, all_gone
from tests.processes import named
from tests.promises import on_linux
from tests.waiting import wait_until

KILLS = 50

log = logging.getLogger(__name__)

OURS = ("checker ended twice", "was killed", "SIGKILL", "no process for seat", "within the limits")
"""What the refusal of a good bot may say: each of its two checks was killed."""


@pytest.mark.slow
@pytest.mark.soak
@on_linux("the host ends what bots leave behind")
def test_fifty_kills_lose_nothing_and_count_nothing_twice(story: Story) -> None:
    sixty = Sixty(story)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        uploads = _upload_amid_kills(story, sixty, threads)
        with story.hosted("--checkers", "2") as host:
            confirmed = {team: each.result() for team, each in uploads.items()}
            wait_until(lambda: story.health() == 200, 0.5)
            story.wait_until_decided(set(story.states()))
            _check_decisions(story, sixty, confirmed)
            played = story.matches()
            wait_until(lambda: story.matches() > played, 0.5)
            story.command("host", "close", "--yes")
            story.wait_for("published")
    assert host.returncode == 0
    with story.store() as store:
        season = store.seasons.get()
        (*legs, final) = store.tournaments.all()
        playing = {each.name for each in store.seasons.contenders()}
        names = store.bots.entrant_names(final.config.entrants)
    assert season is not None
    assert season.legs == tuple(each.id for each in legs)
    assert season.final == final.id
    assert all(each.is_finished for each in legs)
    assert set(names) == playing
    assert final.is_finished
    sixty.check_marks(playing)
    story.check_sound()


def _upload_amid_kills(
    story: Story, sixty: Sixty, threads: ThreadPoolExecutor
) -> "dict[str, Future[int]]":
    """Kill a process after each of most uploads, and host again whenever the supervisor died."""
    draw, killed, seen, begin_s = random.Random(7), Counter[str](), 0, time.monotonic()
    waiting = list(sixty.teams)
    draw.shuffle(waiting)
    uploads: dict[str, Future[int]] = {}
    known: set[int] = set()
    while killed.total() < KILLS:
        with story.hosted("--checkers", "2") as host:
            # The next host ends a sandbox that lost its host before it could be told to end too.
            wait_until(partial(all_gone, list(known)))
            known = set()
            while killed.total() < KILLS and host.poll() is None:
                while waiting and len(waiting) * KILLS > (KILLS - killed.total()) * 60:
                    team = waiting.pop()
                    uploads[team] = threads.submit(sixty.confirmed, team)
                time.sleep(draw.uniform(0.2, 3.0))
                pids = [pid for pid, _ in below(host.pid)]
                known |= set(pids)
                victim = host.pid if draw.random() < 0.1 else draw.choice([*pids, host.pid])
                name = _kind(victim, host.pid)
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    killed[name] += 1
                matches = story.matches()
                assert matches >= seen
                seen = matches
            host.poll()
            if killed.total() < KILLS:
                host.wait()
        confirmed = {each.result() for each in uploads.values() if each.done()}
        assert story.states().keys() >= confirmed
    uploads |= {team: threads.submit(sixty.confirmed, team) for team in waiting}
    took_s = time.monotonic() - begin_s
    found = killed.total(), took_s, seen, dict(killed)
    log.info("%d kills in %.0f s, %d matches meanwhile: %s", *found)
    return uploads


def _kind(pid: int, host: int) -> str:
    """Return what a process of the host is."""
    words = named(pid)
    parts = [f"host.part {each}" for each in PARTS]
    kinds = {each.split()[-1]: each for each in parts} | {"checker": "season.checker"}
    found = next((kind for kind, mark in kinds.items() if mark in words), "player or bot")
    return "supervisor" if pid == host else found


def _check_decisions(story: Story, sixty: Sixty, confirmed: dict[str, int]) -> None:
    """Check that what was confirmed is there, and that each decision is right or says our fault."""
    with story.store() as store:
        known = {each.id: each for each in store.submissions.page(limit=1000)}
    assert set(confirmed.values()) <= known.keys()
    assert set(confirmed) == set(sixty.teams)
    states = Counter(str(each.state) for each in known.values())
    by_us = {team for team, number in confirmed.items() if _is_our_fault(known[number])}
    found = len(confirmed), dict(states), len(by_us - sixty.bad)
    log.info("%d uploads confirmed: %s; %d good ones refused by kills", *found)
    for team, number in confirmed.items():
        state = str(known[number].state)
        if team in sixty.bad:
            assert state == "refused", (sixty.files[team][0], known[number])
        else:
            assert state == "playing" or team in by_us, known[number]


def _is_our_fault(submission: Submission) -> bool:
    return submission.state == "refused" and any(each in submission.message for each in OURS)
