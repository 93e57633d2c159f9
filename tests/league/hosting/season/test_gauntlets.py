"""Gauntlets: the encounters that marks ask for are played before marks are final."""

from dataclasses import replace

import pytest

from league.hosting.api.host import Host
from league.hosting.api.marks import season_marks
from league.hosting.model.season import Mark, SeasonState
from league.hosting.season.gauntlets import lacking, left_to_play
from league.hosting.season.mark_rules import encounters_asked, read_rules
from league.hosting.season.results import SeasonResults
from league.hosting.store.host_store import HostStore
from league.model.errors import SetupError
from tests.league.hosting.season.teams import LUCKY, change_team, season_of, team_of
from tests.league.hosting.season.test_director import until

RULES = "plays: 1 point\nbeats each house bot: 2 points"


def test_a_rule_that_must_be_sure_asks_for_more_encounters() -> None:
    rules = read_rules("beats a: 1 point; beats each house bot with 95% confidence: 1 point")
    assert encounters_asked(rules, ("b", "c")) == {"a": 5, "b": 10, "c": 10}
    strict = read_rules("beats a: 1 point; beats a with 99.9% confidence: 1 point; plays: 1 point")
    assert encounters_asked(strict, ()) == {"a": 20}


@pytest.mark.slow
def test_every_team_meets_what_its_marks_ask_for(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": LUCKY, "two": LUCKY, "late": LUCKY, "gone": LUCKY}
    host = Host(store)
    season = season_of(store, marks=RULES, house_bots=("random",), final_rounds=1)
    for name in ("one", "two", "gone"):
        team_of(store, name)
    until(store, lambda: sum(row.played for row in store.tournaments.all()) > 60, scripts)
    store.seasons.update(season.id, state=SeasonState.CLOSED, closed_at=1)
    until(store, lambda: host.season.final is not None, scripts)
    # It is in the season since just now: no leg has paired it with anybody.
    team = team_of(store, "late")
    change_team(
        store, store.people.team("gone").id, standing="withdrawn", standing_reason="no time"
    )
    assert "then the league plays" in season_marks(store).proviso
    until(store, lambda: bool(host.season.gauntlets), scripts)
    assert host.season.state is SeasonState.FINAL
    left = left_to_play(store, host.season)
    assert left >= 5
    assert (
        season_marks(store).proviso
        == f"provisional: {left} encounters that the rules ask for left to play"
    )
    until(store, lambda: host.season.state is SeasonState.PUBLISHED, scripts)
    assert left_to_play(store, host.season) == 0
    assert season_marks(store).proviso == ""
    marks = {each.team: each for each in season_marks(store).value}
    assert "no match against" not in str(marks.values())
    assert (marks["gone"].points, marks["gone"].note) == (0, "withdrawn: no time")
    assert team

    # Rules that the organiser changes afterwards are played too, and nothing is published before.
    host.change_settings({"marks": "beats greedy: 1 point"})
    teams = len([each for each in store.seasons.contenders() if each.standing == "active"])
    assert left_to_play(store, host.season) == 5 * teams
    told = f"provisional: {5 * teams} encounters that the rules ask for left to play"
    assert season_marks(store).proviso == told
    with pytest.raises(SetupError, match=f"{5 * teams} encounters that the rules for marks"):
        host.begin({"name": "Next", "game": "connectfour"})
    store.seasons.update(season.id, state=SeasonState.FINISHED)
    with pytest.raises(SetupError, match=f"{5 * teams} encounters that the rules for marks"):
        host.publish()
    until(store, lambda: host.season.state is SeasonState.PUBLISHED, scripts)
    marks = {each.team: each for each in season_marks(store).value}

    def matches(mark: Mark) -> str:
        return mark.credits[0].reason

    assert "against greedy" in matches(marks["late"])
    results = SeasonResults(store, host.season)
    assert len(host.season.gauntlets) == 2
    assert not lacking(store, host.season)
    assert results.tournaments[-2:] == host.season.gauntlets


@pytest.mark.slow
def test_a_final_that_is_taken_back_counts_for_nothing(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": LUCKY, "two": LUCKY}
    host = Host(store)
    season_of(store, final_rounds=1, is_published_at_once=False)
    for name in scripts:
        team_of(store, name)
    until(store, lambda: sum(row.played for row in store.tournaments.all()) > 20, scripts)
    host.close()
    until(store, lambda: host.season.final is not None, scripts)
    final = host.season.final
    assert final is not None
    opened = host.open()
    assert (opened.state, opened.final, opened.closed_at) == (SeasonState.OPEN, None, None)
    assert final not in opened.tournaments
    assert store.tournaments.get(final).state == "cancelled"
    host.close()
    until(store, lambda: host.season.state is SeasonState.FINISHED, scripts)
    again = host.season.final
    assert again not in (None, final)
    # Over, but not shown: it can still be taken back.
    assert host.open().state is SeasonState.OPEN
    host.close()
    until(store, lambda: host.season.state is SeasonState.FINISHED, scripts)
    host.publish()
    with pytest.raises(SetupError, match="is published: this needs one that is closed or final"):
        host.open()
    assert replace(host.season).published_at
