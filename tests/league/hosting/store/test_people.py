"""People and teams in the database."""

import pytest

from league.hosting.model.errors import PeopleError
from league.hosting.model.people import Role, TeamStanding
from league.hosting.store.host_store import HostStore
from league.hosting.store.people import PersonEntry
from league.model.errors import UnknownRowError
from league.model.records import BotVersion
from tests.league.hosting.season.hosting import SETTINGS


def test_a_team_is_found_by_number_and_by_name_in_any_case(fresh_db: HostStore) -> None:
    team = fresh_db.people.add_team("Rooks")
    assert fresh_db.people.team(team.id) == fresh_db.people.team("rOOKS") == team
    assert fresh_db.people.teams() == (team,)
    for wanted in (99, "knights"):
        with pytest.raises(UnknownRowError, match="no team"):
            fresh_db.people.team(wanted)


def test_a_team_has_a_name_that_no_other_team_or_bot_has(fresh_db: HostStore) -> None:
    team = fresh_db.people.add_team("rooks")
    fresh_db.bots.register(BotVersion("greedy", "greedy", digest="x"))
    for taken in ("ROOKS", "Greedy"):
        with pytest.raises(PeopleError, match="in use"):
            fresh_db.people.add_team(taken)
    other = fresh_db.people.add_team("knights")
    with pytest.raises(PeopleError, match="in use by bot 'greedy'"):
        fresh_db.people.rename_team(other.id, "greedy")
    with pytest.raises(PeopleError, match="in use by team 'rooks'"):
        fresh_db.people.update_team(other.id, name="Rooks")
    fresh_db.people.rename_team(team.id, "ROOKS")
    assert fresh_db.people.team(team.id).name == "ROOKS"


def test_a_renamed_team_takes_its_bot_along(fresh_db: HostStore) -> None:
    team = fresh_db.people.add_team("rooks")
    version = fresh_db.bots.register(BotVersion("rooks", "greedy", digest="x"))
    bot = fresh_db.bots.get("rooks")
    fresh_db.people.update_team(team.id, bot=bot.id, chosen_version=version.id)
    fresh_db.people.rename_team(team.id, "bishops")
    found = fresh_db.people.team("bishops")
    assert (found.bot, found.chosen_version) == (bot.id, version.id)
    assert fresh_db.bots.get("bishops").id == bot.id


def test_a_new_season_forgets_which_versions_were_chosen(fresh_db: HostStore) -> None:
    team = fresh_db.people.add_team("rooks")
    version = fresh_db.bots.register(BotVersion("rooks", "greedy", digest="x"))
    fresh_db.people.update_team(
        team.id, bot=fresh_db.bots.get("rooks").id, chosen_version=version.id
    )
    fresh_db.seasons.create(SETTINGS)
    assert fresh_db.people.team(team.id).chosen_version is None


def test_fields_of_a_team_change(fresh_db: HostStore) -> None:
    team = fresh_db.people.add_team("rooks")
    fresh_db.people.update_team(team.id, standing=TeamStanding.SUSPENDED, standing_reason="crashes")
    found = fresh_db.people.team(team.id)
    assert (found.standing, found.standing_reason) == (TeamStanding.SUSPENDED, "crashes")
    with pytest.raises(UnknownRowError):
        fresh_db.people.update_team(99, standing_reason="x")
    with pytest.raises(KeyError):
        fresh_db.people.update_team(team.id, created_at=1)


def test_a_login_is_one_persons_in_any_case(fresh_db: HostStore) -> None:
    ada = fresh_db.people.add("Ada", Role.AUTHOR, name="Ada King", email="a@b.org")
    assert fresh_db.people.by_login("aDA") == fresh_db.people.get(ada.id) == ada
    assert fresh_db.people.by_login("eve") is None
    with pytest.raises(PeopleError, match="in use by 'Ada'"):
        fresh_db.people.add("ADA", Role.ORGANISER)
    fresh_db.people.update(ada.id, login="lovelace", role=Role.ORGANISER)
    found = fresh_db.people.by_login("LOVELACE")
    assert found is not None
    assert (found.id, found.is_organiser) == (ada.id, True)
    for act in (fresh_db.people.get, fresh_db.people.password_hash, fresh_db.people.delete):
        with pytest.raises(UnknownRowError):
            act(99)


def test_a_roster_is_saved_whole_or_not_at_all(fresh_db: HostStore) -> None:
    fresh_db.bots.register(BotVersion("greedy", "greedy", digest="x"))
    good = [PersonEntry(login="ada", team="rooks"), PersonEntry(login="eve", team="Rooks")]
    with pytest.raises(PeopleError, match="in use by bot"):
        fresh_db.people.save([*good, PersonEntry(login="ben", team="greedy")])
    assert (fresh_db.people.all(), fresh_db.people.teams()) == ((), ())
    saved = fresh_db.people.save(good)
    assert [is_new for _, is_new in saved] == [True, True]
    assert [each.name for each in fresh_db.people.teams()] == ["rooks"]
    assert {each.team for each in fresh_db.people.all()} == {fresh_db.people.team("rooks").id}


def test_a_roster_changes_what_it_tells_and_nothing_else(fresh_db: HostStore) -> None:
    team = fresh_db.people.add_team("rooks")
    ada = fresh_db.people.add("ada", Role.ORGANISER, team=team.id, name="Ada", email="a@b.org")
    fresh_db.people.set_password_hash(ada.id, "hash")
    before = fresh_db.people.get(ada.id)
    assert fresh_db.people.save([PersonEntry(login="ADA")]) == [(before, False)]
    fresh_db.people.save([PersonEntry(login="ada", email="c@d.org", team="")])
    after = fresh_db.people.get(ada.id)
    assert (after.email, after.team, after.role, after.name) == (
        "c@d.org",
        None,
        Role.ORGANISER,
        "Ada",
    )
    assert after.has_password
