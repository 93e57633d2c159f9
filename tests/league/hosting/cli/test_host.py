"""`league host` and the commands that direct a season, without its processes."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from league.cli.main import cli
from league.hosting.api.health import metrics_text
from league.hosting.api.host import Host
from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import SeasonState, SubmissionState, Visibility
from league.hosting.season.director import DirectorOptions, step
from league.hosting.season.room import set_shortage
from league.hosting.store.host_store import open_host_store
from league.hosting.store.submissions import Verdict
from league.hosting.text.host import season_line
from league.model import clock
from league.model.errors import SettingError, SetupError, UnknownRowError
from league.model.records import Isolation, Limits, MatchKey, Termination, TournamentConfig
from tests.league.command import both, league
from tests.league.hosting.season.teams import lift, new_version, team_of
from tests.league.matches import add_bots, add_tournament, won_match

SEASON = {"name": "AI 2026", "game": "connectfour"}


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """Begin a season with a team."""
    league(tmp_path, "host", "init", "--game", "connectfour", "--name", "AI 2026")
    league(tmp_path, "people", "add", "ada", "--team", "rooks")
    return tmp_path


def test_init_makes_the_database_the_season_and_a_link(tmp_path: Path) -> None:
    season = ("--game", "connectfour", "--name", "AI 2026", "--organiser", "olga")
    more = ("--url", "https://games.example.org/ai", "--move-time", "250ms", "--set", "memory=1G")
    out, err = both(tmp_path, "host", "init", *season, *more)
    assert out.startswith("https://games.example.org/ai/invitation/")
    assert "season 'AI 2026' of connectfour begins" in err
    with open_host_store(str(tmp_path / "league.db")) as store:
        begun = store.seasons.get()
        assert begun is not None
        assert (begun.state, begun.settings.move_s) == (SeasonState.OPEN, 0.25)
        assert begun.settings.memory_mb == 1024
        olga = store.people.by_login("olga")
    assert olga is not None
    assert olga.is_organiser


def test_only_its_user_reads_a_database_with_people_and_its_copies(tmp_path: Path) -> None:
    db, copy = tmp_path / "league.db", tmp_path / "copy.db"
    with open_host_store(str(db), create=True) as store:
        db.chmod(0o644)
        host = Host(store)
        host.begin(SEASON)
        host.back_up(copy)
        assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("*.db*")} == {0o600}
        # A group of organisers may share it.
        db.chmod(0o660)
        store.seasons.update(host.season.id, state=SeasonState.PUBLISHED)
        host.begin(SEASON)
    assert stat.S_IMODE(db.stat().st_mode) == 0o660


def test_the_link_of_init_has_the_port_of_the_host(tmp_path: Path) -> None:
    out, err = both(tmp_path, "host", "init", "--game", "connectfour", "--port", "9000")
    assert out.startswith("http://localhost:9000/invitation/")
    assert "start 'league host --port 9000'" in err


@pytest.mark.parametrize("error", [KeyError, OSError])
def test_a_user_without_a_name_is_asked_for_a_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail() -> str:
        raise error

    monkeypatch.setattr("getpass.getuser", fail)
    db = tmp_path / "league.db"
    found = CliRunner().invoke(
        cli, ["host", "init", "--game", "connectfour", "--db", str(db)], catch_exceptions=False
    )
    assert (found.exit_code, "--organiser" in found.output) == (2, True)
    assert not db.exists()


def test_there_is_one_season_at_a_time(begun: Path) -> None:
    said = league(begun, "host", "init", "--game", "tictactoe", code=1)
    assert "season 'AI 2026' is open" in said
    assert "--db" in said


def test_a_wrong_setting_makes_no_season(tmp_path: Path) -> None:
    said = league(tmp_path, "host", "init", "--game", "conectfour", code=1)
    assert "did you mean 'connectfour'" in said
    said = league(tmp_path, "host", "init", "--game", "connectfour", "--set", "memory", code=2)
    assert "expected KEY=VALUE" in said
    with open_host_store(str(tmp_path / "league.db"), create=True) as store:
        assert store.seasons.get() is None
        assert store.people.all() == ()


@pytest.mark.slow
def test_settings_are_changed_all_or_none(begun: Path) -> None:
    said = league(begun, "host", "settings", "freeze=2d", "closes=soon", code=1)
    assert said.startswith("league: closes: 'soon': expected a date and time")
    told = json.loads(league(begun, "host", "settings", "--json"))
    before = {each["key"]: each["value"] for each in told}
    assert before["freeze"] == "0"
    league(begun, "host", "settings", "freeze=2d", "disk-free=1G", "url=http://games.lab:8000")
    told = json.loads(league(begun, "host", "settings", "--json"))
    changed = {each["key"]: each["value"] for each in told} | {
        key: before[key] for key in ("freeze", "disk-free", "url")
    }
    assert changed == before
    said = league(begun, "host", "settings", "url=games.lab", code=1)
    assert "expected an address" in said
    said = league(begun, "host", "settings", "marks=loses: 1 point", code=1)
    assert said.startswith("league: marks: ")
    said = league(begun, "host", "settings", "house-bots=nobody", code=1)
    assert "nobody" in said


def test_a_setting_of_the_host_is_suggested_too(host: Host) -> None:
    with pytest.raises(SettingError, match="did you mean 'disk-free'"):
        host.change_settings({"disk-fre": "1G"})


def test_settings_show_rules_for_marks_as_they_are_given(begun: Path) -> None:
    league(begun, "host", "settings", "marks=plays: 1 point; first: 3 points")
    assert "plays: 1 point; first: 3 points" in league(begun, "host", "settings")


def test_options_before_a_command_are_not_lost(begun: Path) -> None:
    said = league(begun, "host", "--db", "x.db", "status", code=2)
    assert "give --db after 'status', not before it" in said


def test_status_says_that_nobody_hosts(begun: Path) -> None:
    out, _ = both(begun, "host", "status", code=1)
    assert out.startswith("AI 2026 (connectfour): open\n")
    assert "nobody hosts this league" in out
    assert "teams: 1 active" in out


def test_status_says_why_few_matches_are_played(host: Host) -> None:
    assert "calm" not in str(host.status())
    host.store.services.beat("season", 7, {"calm": "all bars are at most 15 Elo"})
    assert "calm: all bars are at most 15 Elo, so few matches are played" in str(host.status())


@pytest.mark.slow
def test_a_host_needs_a_season(tmp_path: Path) -> None:
    league(tmp_path, "register", "rnd", "random", "--no-check")
    said = league(tmp_path, "host", "--port", "0", "--unsafe-isolation", code=1)
    assert "'league host init --game GAME' makes one" in said
    said = league(tmp_path, "host", "--db", "none.db", "--unsafe-isolation", code=1)
    assert "no league at 'none.db'" in said


@pytest.mark.slow
def test_a_token_of_metrics_must_fit(begun: Path) -> None:
    (begun / "token").write_text("short\n")
    words = ("--unsafe-isolation", "--metrics-token-file", "token")
    assert "16 or more" in league(begun, "host", *words, code=1)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    store = open_host_store(str(tmp_path / "league.db"), create=True)
    found = Host(store)
    found.begin(SEASON)
    return found


def test_a_season_goes_its_way(host: Host) -> None:
    assert host.pause().state is SeasonState.PAUSED
    with pytest.raises(SetupError, match="is paused: this needs one that is open"):
        host.pause()
    assert host.resume().state is SeasonState.OPEN
    closed = host.close()
    assert closed.state is SeasonState.CLOSED
    assert closed.closed_at is not None
    again = host.open()
    assert (again.state, again.closed_at) == (SeasonState.OPEN, None)
    with pytest.raises(SetupError, match="is open: this needs one that is finished"):
        host.publish()
    host.store.seasons.update(again.id, state=SeasonState.FINISHED)
    with pytest.raises(SetupError, match="is finished: show its results with 'league host publish"):
        host.begin(SEASON)
    assert host.publish().state is SeasonState.PUBLISHED
    assert host.begin(SEASON).id == again.id + 1
    actions = [each.action for each in host.store.sign_ins.audit(50)]
    assert actions[:2] == ["began season", "published season"]


def test_a_new_season_shows_visitors_no_more_than_the_last_one(host: Host) -> None:
    host.change_settings({"visibility": "nothing"})
    host.store.seasons.update(host.season.id, state=SeasonState.PUBLISHED)
    assert host.begin(SEASON).settings.visibility is Visibility.NOTHING
    host.store.seasons.update(host.season.id, state=SeasonState.PUBLISHED)
    told = {**SEASON, "visibility": "standings"}
    assert host.begin(told).settings.visibility is Visibility.STANDINGS


def test_everybody_is_told_what_the_organiser_does_to_the_season(host: Host) -> None:
    def told() -> list[str]:
        return [each.text for each in host.store.notices.page(at=clock.now() + 1)]

    host.announce("Welcome")
    host.close()
    assert told() == ["Submissions to AI 2026 are closed.", "Welcome"]
    host.open()
    assert told() == ["Welcome"]
    host.store.seasons.update(host.season.id, state=SeasonState.FINISHED)
    host.publish()
    assert told() == ["The results of AI 2026 are published.", "Welcome"]
    host.begin({**SEASON, "name": "AI 2027"})
    assert told() == []


def test_a_pause_ends_where_it_began(host: Host) -> None:
    host.people.add("ada", team="rooks")
    host.change_settings({"closes": "2099-01-01T00:00"})
    assert "submissions close 2099" in season_line(host.season)
    closed = host.close()
    assert season_line(closed) == "AI 2026 (connectfour): closed"
    paused = host.pause()
    assert (paused.state, paused.closed_at) == (SeasonState.PAUSED, closed.closed_at)
    with pytest.raises(SetupError, match="closed already, and paused: 'league host resume'"):
        host.close()
    with pytest.raises(RefusedUploadError, match="submissions are closed"):
        host.submit("ada", b"x = 1\n", "a.py")
    assert host.resume() == closed
    config = TournamentConfig(
        game="tictactoe", entrants=(), rounds=1, seed=1, opening_plies=0, limits=Limits()
    )
    final = host.store.seasons.begin_final(closed, config, 0)
    assert host.pause().state is SeasonState.PAUSED
    with pytest.raises(SetupError, match="the final has begun"):
        host.choose_version("rooks", "newest")
    resumed = host.resume()
    assert (resumed.state, resumed.final) == (SeasonState.FINAL, final)
    host.store.seasons.update(resumed.id, state=SeasonState.FINISHED)
    with pytest.raises(SetupError, match="is finished: this needs one that is open or closed or"):
        host.pause()


def test_built_in_house_bots_need_not_be_registered(host: Host) -> None:
    host.change_settings({"house-bots": "random,greedy"})
    step(host.store, 0.0, DirectorOptions(isolation=Isolation.LIMITS))
    (leg,) = host.store.tournaments.all()
    assert host.store.bots.entrant_names(leg.config.entrants) == ("random", "greedy")
    with pytest.raises(UnknownRowError, match="no bot 'looks-ahead'"):
        host.change_settings({"house-bots": "random,looks-ahead"})


def test_the_game_changes_until_a_submission_is_accepted(host: Host) -> None:
    host.change_settings({"house-bots": "random,greedy"})
    step(host.store, 0.0, DirectorOptions(isolation=Isolation.LIMITS))
    (leg,) = host.season.legs
    assert host.game_change({"marks": "", "game": "connectfour"}) == ""
    told = "season 'AI 2026' is of connectfour: its matches so far, 0, then count no more"
    assert host.game_change({"game": "othello"}) == told
    host.change_settings({"game": "othello"})
    assert (host.season.settings.game, host.season.legs) == ("othello", ())
    assert host.store.tournaments.get(leg).state == "cancelled"
    host.change_settings({"game": "connectfour"})
    ada = host.people.add("ada", team="rooks").person
    sent = host.submit("ada", b"x = 1\n", "a.py")
    host.change_settings({"game": "othello"})
    (version,) = add_bots(host.store, "rooks")
    assert host.store.submissions.claim_next() is not None
    host.store.submissions.decide(sent.id, Verdict(state=SubmissionState.PLAYING, version=version))
    with pytest.raises(SettingError, match="a submission has been accepted for 'othello'"):
        host.change_settings({"game": "connectfour"})
    assert ada


@pytest.mark.slow
def test_a_command_that_undoes_much_asks_first(begun: Path) -> None:
    for words in (("host", "close"), ("host", "settings", "game=othello")):
        assert "nobody answered: give --yes" in league(begun, *words, code=2)
    with open_host_store(str(begun / "league.db")) as store:
        season = store.seasons.get()
        assert season is not None
        assert (season.state, season.settings.game) == (SeasonState.OPEN, "connectfour")
    league(begun, "host", "settings", "game=othello", "--yes")
    assert league(begun, "host", "close", "--yes") == "AI 2026 (othello): closed\n"
    assert league(begun, "host", "reopen") == "AI 2026 (othello): open\n"


def test_a_suspended_team_comes_back_with_its_new_version_alone(host: Host) -> None:
    store = host.store
    team = team_of(store, "rooks")
    first = store.seasons.contenders()[0].versions[0][0]
    host.suspend("rooks", "it floods its log")
    second = new_version(store, "rooks", team, 2)
    lift(store, team)
    # No new leg is needed: the version that has left does not come back.
    assert store.seasons.contenders()[0].active(2) == (second,)
    host.suspend("rooks", "again")
    host.reinstate("rooks")
    assert store.seasons.contenders()[0].active(2) == (first, second)


def test_what_is_shown_and_the_host_can_change_when_results_are_published(host: Host) -> None:
    state = SeasonState.PUBLISHED
    host.store.seasons.update(host.season.id, state=SeasonState.FINISHED)
    # It may be opened again, with another time.
    host.change_settings({"move-time": "2s"})
    host.store.seasons.update(host.season.id, state=state)
    host.change_settings({"marks": "first: 3 points", "visibility": "nothing", "disk-free": "1G"})
    assert host.season.settings.marks == "first: 3 points"
    assert host.settings().value["disk-free"] == "1G"
    with pytest.raises(SettingError, match=f"any more: .* is {state}") as error:
        host.change_settings({"marks": "", "move-time": "3s"})
    assert error.value.setting == "move-time"
    assert host.season.settings.marks == "first: 3 points"


def test_a_closing_time_that_is_over_must_move_first(host: Host) -> None:
    told = "'2020-01-01T00:00' is over: give a later time, or 'league host close' ends"
    with pytest.raises(SettingError, match=told):
        host.change_settings({"closes": "2020-01-01T00:00"})
    host.store.seasons.update(host.season.id, state=SeasonState.PUBLISHED)
    with pytest.raises(SettingError, match=told):
        host.begin({**SEASON, "closes": "2020-01-01T00:00"})
    host.begin(SEASON)
    host.close()
    over = replace(host.season.settings, closes_at=1)
    host.store.seasons.update(host.season.id, settings=over)
    with pytest.raises(SetupError, match="its closing time has passed"):
        host.open()


def test_teams_are_taken_out_and_back_with_a_reason(host: Host) -> None:
    host.store.people.add_team("rooks")
    for act, standing in (
        (host.suspend, TeamStanding.SUSPENDED),
        (host.withdraw, TeamStanding.WITHDRAWN),
        (host.disqualify, TeamStanding.DISQUALIFIED),
    ):
        team = act("rooks", "for a test")
        assert (team.standing, team.standing_reason) == (standing, "for a test")
        with pytest.raises(SetupError, match="already"):
            act("rooks", "again")
    team = host.reinstate("rooks")
    assert (team.standing, team.standing_reason) == (TeamStanding.ACTIVE, "")
    notices = host.store.notices.page([team.id])
    assert [each.text for each in notices][:2] == [
        "Your team plays again.",
        "Your team is disqualified: for a test",
    ]
    shown = host.store.notices.page([team.id], at=clock.now() + 1)
    assert [each.text for each in shown] == ["Your team plays again."]
    assert host.status().value.teams_out == {}
    host.suspend("rooks", "it crashes")
    assert "team rooks is suspended: it crashes\n" in str(host.status())
    assert host.status().to_dict()["teams_out"] == {"rooks": "suspended: it crashes"}
    with pytest.raises(SetupError, match="expected 1 to"):
        host.suspend("rooks", " ")
    with pytest.raises(UnknownRowError, match="nobody"):
        host.suspend("nobody", "x")


def test_an_announcement_is_for_everybody(host: Host) -> None:
    host.announce("The deadline moves.")
    (notice,) = host.store.notices.page()
    assert (notice.text, notice.team) == ("The deadline moves.", None)
    with pytest.raises(SetupError, match="letters"):
        host.announce("x" * 3000)


def test_a_script_submits_for_a_person(host: Host, tmp_path: Path) -> None:
    host.people.add("ada", team="rooks")
    (tmp_path / "mine.py").write_text("def choose(state, clock):\n    return 0\n")
    found = host.submit("ada", tmp_path / "mine.py")
    assert found.file_name == "mine.py"
    host.submit("ada", b"def choose(state, clock):\n    return 1\n", "other.py")
    assert [each.file_name for each in host.submissions("rooks")] == ["other.py", "mine.py"]


def test_status_says_why_no_match_is_played(host: Host) -> None:
    told = "no scheduler answers at tcp://127.0.0.1:1"
    for name in ("web", "intake", "season"):
        host.store.services.beat(name, 1, {"trouble": told} if name == "season" else {})
    assert f"attention: {told}\n" in str(host.status())
    assert host.status().value.trouble == told
    host.store.services.beat("season", 1, {})
    assert host.status().value.trouble == ""


def test_status_shows_what_is_played_and_what_failed(host: Host) -> None:
    assert "in play: none\n" in str(host.status())
    assert "lost by a fault: none\n" in str(host.status())
    store = host.store
    first, second = add_bots(store, "a", "b")
    lost = replace(won_match(first, second), termination=Termination.CRASH, fault_seat=1)
    store.matches.save(add_tournament(store, first, second), [(MatchKey(0, 0), lost)])
    store.services.beat("season", 7, {"in_play": 3, "workers": 2, "per_s": 1.25})
    with store.services.host_lock():
        found = host.status()
    assert "in play: 3 on 2 workers, 1.2 a second\n" in str(found)
    assert "lost by a fault: 1 by crash\n" in str(found)
    told = found.to_dict()
    assert (told["in_play"], told["workers"], told["faults"]) == (3, 2, {"crash": 1})
    assert 'botleague_faults_total{kind="crash"} 1\n' in metrics_text(store)
    assert host.status().value.in_play == 0, "nobody hosts it any more"


def test_a_full_disk_refuses_uploads_with_a_reason(host: Host) -> None:
    host.people.add("ada", team="rooks")
    set_shortage(host.store, True)
    with pytest.raises(RefusedUploadError, match="disk is nearly full"):
        host.submit("ada", b"x", "a.py")
    assert "nearly full" in str(host.status())
    set_shortage(host.store, False)
    assert host.submit("ada", b"x = 1\n", "a.py").id
