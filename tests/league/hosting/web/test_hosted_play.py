"""People play against bots in the browser of a hosted league, whose web process runs no bot."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette

from league.hosting.accounts.sign_ins import begin
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import SeasonState
from league.hosting.pages import WING
from league.hosting.supervisor.play import play_socket
from league.hosting.web.callers import SIGN_IN
from league.hosting.web.hosted import Hosted
from league.hosting.web.play_app import make_play_app
from league.web.access import LOCAL
from league.web.app import make_app
from league.web.play_host import PlayHost
from tests.league.hosting.web.secret_league import SecretLeague, make_secret_league, marks_of
from tests.league.hosting.web.visiting import Visitor
from tests.waiting import wait_until


@contextmanager
def playing(league: SecretLeague) -> Iterator[Starlette]:
    """Serve the play pages of a league from a thread, and give the application of its web."""
    host = PlayHost(0)
    with play_socket() as (place, listener):
        hosted = Hosted(league.store, play=place)
        app = make_play_app(league.shown, "AI 2026", hosted, host, LOCAL, "limits")
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield make_app(league.shown, "AI 2026", given={WING: hosted})
        finally:
            host.close()
            server.should_exit = True
            thread.join()


@pytest.fixture
def league(tmp_path: Path) -> Iterator[SecretLeague]:
    """Make a league whose teams play, and open it."""
    make_secret_league(tmp_path / "league.db", house_bots=("house",))
    found = SecretLeague(tmp_path / "league.db")
    for team in found.store.people.teams():
        found.store.people.update_team(team.id, standing=TeamStanding.ACTIVE, standing_reason="")
    yield found
    found.close()


class Player:
    """The browser of somebody who plays."""

    def __init__(self, league: SecretLeague, app: Starlette, team: str | None) -> None:
        self.visitor = Visitor(app)
        if team is not None:
            person = league.store.people.by_login(league.logins[team])
            assert person is not None
            self.visitor.cookies.set(SIGN_IN, begin(league.store, person))

    def begin(self, against: str, **fields: str) -> httpx.Response:
        """Begin a match in the first seat."""
        given = {"against": against, "seat": "0", "limit": "depth1", **fields}
        return self.visitor.post("/play", **given)

    def obey(self, place: str, do: str, text: str = "") -> httpx.Response:
        """Send a move or another wish."""
        token = self.visitor.token("/play")
        body = {"token": token, "do": do, "text": text}
        return self.visitor.ask(place, "POST", body, accept="application/json")

    def awaited(self, place: str) -> dict[str, object]:
        """Return how a match stands once it is the person's turn, or over."""
        found: dict[str, object] = {}

        def is_ready() -> bool:
            found.update(self.visitor.ask(f"{place}/position").json())
            return found["phase"] in ("person", "over")

        wait_until(is_ready)
        return found


@pytest.mark.slow
def test_a_match_is_played_to_its_end(league: SecretLeague) -> None:
    with playing(league) as app:
        ants = Player(league, app, "Ants")
        assert 'href="/play?against=house' in ants.visitor.ask("/bots/house").text
        form = ants.visitor.ask("/play").text
        offered = re.findall(r'name="against" value="(Ants|Bees|house)"', form)
        assert sorted(offered) == ["Ants", "Bees", "house"]
        answer = ants.begin("house", game="tictactoe")
        assert answer.status_code == 303
        place = answer.headers["location"]
        assert ants.awaited(place)["phase"] == "person"
        assert "Connect Four" in ants.visitor.ask(place).text, "the game of the season"
        assert "illegal move '9'" in str(ants.obey(place, "move", "9").json()["wrong"])
        assert ants.obey(place, "move", "4").json()["wrong"] == ""
        ants.awaited(place)
        ants.obey(place, "resign")
        assert ants.awaited(place)["has_result"]
        document = json.loads(ants.visitor.ask(f"{place}/json").text)
        assert document["bots"] == ["You", "house"]
        assert league.store.matches.count() == 6, "as before"


@pytest.mark.slow
def test_a_match_is_for_its_person_alone_and_one_at_a_time(league: SecretLeague) -> None:
    bees_id = league.store.people.by_login(league.logins["Bees"])
    assert bees_id is not None
    with playing(league) as app:
        ants, bees = Player(league, app, "Ants"), Player(league, app, "Bees")
        place = bees.begin("house").headers["location"]
        assert ants.visitor.ask(place).status_code == 404
        pretended = ants.visitor.ask(place, x_league_person=str(bees_id.id))
        assert pretended.status_code == 404
        # In another browser too.
        again = Player(league, app, "Bees")
        again.begin("house")
        wait_until(lambda: bees.awaited(place)["phase"] == "over")
        form = {"token": "0" * 64, "against": "house", "seat": "0"}
        assert ants.visitor.ask("/play", "POST", form).status_code == 403


@pytest.mark.slow
def test_bots_that_do_not_play_and_places_that_are_taken(league: SecretLeague) -> None:
    league.store.people.update_team(
        league.store.people.team("Bees").id, standing=TeamStanding.WITHDRAWN
    )
    league.set(play_sessions=1)
    with playing(league) as app:
        ants, bees = Player(league, app, "Ants"), Player(league, app, "Bees")
        answer = ants.begin("Bees")
        assert answer.status_code == 400
        assert "unknown opponent" in answer.text
        assert ants.begin("").status_code == 303
        answer = bees.begin("")
        assert answer.status_code == 503
        assert "All 1 places are taken" in answer.text


@pytest.mark.slow
def test_who_may_play(league: SecretLeague) -> None:
    with playing(league) as app:
        visitor = Player(league, app, None).visitor
        answer = visitor.ask("/play")
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/play")
        assert visitor.ask("/play/x/position").status_code == 303
        assert 'href="/play"' not in visitor.ask("/").text
        ants = Player(league, app, "Ants").visitor
        assert 'href="/play"' in ants.ask("/").text
        league.set(play_sessions=0)
        assert ants.ask("/play").status_code == 404
        assert 'href="/play"' not in ants.ask("/").text
        league.set(play_sessions=4)
        season = league.store.seasons.get()
        assert season is not None
        league.store.seasons.update(season.id, state=SeasonState.FINAL, closed_at=1)
        assert ants.ask("/play").status_code == 404, "the final has the machine"


@pytest.mark.slow
def test_nothing_is_told_of_a_bot_of_another_team(league: SecretLeague) -> None:
    """The bots of the league can't be started, which says a lot to those who may know."""
    with playing(league) as app:
        for who, is_told in (("Ants", True), ("Bees", False), ("", True)):
            player = Player(league, app, who)
            place = player.begin("Ants").headers["location"]
            found = player.awaited(place)
            assert found["phase"] == "over"
            page = json.dumps(found) + player.visitor.ask(place).text
            seen = [each for each in marks_of("Ants") if each.casefold() in page.casefold()]
            assert bool(seen) == is_told, (who, seen)
            if not is_told:
                assert found["status"] == "Ants can't be started."


LOSES = """\
import sys

def choose(state, clock):
    print("ZQSECRETQZ", file=sys.stderr)
    raise ValueError("ZQSECRETQZ")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("who", "is_told"), [("Ants", True), ("Bees", False)])
def test_why_a_bot_failed_is_for_its_own_team(
    league: SecretLeague, tmp_path: Path, who: str, is_told: bool
) -> None:
    version = league.store.bots.version(league.store.bots.get("Ants").versions[0].id)
    files = {"bot.py": LOSES.encode()}
    league.store.bots.register(
        type(version)("Ants", "bot.py:choose", files=files, digest="ants-that-lose")
    )
    with playing(league) as app:
        player = Player(league, app, who)
        place = player.begin("Ants").headers["location"]
        player.awaited(place)
        player.obey(place, "move", "4")
        wait_until(lambda: player.awaited(place)["phase"] == "over")
        page = json.dumps(player.awaited(place)) + player.visitor.ask(place).text
        page += player.visitor.ask(f"{place}/json").text
        assert "Ants loses by crash" in page
        assert ("ZQSECRETQZ" in page) == is_told


@pytest.mark.slow
def test_without_the_process_the_page_says_so(league: SecretLeague, tmp_path: Path) -> None:
    hosted = Hosted(league.store, play=str(tmp_path / "none"))
    app = make_app(league.shown, "AI 2026", given={WING: hosted})
    answer = Player(league, app, "Ants").visitor.ask("/play")
    assert answer.status_code == 503
    assert "does not answer" in answer.text
