"""Challenges over the API and on the pages of a hosted league."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.hosting.accounts.tokens import new_token
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import ChallengeState
from league.hosting.season.practice import play_next
from league.hosting.web.hosted_pages import API
from league.web.openapi import description
from tests.league.hosting.season.teams import FAULTY, LUCKY
from tests.league.hosting.season.test_practice import playing
from tests.league.hosting.web.secret_league import SecretLeague, make_secret_league
from tests.league.hosting.web.visiting import Visitor


@pytest.fixture
def league(tmp_path: Path) -> Iterator[SecretLeague]:
    """Make a league whose teams play, and open it."""
    settings = {"house_bots": ("house",), "challenges_per_day": 2}
    make_secret_league(tmp_path / "league.db", **settings)
    found = SecretLeague(tmp_path / "league.db")
    for team in found.store.people.teams():
        found.store.people.update_team(team.id, standing=TeamStanding.ACTIVE, standing_reason="")
    yield found
    found.close()


def program(league: SecretLeague, team: str) -> tuple[Visitor, dict[str, str]]:
    """Return a visitor without cookies, and the header with the token of a team's author."""
    person = league.store.people.by_login(league.logins[team])
    assert person is not None
    return league.visitor(), {"authorization": f"Bearer {new_token(league.store, person, 'x')}"}


def play(league: SecretLeague, bad: str) -> None:
    """Play all challenges; one bot breaks the rules."""
    season = league.store.seasons.get()
    assert season is not None
    scripts = dict.fromkeys(("Ants", "Bees", "house"), LUCKY) | {bad: FAULTY}
    with league.store.writing() as connection:
        connection.exec_driver_sql("UPDATE submission SET state = 'refused'")
    while play_next(league.store, season, make=playing(**scripts)) is not None:
        pass


@pytest.mark.slow
def test_a_program_challenges_a_bot(league: SecretLeague) -> None:
    visitor, token = program(league, "Ants")
    answer = visitor.ask("/api/challenges", "POST", {"bot": "bees"}, **token)
    assert (answer.status_code, answer.headers["location"]) == (201, "/api/challenges/3")
    assert answer.json()["state"] == "waiting"
    play(league, "Bees")
    found = visitor.ask("/api/challenges/3", **token).json()
    assert (found["state"], found["version"], found["rival_version"]) == (
        "played",
        "Ants@1",
        "Bees@1",
    )
    assert [(each["seat"], each["points"]) for each in found["matches"]] == [(0, 1.0), (1, 1.0)]
    listed = visitor.ask("/api/challenges", **token).json()
    assert [each["id"] for each in listed] == [3, 1]
    boss, all_of = program(league, "")
    assert [each["id"] for each in boss.ask("/api/challenges?limit=2", **all_of).json()] == [3, 2]
    audit = [each for each in league.store.sign_ins.audit(9) if each.action == "challenged"]
    assert [(each.subject, each.detail) for each in audit] == [("challenge 3", "Bees")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "status", "told"),
    [
        ("hause", 404, "did you mean 'house'?"),
        ("Ants", 422, "is your own bot"),
        ("", 422, "expected 1 to 80 characters"),
        ("x" * 81, 422, "expected 1 to 80 characters"),
    ],
)
def test_what_is_not_taken_is_said(league: SecretLeague, bot: str, status: int, told: str) -> None:
    visitor, token = program(league, "Ants")
    answer = visitor.ask("/api/challenges", "POST", {"bot": bot}, **token)
    assert answer.status_code == status
    assert told in answer.json()["error"]


@pytest.mark.slow
def test_so_many_a_day_and_none_without_a_sign_in(league: SecretLeague) -> None:
    assert league.visitor().ask("/api/challenges", "POST", {"bot": "house"}).status_code == 401
    visitor, token = program(league, "Ants")
    answers = [
        visitor.ask("/api/challenges", "POST", {"bot": "house"}, **token).status_code
        for _ in range(3)
    ]
    assert answers == [201, 201, 429]
    league.set(challenges_per_day=0)
    found = visitor.ask("/api/challenges", "POST", {"bot": "house"}, **token)
    assert (found.status_code, found.json()["error"]) == (
        403,
        "challenges are turned off in this season",
    )


@pytest.mark.slow
def test_a_page_of_another_site_challenges_nobody(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    for path, fields in (
        ("/api/challenges", {"bot": "house"}),
        ("/team", {"do": "challenge", "bot": "house"}),
    ):
        assert author.ask(path, "POST", fields).status_code == 403
        token = author.token("/team")
        elsewhere = author.ask(
            path, "POST", {**fields, "token": token}, sec_fetch_site="cross-site"
        )
        assert elsewhere.status_code == 403
    assert len(league.store.challenges.page()) == 2


@pytest.mark.slow
def test_a_button_on_the_page_of_a_bot(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    assert 'value="challenge"' in author.ask("/bots/house").text
    assert 'value="challenge"' in author.ask("/bots/Bees").text
    assert 'value="challenge"' not in author.ask("/bots/Ants").text
    assert 'value="challenge"' not in league.visitor().ask("/bots/house").text
    answer = author.post("/team", "/bots/house", do="challenge", bot="house")
    assert (answer.status_code, answer.headers["location"]) == (303, "/team?done=challenged")
    text = author.ask("/team?done=challenged").text
    assert "The challenge is kept" in text
    assert 'data-refresh="/team"' in text
    play(league, "Ants")
    text = author.ask("/team").text
    assert 'data-refresh="/team"' not in text
    assert text.count('<a href="/challenges/3/') == 2
    page = author.ask("/challenges/3/2").text
    assert "This match is unrated" in page
    assert "Ants lost by an illegal move" in page
    assert author.ask("/challenges/3/3").status_code == 404
    assert author.ask("/challenges/99999999999999999999/1").status_code == 404
    answer = author.ask("/challenges/3/2/json")
    assert answer.headers["content-disposition"].endswith('"challenge-3-2.json"')
    assert answer.json()["bots"] == ["house", "Ants"]


@pytest.mark.slow
def test_a_refusal_is_told_on_the_page(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    answer = author.post("/team", do="challenge", bot="hause")
    assert answer.status_code == 422
    assert "did you mean" in answer.text
    league.set(challenges_per_day=0)
    assert 'value="challenge"' not in author.ask("/bots/house").text
    assert 'value="challenge"' not in author.ask("/team").text


@pytest.mark.slow
def test_house_bots_are_steps_to_pass(league: SecretLeague) -> None:
    text = league.visitor("Ants").ask("/team").text
    steps = text[text.index('id="steps"') :]
    assert "0 of 1 passed" in steps
    assert "to pass" in steps
    assert "0 of 1 against house" in steps
    league.set(house_bots=("random",))
    assert "no match against random" in league.visitor("Ants").ask("/team").text


def test_a_hosted_league_describes_its_challenges() -> None:
    found = description([API])
    assert {"/api/challenges", "/api/challenges/{number}"} <= set(found["paths"])
    assert "TeamChallenge" in found["components"]["schemas"]
    assert not any("challenge" in path for path in description()["paths"])


@pytest.mark.slow
def test_challenges_change_nothing_that_is_rated(league: SecretLeague) -> None:
    boss = league.visitor("")
    paths = ("/api/standings?game=connectfour", "/api/matches", "/api/stats?game=connectfour")
    before = [boss.ask(path).content for path in paths]
    author = league.visitor("Ants")
    author.post("/team", do="challenge", bot="house")
    play(league, "house")
    assert league.store.challenges.get(3).state is ChallengeState.PLAYED
    assert [boss.ask(path).content for path in paths] == before
