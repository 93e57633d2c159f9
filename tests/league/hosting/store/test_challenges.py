"""Challenges in the database: taken in turn, played once, bounded."""

from dataclasses import replace

import pytest

from league.hosting.model.errors import RefusedChallengeError
from league.hosting.model.season import Challenge, ChallengeState, SubmissionState
from league.hosting.store.challenges import KEPT
from league.hosting.store.daily_limit import DAY_MS
from league.hosting.store.host_store import HostStore
from league.model.errors import UnknownRowError
from tests.league.hosting.season.teams import new_version, team_of, wait
from tests.league.matches import won_match

WAITING, PLAYED = ChallengeState.WAITING, ChallengeState.PLAYED


def house_of(store: HostStore) -> int:
    """Return the bot `house`, made if need be."""
    if not any(each.name == "house" for each in store.bots.all()):
        new_version(store, "house", 0)
    return store.bots.get("house").id


def add(store: HostStore, team: int, at_ms: int = 0, a_day: int = 100) -> Challenge:
    """Let a team challenge the bot `house`."""
    return store.challenges.add(team, house_of(store), 7, at_ms, a_day)


def claim(store: HostStore, worker: str = "one") -> Challenge:
    """Let a checker take a challenge, and fix its versions."""
    found = store.challenges.claim(worker)
    assert found is not None
    own = store.bots.get(found.team_name).versions[-1].id
    return store.challenges.begin(found.id, own, store.bots.get("house").versions[-1].id, 0.5)


def save(
    store: HostStore, claimed: Challenge, worker: str = "one", *, is_last: bool = False
) -> bool:
    """HostStore the next match of a challenge."""
    assert claimed.version
    assert claimed.rival_version
    record = won_match(claimed.version, claimed.rival_version)
    return store.challenges.save_match(claimed, worker, record, is_last=is_last)


def test_a_challenge_is_played_match_by_match(fresh_db: HostStore) -> None:
    team = team_of(fresh_db, "ann")
    made = add(fresh_db, team, 5)
    assert (made.team_name, made.rival, made.asked_ms, made.state) == ("ann", "house", 5, WAITING)
    assert (made.label, made.version, made.played) == ("", None, 0)
    first = claim(fresh_db)
    assert (first.label, first.rival_label, first.move_s) == ("ann@1", "house@1", 0.5)
    assert save(fresh_db, first)
    new_version(fresh_db, "ann", team, 2)
    second = claim(fresh_db)
    assert (second.label, second.played, second.attempts) == ("ann@1", 1, 1)
    assert save(fresh_db, second, is_last=True)
    done = fresh_db.challenges.get(made.id)
    assert (done.state, done.played) == (PLAYED, 2)
    matches = fresh_db.challenges.matches([made.id])[made.id]
    assert [each.number for each in matches] == [1, 2]
    assert matches[0].record.scores == won_match(1, 2).scores
    assert fresh_db.challenges.claim("one") is None
    with pytest.raises(UnknownRowError, match="no challenge 99"):
        fresh_db.challenges.get(99)


def test_a_match_of_a_challenge_counts_for_nothing(fresh_db: HostStore) -> None:
    before = fresh_db.state()
    add(fresh_db, team_of(fresh_db, "ann"))
    known = fresh_db.state()
    assert save(fresh_db, claim(fresh_db), is_last=True)
    assert fresh_db.state() == known != before
    assert fresh_db.matches.page() == ()
    assert fresh_db.totals.all() == []
    assert fresh_db.standings_basis() is None or fresh_db.results.count([1, 2]) == 0


def test_a_match_is_stored_once(fresh_db: HostStore) -> None:
    add(fresh_db, team_of(fresh_db, "ann"))
    slow = claim(fresh_db, "one")
    assert fresh_db.challenges.claim("two") is None
    assert fresh_db.challenges.requeue(["one"], most=2, message="no") == 1
    again = claim(fresh_db, "two")
    assert again.attempts == 2
    assert not save(fresh_db, slow, "one")
    assert save(fresh_db, again, "two")
    assert not save(fresh_db, again, "two")
    assert len(fresh_db.challenges.matches([slow.id])[slow.id]) == 1


def test_a_match_that_kills_its_checker_is_given_up(fresh_db: HostStore) -> None:
    made = add(fresh_db, team_of(fresh_db, "ann"))
    claim(fresh_db)
    assert fresh_db.challenges.claims() == [("one", made.id, 1)]
    assert fresh_db.challenges.requeue(["two"], most=2, message="no") == 0
    fresh_db.challenges.requeue(["one"], most=2, message="no")
    claim(fresh_db)
    fresh_db.challenges.requeue(["one"], most=2, message="no")
    done = fresh_db.challenges.get(made.id)
    assert (done.state, done.message) == (ChallengeState.FAILED, "no")
    assert fresh_db.challenges.claim("one") is None


def test_what_a_checker_gives_back_is_no_attempt(fresh_db: HostStore) -> None:
    made = add(fresh_db, team_of(fresh_db, "ann"))
    claim(fresh_db)
    fresh_db.challenges.release(["one"])
    claim(fresh_db)
    # A checker that asks again has nothing.
    assert claim(fresh_db).attempts == 1
    fresh_db.challenges.fail(replace(made, attempts=1), "two", "no")
    assert fresh_db.challenges.get(made.id).state is ChallengeState.PLAYING


def test_teams_take_turns_and_what_was_begun_is_finished(fresh_db: HostStore) -> None:
    ann, ben = team_of(fresh_db, "ann"), team_of(fresh_db, "ben")
    first, _, third = (add(fresh_db, each) for each in (ann, ann, ben))
    assert save(fresh_db, claim(fresh_db), is_last=True)
    begun = claim(fresh_db)
    assert begun.id == third.id
    assert save(fresh_db, begun)
    assert claim(fresh_db).id == third.id
    assert [each.id for each in fresh_db.challenges.page(ann)] == [2, first.id]
    assert [each.id for each in fresh_db.challenges.page(limit=1, offset=2)] == [first.id]


def test_submissions_come_first(fresh_db: HostStore) -> None:
    ann, ben = team_of(fresh_db, "ann"), team_of(fresh_db, "ben")
    add(fresh_db, ann)
    wait(fresh_db, ann, SubmissionState.CHECKING)
    assert fresh_db.challenges.claim("one") is None, "its own submission is checked"
    add(fresh_db, ben)
    assert claim(fresh_db).team == ben
    add(fresh_db, ben)
    wait(fresh_db, ann, SubmissionState.RECEIVED)
    assert fresh_db.challenges.claim("two") is None


def test_so_many_a_day(fresh_db: HostStore) -> None:
    ann, ben = team_of(fresh_db, "ann"), team_of(fresh_db, "ben")
    add(fresh_db, ann, 60_000, a_day=2)
    add(fresh_db, ann, 120_000, a_day=2)
    told = (
        "your team has made 2 challenges in 24 hours, as many as this season allows: the next one "
        "is possible at 1970-01-02 00:01 UTC"
    )
    with pytest.raises(RefusedChallengeError, match=told) as caught:
        add(fresh_db, ann, DAY_MS, a_day=2)
    assert caught.value.is_used_up
    add(fresh_db, ben, DAY_MS, a_day=2)
    add(fresh_db, ann, DAY_MS + 60_000, a_day=2)
    assert fresh_db.challenges.count_since(ann, 120_000) == 2


@pytest.mark.slow
def test_old_challenges_go_with_their_matches(fresh_db: HostStore) -> None:
    ann = team_of(fresh_db, "ann")
    for _ in range(3):
        add(fresh_db, ann)
    for _ in range(2):
        assert save(fresh_db, claim(fresh_db), is_last=True)
    for number in range(KEPT):
        add(fresh_db, ann, DAY_MS + number)
    kept = [each.id for each in fresh_db.challenges.page(ann, limit=1000)]
    assert 1 not in kept
    assert 3 in kept, "it waits"
    assert fresh_db.challenges.matches([1]) == {1: ()}


def test_all_that_wait_can_be_ended(fresh_db: HostStore) -> None:
    ann, ben = team_of(fresh_db, "ann"), team_of(fresh_db, "ben")
    fresh_db.challenges.fail_open("closed")
    first, second = add(fresh_db, ann), add(fresh_db, ben)
    claim(fresh_db)
    fresh_db.challenges.fail_open("closed")
    assert fresh_db.challenges.get(first.id).state is ChallengeState.PLAYING
    done = fresh_db.challenges.get(second.id)
    assert (done.state, done.message) == (ChallengeState.FAILED, "closed")
