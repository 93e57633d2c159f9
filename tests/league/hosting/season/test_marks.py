"""Marks: the rules, what they give, and what they say to lines that they can't read."""

import csv
import io

import pytest

from league.hosting.api.marks import season_marks
from league.hosting.model.people import Role
from league.hosting.model.season import Mark, SeasonState, SubmissionState
from league.hosting.season.mark_rules import Rule, read_rules
from league.hosting.season.marks import marks_of
from league.hosting.store.host_store import HostStore
from league.hosting.store.submissions import Verdict
from league.model.errors import SettingError, UnknownRowError
from league.model.records import MatchKey, MatchRecord, Termination
from tests.league.hosting.season.teams import (
    add_leg,
    add_team,
    change_team,
    new_version,
    season_of,
    team_of,
)

RULES = """
# The rules of the course.
plays: 1 point
beats greedy: 1 point
beats greedy with 95% confidence: 2 points
better half: 1 point
top 25%: 2 points
first: 3 points
at most 2: beats each house bot: 1.5 points
at most 9 points
"""


def test_rules_are_read_line_by_line() -> None:
    found = read_rules(RULES)
    assert [each.kind for each in found] == [
        *("plays", "beats", "beats"),
        *["top"] * 3,
        "beats",
        "",
    ]
    assert found[2] == Rule(
        text="beats greedy with 95% confidence: 2 points",
        kind="beats",
        points=2.0,
        rival="greedy",
        confidence=0.95,
    )
    assert [each.share for each in found[3:6]] == [0.5, 0.25, 0.0]
    assert (found[6].points, found[6].most, found[7].most) == (1.5, 2.0, 9.0)
    assert read_rules("beats a: b with c: 1 point")[0].rival == "a: b with c"
    assert read_rules("") == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("plays: 1 point\nwins: 1 point", r"line 2, 'wins: 1 point': expected 'plays: 1 point'"),
        ("plays", r"line 1, 'plays': expected"),
        ("plays: many points", r"'many points': expected a number of points: '2 points'"),
        ("top 0%: 1 point", r"top 0%: expected above 0% to 100%"),
        ("top 101%: 1 point", r"top 101%: expected above 0% to 100%"),
        ("beats greedy with 40% confidence: 1 point", r"from 50% to below 100%"),
        ("at most few points", r"at most 'few': expected a number of points"),
    ],
)
def test_a_line_that_is_no_rule_is_named(text: str, told: str) -> None:
    with pytest.raises(SettingError, match=told):
        read_rules(text)


def record(versions: tuple[int, int], scores: tuple[float, float], seed: int) -> MatchRecord:
    return MatchRecord(
        game="tictactoe",
        versions=versions,
        seed=seed,
        opening=(),
        moves=(),
        scores=scores,
        termination=Termination.RULES,
    )


def held(store: HostStore, results: dict[tuple[int, int], list[float]]) -> int:
    """HostStore a round robin in which the first of each pair scored so, the seats in turn."""
    from league.model.records import Limits, TournamentConfig  # noqa: PLC0415

    entrants = tuple(sorted({each for pair in results for each in pair}))
    config = TournamentConfig(
        game="tictactoe", entrants=entrants, rounds=20, seed=1, opening_plies=0, limits=Limits()
    )
    number = store.tournaments.add(config, None)
    batch, encounter = [], 0
    for (one, other), scores in results.items():
        for place, score in enumerate(scores):
            rotation = place % 2
            pair, points = (one, other), (score, 1 - score)
            seats = (pair, points) if not rotation else (pair[::-1], points[::-1])
            key = MatchKey(encounter + place // 2, rotation)
            batch.append((key, record(seats[0], seats[1], place)))
        encounter += (len(scores) + 1) // 2
    store.matches.save(number, batch)
    return number


@pytest.mark.slow
def test_marks_follow_from_the_final_and_the_matches_against_house_bots(
    fresh_db: HostStore,
) -> None:
    store = fresh_db
    from league.registration.register import register  # noqa: PLC0415

    greedy = register(store, "greedy", "greedy", options={}, is_checked=False).version.id
    season = season_of(store, marks=RULES, house_bots=("greedy",))
    teams = [team_of(store, name) for name in ("ann", "bob", "cat", "dan")]
    ann, bob, cat, dan = (each.versions[0][0] for each in store.seasons.contenders())
    leg = held(
        store,
        {
            (ann, greedy): [1.0] * 12,
            (bob, greedy): [1.0, 1.0],
            (cat, greedy): [0.0] * 12,
        },
    )
    add_leg(store, season.id, leg)
    final = held(store, {(ann, bob): [1.0, 1.0], (ann, cat): [1.0, 1.0], (bob, cat): [1.0, 1.0]})
    # What was played outside the season counts for nothing.
    held(store, {(cat, greedy): [1.0] * 40})
    season = store.seasons.update(season.id, final=final, state=SeasonState.FINISHED)
    change_team(store, teams[3], standing="disqualified", standing_reason="it copied")
    found = {each.team: each for each in marks_of(store, season)}

    def given(mark: Mark) -> list[float]:
        return [each.points for each in mark.credits]

    # 1 + 1 + 2 + 1 + 2 + 3 + 1.5 = 11.5 points, at most 9.
    assert given(found["ann"]) == [1, 1, 2, 1, 2, 3, 1.5, -2.5]
    assert found["ann"].points == 9
    assert (found["ann"].rank, found["ann"].version) == (1, "ann@1")
    assert found["ann"].credits[5].reason == "place 1 of 3 in the final (place 1 counts)"
    assert found["ann"].credits[3].reason == "place 1 of 3 in the final (places 1 to 2 count)"
    # Two matches in one encounter are no proof, whatever their likelihood says.
    assert given(found["bob"]) == [1, 1, 0, 1, 0, 0, 1.5, 0]
    assert "2 of 2 against greedy, 50% sure" in found["bob"].credits[2].reason
    assert given(found["cat"]) == [1, 0, 0, 0, 0, 0, 0, 0]
    assert "0 of 12 against greedy" in found["cat"].credits[1].reason
    assert given(found["dan"]) == [0] * 8
    assert found["dan"].note == "disqualified: it copied"
    assert found["dan"].credits[0].reason == found["dan"].note
    assert found["dan"].rank is None
    assert dan


def test_an_earlier_season_keeps_its_marks(fresh_db: HostStore) -> None:
    store = fresh_db
    season = season_of(store, marks="plays: 1 point; first: 3 points")
    teams = {name: team_of(store, name) for name in ("ann", "bob", "cat")}
    ann, bob, cat = (each.versions[0][0] for each in store.seasons.contenders())
    add_leg(store, season.id, held(store, {(ann, bob): [1.0, 1.0], (bob, cat): [1.0, 1.0]}))
    final = held(store, {(ann, cat): [1.0, 1.0]})
    store.seasons.update(season.id, final=final, state=SeasonState.PUBLISHED)
    season_of(store, marks="plays: 5 points")
    for name, team in teams.items():
        new_version(store, name, team, 2)
        change_team(store, team, standing="suspended")
    found = {each.team: each for each in season_marks(store, season.id).value}
    assert {name: each.points for name, each in found.items()} == {"ann": 4, "bob": 1, "cat": 1}
    assert {each.version for each in found.values()} == {"ann@1", "bob@1", "cat@1"}
    newest = season_marks(store).value
    assert {(each.version, each.points) for each in newest} == {(f"{name}@2", 0) for name in teams}
    with pytest.raises(UnknownRowError, match="no season 7"):
        season_marks(store, 7)


def test_standings_of_a_later_season_change_no_marks(fresh_db: HostStore) -> None:
    store = fresh_db
    season = season_of(store, marks="plays: 1 point; first: 3 points")
    teams = {name: team_of(store, name) for name in ("ann", "bob", "cat")}
    ann, bob, cat = (each.versions[0][0] for each in store.seasons.contenders())
    add_leg(store, season.id, held(store, {(ann, bob): [1.0, 1.0], (bob, cat): [1.0, 1.0]}))
    final = held(store, {(ann, bob): [1.0, 1.0]})
    store.seasons.update(season.id, final=final, state=SeasonState.PUBLISHED)
    change_team(store, teams["cat"], standing="disqualified", standing_reason="it was copied")
    before = season_marks(store).csv()
    season_of(store, marks="plays: 5 points")
    assert season_marks(store, season.id).csv() == before
    change_team(store, teams["ann"], standing="withdrawn", standing_reason="left")
    change_team(store, teams["bob"], standing="disqualified", standing_reason="it was copied")
    change_team(store, teams["cat"], standing="active", standing_reason="")
    assert season_marks(store, season.id).csv() == before
    assert [each.points for each in season_marks(store).value] == [0, 0, 0]


def test_a_rival_that_is_no_bot_is_named(fresh_db: HostStore) -> None:
    season = season_of(fresh_db, marks="beats nobody: 1 point")
    team_of(fresh_db, "ann")
    with pytest.raises(SettingError, match="no bot 'nobody'"):
        marks_of(fresh_db, season)


def test_every_team_and_person_has_a_row_with_the_reason(fresh_db: HostStore) -> None:
    store = fresh_db
    season = season_of(store, marks="plays: 1 point; at most 8 points")
    ann = store.people.add(
        "ann", Role.AUTHOR, team=team_of(store, "ants"), name="=1", email="a@b.c"
    )
    teams = {name: add_team(store, name) for name in ("refused", "never", "checked", "out")}
    store.people.add("bob", Role.AUTHOR, team=teams["refused"])
    store.people.add("cat", Role.AUTHOR)
    store.people.add("olga", Role.ORGANISER)
    change_team(store, teams["out"], standing="suspended", standing_reason="it floods")
    for name in ("refused", "checked"):
        sent = store.submissions.receive(
            teams[name], None, "bot.py", b"x", {}, 1000 * (season.created_at + 1)
        )
        if name == "refused":
            claimed = store.submissions.claim_next()
            assert claimed is not None
            message = "Tic-tac-toe:\nok   starts\nFAIL plays in seat 0   illegal move"
            store.submissions.decide(
                sent.id, Verdict(state=SubmissionState.REFUSED, message=message)
            )
    found = season_marks(store)
    notes = {each.team or each.members[0].login: each.note for each in found.value}
    assert notes == {
        "ants": "",
        "checked": "its submission is being checked",
        "never": "never submitted",
        "out": "suspended: it floods",
        "refused": "refused: illegal move",
        "cat": "belongs to no team",
    }
    rows = list(csv.DictReader(io.StringIO(found.csv(), newline="")))
    assert list(rows[0]) == [
        *("login", "name", "email", "team", "version", "place"),
        *("plays: 1 point", "at most 8 points", "total", "note"),
    ]
    assert {(each["login"], each["team"], each["total"]) for each in rows} == {
        ("ann", "ants", "0"),
        ("bob", "refused", "0"),
        ("cat", "", "0"),
        *(("", name, "0") for name in ("checked", "never", "out")),
    }
    assert (rows[0]["name"], rows[0]["email"]) == ("'=1", "a@b.c")
    assert ann.login == "ann"
