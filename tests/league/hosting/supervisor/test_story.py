"""A hosted league from an empty folder to the marks, by its real commands."""

import json
import logging
import os
import signal
import time
from pathlib import Path

import pytest

from league.hosting.model.services import PARTS
from tests.league.command import below
from tests.league.execution.test_pull_runs import a_worker
from tests.league.hosting.supervisor.sixty import Sixty
from tests.league.hosting.supervisor.story import GOOD, MARKS, Story, all_gone, children_of
from tests.league.web.test_behind_proxy import free_port
from tests.promises import on_linux
from tests.waiting import PATIENCE_S, wait_until

log = logging.getLogger(__name__)


@on_linux("the host ends what bots leave behind")
@pytest.mark.slow
def test_a_short_story(story: Story) -> None:
    story.begin("--game", "tictactoe", "--name", "AI 2026", "--move-time", "200ms")
    story.command("host", "settings", "final-rounds=1", MARKS)
    tokens = story.add(["rooks", "knights"])
    with story.hosted() as host:
        assert story.health() == 200
        said = story.command("host", "--port", "0", "--unsafe-isolation", code=1)
        assert "another process hosts this league" in said
        sent = {
            story.send(tokens["rooks"], "rooks.py", GOOD.format(0).encode()),
            story.send(tokens["knights"], "knights.py", GOOD.format(-1).encode()),
        }
        assert set(story.wait_until_decided(sent).values()) == {"playing"}
        wait_until(lambda: story.matches() >= 4, 0.3)
        number = story.challenge(tokens["rooks"], "knights")
        wait_until(lambda: story.challenged(number) == "played", 0.3)
        assert 'name="against" value="knights"' in story.page("rooks", "/play")
        if story.cluster:
            wait_until(story.cluster.is_busy, 0.3)
        for pid in children_of(host):
            os.kill(pid, signal.SIGKILL)
        played = story.matches()
        wait_until(lambda: story.matches() > played, 0.3)
        wait_until(lambda: story.health() == 200, 0.3)
        story.command("host", "close", "--yes")
        story.wait_for("published")
        found = story.status()
        assert {each["name"] for each in found["processes"]} == {"host", *PARTS}
        assert found["fault"] == ""
        left = [pid for pid, _ in below(host.pid)]
    assert host.returncode == 0
    assert all_gone(left)
    assert [each["event"] for each in story.told].count("ended") == len(PARTS)
    marks = json.loads(story.command("marks", "--json"))
    assert {each["team"] for each in marks} == {"rooks", "knights"}
    story.check_sound()


@on_linux("the host ends what bots leave behind")
@pytest.mark.slow
def test_a_season_on_machines_that_fetch_its_matches(tmp_path: Path) -> None:
    story, port = Story(tmp_path, str(tmp_path / "league.db")), free_port()
    story.begin("--game", "tictactoe", "--move-time", "200ms")
    story.command("host", "settings", "final-rounds=1")
    tokens = story.add(["rooks", "knights"])
    with story.hosted("--executor", f"pull://127.0.0.1:{port}"):
        sent = {
            story.send(token, f"{team}.py", GOOD.format(0).encode())
            for team, token in tokens.items()
        }
        assert set(story.wait_until_decided(sent).values()) == {"playing"}
        wait_until((tmp_path / "league.db.worker-token").exists)
        with a_worker(tmp_path, f"http://127.0.0.1:{port}", "lab") as worker:
            wait_until(lambda: story.matches() >= 4, 0.3)
            story.command("host", "close", "--yes")
            story.wait_for("published")
            worker.send_signal(signal.SIGTERM)
            _, told = worker.communicate(timeout=PATIENCE_S)
            assert "Traceback" not in told
            assert worker.returncode == 0
    with story.store() as store:
        assert len(store.matches.page(machine="lab")) == story.matches()
    assert "rooks" in story.command("standings", "--game", "tictactoe")
    story.check_sound()


@pytest.mark.slow
@on_linux("the host ends what bots leave behind")
def test_a_host_that_is_killed_leaves_nothing_behind(story: Story) -> None:
    story.begin("--game", "tictactoe")
    with story.hosted() as host:
        pids = [pid for pid, _ in below(host.pid)]
        assert len(pids) >= 3
        host.kill()
        host.wait()
        wait_until(lambda: all_gone(pids))


@pytest.mark.slow
@pytest.mark.soak
@on_linux("the host ends what bots leave behind")
def test_sixty_people_one_minute(story: Story) -> None:
    """Submit while matches run; `--log-cli-level=INFO` shows how long all uploads took."""
    sixty = Sixty(story)
    with story.hosted("--checkers", "2") as host:
        wait_until(lambda: story.matches() >= 10, 0.3)
        begin_s, before = time.monotonic(), story.matches()
        # Six by the command that authors use, which takes seconds of this machine to start.
        pushed = sixty.teams[::10]
        pushes = {team: story.push(sixty.tokens[team], *sixty.files[team]) for team in pushed}
        sixty.send([team for team in sixty.teams if team not in pushes])
        wait_until(lambda: len(story.states()) == len(sixty.teams), 0.1)
        took_s, meanwhile = time.monotonic() - begin_s, story.matches() - before
        log.info("60 uploads in %.1f s, %d matches meanwhile", took_s, meanwhile)
        assert meanwhile > 0
        for team, push in pushes.items():
            told = push.communicate()[0]
            assert push.returncode == int(team in sixty.bad), (sixty.files[team][0], told)
        story.wait_until_decided(set(story.states()))
        with story.store() as store:
            found = store.submissions.page(limit=1000)
        states = {each.team_name: str(each.state) for each in found}
        assert {team for team, state in states.items() if state == "refused"} == sixty.bad, states
        for each in found:
            assert str(each.state) != "refused" or len(each.message) > 10
        # All that play meet somebody.
        wait_until(lambda: story.matches() >= before + meanwhile + 200, 1.0)
        story.command("host", "close", "--yes")
        story.wait_for("published")
    assert host.returncode == 0
    sixty.check_marks()
    assert not (story.folder / "escaped.py").exists()
    story.check_sound()
