"""The pages of a hosted league: submitting, the team, organising, frozen standings."""

import asyncio
import io
import sqlite3
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from league.hosting.accounts.sign_ins import begin
from league.hosting.model.people import Role, TeamStanding
from league.hosting.model.season import SeasonSettings, SeasonState, Visibility
from league.hosting.pages import WING
from league.hosting.season.freeze import freezes_at, frozen_path, is_frozen
from league.hosting.store.host_store import open_host_store
from league.hosting.web.callers import SIGN_IN
from league.hosting.web.hosted import Hosted
from league.model.records import BotVersion, MatchKey
from league.web.app import make_app, warm
from tests.league.hosting.season.test_likeness import OWN
from tests.league.hosting.web.secret_league import SecretLeague, make_secret_league, mark
from tests.league.hosting.web.visiting import Visitor
from tests.league.matches import add_tournament, won_match
from tests.league.postgres import emptied

DAY_S = 24 * 3600


@pytest.fixture
def league(tmp_path: Path) -> Iterator[SecretLeague]:
    """Make a league and open it."""
    make_secret_league(tmp_path / "league.db", submissions_per_day=4)
    found = SecretLeague(tmp_path / "league.db")
    for team in found.store.people.teams():
        found.store.people.update_team(team.id, standing=TeamStanding.ACTIVE, standing_reason="")
    yield found
    found.close()


def form(token: str, name: str, data: bytes, **fields: str) -> tuple[bytes, str]:
    """Return a form with a file, and its content type."""
    lines = [
        f'--cut\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in {"token": token, **fields}.items()
    ]
    head = f'--cut\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    lines += [head.encode(), b"Content-Type: text/x-python\r\n\r\n", data, b"\r\n--cut--\r\n"]
    return b"".join(lines), "multipart/form-data; boundary=cut"


def test_a_page_keeps_its_title_for_whoever_signed_in(league: SecretLeague) -> None:
    for who in ("Ants", "", None):
        assert "<h1>Connect Four</h1>" in league.visitor(who).ask("/games/connectfour").text


def send(league: SecretLeague, name: str, data: bytes, **fields: str) -> tuple[int, str]:
    """Submit as a browser without scripts does; return the status and where it leads."""
    author = league.visitor("Ants")
    token = fields.pop("token", None) or author.token("/me")
    body, kind = form(token, name, data, **fields)
    answer = author.ask_raw("/submit", body, kind)
    return answer.status_code, answer.headers.get("location", "") or answer.text


def test_before_the_first_match_everybody_reads_what_they_can_do(tmp_path: Path) -> None:
    with open_host_store(str(tmp_path / "league.db"), create=True) as store:
        store.seasons.create(SeasonSettings(name="AI 2026", game="connectfour"))
        ann = store.people.add("ann", Role.AUTHOR, team=store.people.add_team("rooks").id)
        olga = store.people.add("olga", Role.ORGANISER)
        app = make_app(store, "AI 2026", given={WING: Hosted(store)})
        for person, link, team in (
            (None, "/season", 303),
            (ann, "/submit", 200),
            (olga, "/organise/people", 404),
        ):
            visitor = Visitor(app)
            if person:
                visitor.cookies.set(SIGN_IN, begin(store, person))
            text = visitor.ask("/").text
            main = text[text.index("<main") :]
            assert "The season plays as soon as two bots are there" in main
            assert f'href="{link}"' in main
            assert "league register" not in main
            assert visitor.ask("/team").status_code == team


@pytest.mark.slow
def test_a_page_that_fails_does_not_keep_the_others_from_being_served(
    league: SecretLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("league.web.home.tournaments_of", fail)
    asyncio.run(warm(league.app))
    assert league.visitor().ask("/season").status_code == 200


@pytest.mark.slow
def test_a_form_without_scripts_submits_a_file(league: SecretLeague) -> None:
    status, to = send(league, "mine.py", b"x = 1", options="depth=3\nweight = 2", own="main.py")
    assert (status, to) == (303, "/submissions/5")
    found = league.store.submissions.get(5)
    assert found.settings == {"file": "main.py", "option.depth": "3", "option.weight": "2"}
    assert league.store.submissions.archive(5) == b"x = 1"
    assert "received" in league.visitor("Ants").ask(to).text
    assert league.visitor("Bees").ask(to).status_code == 404


@pytest.mark.slow
def test_refusals_are_told_on_the_form(league: SecretLeague) -> None:
    assert send(league, "mine.py", b"x", token="0" * 64)[0] == 403
    assert send(league, "mine.exe", b"x")[0] == 422
    assert "expected NAME=VALUE" in send(league, "mine.py", b"x", options="depth")[1]
    league.set(upload_bytes=100)
    assert send(league, "mine.py", b"x" * 200_000)[0] == 413
    league.set(upload_bytes=1000, closes_at=int(time.time()) - 1)
    status, text = send(league, "mine.py", b"x")
    assert status == 403
    assert "submissions closed" in text
    assert len(league.store.submissions.page()) == 4


@pytest.mark.slow
def test_a_page_of_another_site_submits_nothing(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    body, kind = form(author.token("/submit"), "mine.py", b"x")
    assert author.ask_raw("/submit", body, kind, sec_fetch_site="cross-site").status_code == 403
    assert league.visitor().ask_raw("/submit", body, kind).status_code == 403


@pytest.mark.slow
def test_a_package_repeats_own_moves_alone(league: SecretLeague, tmp_path: Path) -> None:
    answer = league.visitor("Ants").ask("/matches/2/repro")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        names = packed.namelist()
        database = packed.read("repro.db")
    assert f"bot/{mark('filename', 'Ants')}.py" in names
    assert mark("filename", "Bees").encode() not in database
    assert league.visitor("Bees").ask("/matches/3/repro").status_code == 404
    (tmp_path / "repro.db").write_bytes(database)
    with open_host_store(str(tmp_path / "repro.db")) as store:
        _, record = store.matches.get(1)
        own, other = store.bots.versions(record.versions).values()
    assert mark("filename", "Ants") in str(own.files)
    assert not other.files


@pytest.mark.slow
def test_pages_of_other_bots_show_no_spec_at_all(league: SecretLeague) -> None:
    visitor = league.visitor("Bees")
    for path in ("/bots/Ants", "/bots"):
        assert "hidden:" not in visitor.ask(path).text
    assert mark("class", "Bees") in visitor.ask("/bots/Bees").text


@pytest.mark.slow
def test_authors_choose_a_version_and_withdraw(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    team = league.store.people.team("Ants")
    assert author.post("/team", do="choose", version="1").status_code == 303
    assert league.store.people.team("Ants").chosen_version is not None
    assert author.post("/team", do="choose", version="7").status_code == 422
    assert author.post("/team", do="withdraw").status_code == 422
    assert author.post("/team", do="withdraw", sure="yes").status_code == 303
    assert league.store.people.team(team.id).standing is TeamStanding.WITHDRAWN
    assert league.store.people.team("Bees").standing is TeamStanding.ACTIVE
    actions = [each.action for each in league.store.sign_ins.audit(10)]
    assert "withdrawn" in actions
    assert "chose version" in actions


@pytest.mark.slow
def test_organisers_run_the_season(league: SecretLeague) -> None:
    boss = league.visitor("")
    for word, state in (("paused", SeasonState.PAUSED), ("resumed", SeasonState.OPEN)):
        assert boss.post("/organise", do=word).status_code == 303
        season = league.store.seasons.get()
        assert season is not None
        assert season.state is state
    told = {"do": "stand", "team": "Bees", "standing": "disqualified"}
    assert boss.post("/organise", **told).status_code == 422, "without a reason"
    assert boss.post("/organise", **told, reason="copied").status_code == 303
    assert league.store.people.team("Bees").standing is TeamStanding.DISQUALIFIED
    assert "copied" in league.visitor("Bees").ask("/team").text
    assert "copied" not in league.visitor("Ants").ask("/season").text
    assert boss.post("/organise", do="stand", team="Bees", standing="active").status_code == 303
    assert boss.post("/organise", do="announced", text="The final is on Friday").status_code == 303
    for path in ("/", "/season", "/feed.atom"):
        assert "The final is on Friday" in league.visitor().ask(path).text
    assert boss.post("/organise", do="erase").status_code == 422
    assert boss.post("/organise", do="closed").status_code == 422, "without a tick"
    assert boss.post("/organise", do="closed", sure="yes").status_code == 303
    assert boss.post("/organise", do="opened").status_code == 303
    wrong = boss.post("/organise/settings", game="othello").text
    assert "a submission has been accepted for" in wrong


def test_another_game_needs_a_tick(tmp_path: Path) -> None:
    with open_host_store(str(tmp_path / "league.db"), create=True) as store:
        store.seasons.create(SeasonSettings(name="AI 2026", game="connectfour"))
        boss = Visitor(make_app(store, "AI 2026", given={WING: Hosted(store)}))
        boss.cookies.set(SIGN_IN, begin(store, store.people.add("olga", Role.ORGANISER)))
        wrong = boss.post("/organise/settings", game="othello")
        assert "tick the box to change the game" in wrong.text
        assert boss.post("/organise/settings", game="othello", sure="yes").status_code == 303
        season = store.seasons.get()
        assert season is not None
        assert season.settings.game == "othello"


@pytest.mark.slow
def test_organisers_see_all_teams_in_one_table(league: SecretLeague) -> None:
    boss = league.visitor("")
    idle = league.store.people.add_team("Idle")
    league.store.people.update_team(
        league.store.people.team("Bees").id, standing=TeamStanding.SUSPENDED
    )

    def listed(show: str) -> list[str]:
        text = boss.ask(f"/organise?show={show}").text
        table = text[text.index('aria-label="Teams">') :]
        table = table[: table.index("</table>")]
        return [name for name in ("Ants", "Bees", "Idle") if f">{name}<" in table]

    assert listed("") == ["Ants", "Bees", "Idle"]
    assert listed("none") == ["Idle"]
    assert listed("suspended") == ["Bees"]
    text = boss.ask("/organise").text
    assert "1 of 2" in text, "submissions of a team, with how many were refused"
    assert text.index('id="teams"') < text.index('id="health"')
    assert 'id="alike"' not in text
    for name in ("Ants", "Bees"):
        files = {f"{name}.py": OWN.encode()}
        league.store.bots.register(BotVersion(name, f"{name}.py:Bot", files=files, digest=name))
    text = boss.ask("/organise").text
    assert "Ants, Bees" in text[text.index('id="alike"') :]
    assert 'id="alike"' not in league.visitor("Ants").ask("/season").text
    assert league.visitor("Ants").ask("/organise").status_code == 403
    assert idle


def test_a_team_changes_nothing_when_the_season_is_over(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    before = author.ask("/team").text
    assert 'value="choose"' in before
    assert 'value="withdraw"' in before
    assert 'href="/submit">Submit a bot' in before
    season = league.store.seasons.get()
    assert season is not None
    league.store.seasons.update(season.id, state=SeasonState.PUBLISHED)
    after = author.ask("/team").text
    assert 'value="choose"' not in after
    assert 'value="withdraw"' not in after
    assert 'href="/submit">Submit a bot' not in after
    refused = author.post("/team", page="/me", do="withdraw", sure="yes")
    assert (refused.status_code, "the season is over" in refused.text) == (422, True)
    assert league.store.people.team("Ants").standing is TeamStanding.ACTIVE


@pytest.mark.slow
def test_the_page_of_a_season_has_its_own_matches_alone(
    league: SecretLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.hosting.store.seasons.now", lambda: int(time.time()) + 10)
    visitor, author = league.visitor(), league.visitor("Ants")
    league.set(closes_at=int(time.time()) + 3600)
    before = visitor.ask("/season").text
    assert "</time>. 6 matches." in before
    assert "Other seasons" not in before
    last = league.store.seasons.get()
    assert last is not None
    league.store.seasons.update(last.id, state=SeasonState.PUBLISHED)
    league.set(marks="plays: 1 point")
    league.store.seasons.create(replace(last.settings, name="AI 2027"))
    now = visitor.ask("/season").text
    assert "No match yet" in now
    assert 'href="/">AI 2027</a>' in now
    assert "<title>AI 2027</title>" in visitor.ask("/feed.atom").text
    assert f'href="/seasons/{last.id}">AI 2026</a>' in now
    earlier = visitor.ask(f"/seasons/{last.id}").text
    assert "6 matches." in earlier
    assert 'href="/season">AI 2027</a>' in earlier
    assert '<td class="num" data-label="Matches">0</td>' in author.ask("/team").text
    league.set(game="tictactoe")
    assert "--game connectfour" in author.ask("/submissions/2").text, "as it was checked"
    assert visitor.ask("/seasons/7").status_code == 404
    boss = league.visitor("")
    assert f'href="/organise/marks?season={last.id}"' in boss.ask("/organise/marks").text
    marks = boss.ask(f"/organise/marks?season={last.id}").text
    assert "5 matches in the season" in marks
    assert f'href="/organise/marks.csv?season={last.id}"' in marks
    assert ",Ants,Ants@1," in boss.ask(f"/organise/marks.csv?season={last.id}").text


def test_the_final_is_on_the_page_of_the_season_when_it_is_published(league: SecretLeague) -> None:
    league.set(visibility=Visibility.STANDINGS)
    season = league.store.seasons.get()
    assert season is not None
    ants, bees = (league.store.bots.get(name).versions[-1].id for name in ("Ants", "Bees"))
    final = add_tournament(league.store, ants, bees)
    league.store.matches.save(final, [(MatchKey(0, 0), won_match(bees, ants, (1.0, 0.0)))])
    league.store.seasons.update(season.id, final=final, state=SeasonState.FINISHED)
    visitor, boss = league.visitor(), league.visitor("")
    assert 'aria-label="The final"' not in visitor.ask("/season").text
    assert 'aria-label="The final"' in boss.ask("/season").text
    assert boss.post("/organise", do="published").status_code == 303
    text = visitor.ask("/season").text
    table = text[text.index('aria-label="The final"') :]
    assert table.index("Bees") < table.index("Ants")
    assert "/tournaments" not in table
    assert visitor.ask(f"/tournaments/{final}").status_code == 303
    assert "AI 2026, final</a>" in boss.ask("/bots/Bees").text


@pytest.mark.slow
def test_organisers_keep_people_and_settings(league: SecretLeague) -> None:
    boss = league.visitor("")
    added = boss.post("/organise/people", do="add", login="cleo", team="Cats", role="author")
    assert "/invitation/" in added.text
    assert league.store.people.team("Cats")
    roster = "login,team\nrex,Dogs\n"
    assert "/invitation/" in boss.post("/organise/people", do="import", roster=roster).text
    assert boss.post("/organise/people", do="disabled", login="rex").status_code == 303
    assert boss.post("/organise/people", do="removed", login="rex").status_code == 422
    assert boss.post("/organise/people", do="removed", login="rex", sure="yes").status_code == 303
    assert league.store.people.by_login("rex") is None
    fields = {"submissions-per-day": "7", "visibility": "standings"}
    assert boss.post("/organise/settings", **fields).status_code == 303
    season = league.store.seasons.get()
    assert season is not None
    assert season.settings.submissions_per_day == 7
    wrong = boss.post("/organise/settings", **{"submissions-per-day": "many"})
    assert wrong.status_code == 422
    assert "many" in wrong.text


def test_a_backup_is_a_whole_database(league: SecretLeague) -> None:
    answer = league.visitor("").ask("/organise/backup")
    assert answer.content.startswith(b"SQLite format 3")
    assert 'href="/organise/backup"' in league.visitor("").ask("/organise").text
    assert mark("source", "Ants").encode() not in answer.content[:100]


def test_a_league_on_a_server_is_backed_up_there(postgres: str) -> None:
    target = emptied(postgres)
    make_secret_league(target)
    with closing(SecretLeague(target)) as league:
        boss = league.visitor("")
        page, answer = boss.ask("/organise").text, boss.ask("/organise/backup")
        actions = [each.action for each in league.store.sign_ins.audit(10)]
    assert "/organise/backup" not in page
    assert "pg_dump --format=custom" in page
    assert answer.status_code == 400
    assert "is on a server: back it up there with" in answer.text
    assert "downloaded everything" not in actions


@pytest.mark.slow
def test_frozen_standings_hide_newer_matches(league: SecretLeague) -> None:
    now = int(time.time())
    league.set(closes_at=now + DAY_S, freeze_s=2 * DAY_S)
    author, visitor, boss = (league.visitor(who) for who in ("Ants", None, ""))
    assert "The standings are frozen" in author.ask("/").text
    season = league.store.seasons.get()
    assert season is not None
    copy = frozen_path(league.store, season)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM person").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM submission").fetchone() == (0,)
    versions = [each.versions[-1].id for each in league.store.bots.all() if each.name != "house"]
    league.store.matches.save(
        1, [(MatchKey(90, 0), won_match(versions[0], versions[1], (1.0, 0.0)))]
    )
    (newest,) = league.store.matches.page(limit=1)
    for path in (
        f"/matches/{newest.id}",
        f"/api/matches/{newest.id}",
        f"/matches/{newest.id}/json",
    ):
        assert author.ask(path).status_code == 404, path
        assert visitor.ask(path).status_code == 404, path
        assert boss.ask(path).status_code == 200, path
    assert f"/matches/{newest.id}" not in author.ask("/").text + author.ask("/featured").text
    assert "The standings are frozen" not in boss.ask("/").text
    league.store.seasons.update(season.id, state=SeasonState.PUBLISHED)
    assert author.ask(f"/matches/{newest.id}").status_code == 200


@pytest.mark.slow
def test_a_season_that_is_published_later_is_frozen_when_it_closes(league: SecretLeague) -> None:
    season = league.store.seasons.get()
    assert season is not None
    later = replace(
        season, settings=replace(season.settings, is_published_at_once=False), closed_at=100
    )
    assert freezes_at(later) == 100
    assert not is_frozen(later, 99)
    assert is_frozen(replace(later, state=SeasonState.FINISHED), 10_000)
    assert not is_frozen(replace(later, state=SeasonState.PUBLISHED), 10_000)
    assert freezes_at(season) is None
