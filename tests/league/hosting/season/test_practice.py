"""Challenges: who may ask for which, and how they are played."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from league.hosting.model.errors import RefusedChallengeError
from league.hosting.model.people import Person, TeamStanding
from league.hosting.model.season import Challenge, ChallengeState, Season, SeasonState
from league.hosting.season.practice import (
    ask,
    keep_match,
    play_next,
    points_of,
    replay_of,
    rivals_of,
)
from league.hosting.season.room import set_shortage
from league.hosting.store.challenges import ChallengeTable
from league.hosting.store.host_store import HostStore
from league.model.errors import SetupError, UnavailableError, UnknownRowError
from league.model.records import Isolation, MatchRecord, MoveRecord, ReportRecord, Termination
from league.seats.process.environment import BotEnvironment
from league.seats.seat import Seat
from tests.league.hosting.season.hosting import add_author
from tests.league.hosting.season.teams import (
    CLEVER,
    FAULTY,
    change_team,
    new_version,
    season_of,
    wait,
)
from tests.league.in_process import InProcessSeat, Script

PLAYED, FAILED, WAITING = ChallengeState.PLAYED, ChallengeState.FAILED, ChallengeState.WAITING


def author(store: HostStore, name: str) -> Person:
    """Add an author, whose team has a bot."""
    found = add_author(store, name)
    assert found.team is not None
    new_version(store, name, found.team)
    return found


def playing(**scripts: Script) -> Callable[..., Seat]:
    """Return what makes seats without processes."""

    def make(version: Any, limits: Any, environment: BotEnvironment) -> Seat:
        return InProcessSeat(version, scripts.get(version.name, CLEVER))

    return make


def step(store: HostStore, season: Season, **scripts: Script) -> Challenge | None:
    """Play the next match of a challenge."""
    return play_next(store, season, isolation=Isolation.LIMITS, make=playing(**scripts))


def refused(store: HostStore, season: Season | None, person: Person | None, at_ms: int = 1) -> str:
    """Return why a challenge of the bot `ben` is refused."""
    with pytest.raises(RefusedChallengeError) as caught:
        ask(store, season, person, "ben", at_ms)
    assert store.challenges.page() == []
    return str(caught.value)


def test_two_matches_are_played_with_both_seats(fresh_db: HostStore) -> None:
    season = season_of(fresh_db, move_s=0.25)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    made = ask(fresh_db, season, ann, "BEN", 1)
    assert made.state is WAITING
    first = step(fresh_db, season, ben=FAULTY)
    assert first is not None
    assert (first.played, first.label, first.rival_label) == (1, "ann@1", "ben@1")
    done = step(fresh_db, season, ben=FAULTY)
    assert done is not None
    assert (done.state, done.played, done.move_s) == (PLAYED, 2, 0.25)
    matches = fresh_db.challenges.matches([made.id])[made.id]
    own, rival = done.version, done.rival_version
    assert [each.record.versions for each in matches] == [(own, rival), (rival, own)]
    assert len({each.record.opening for each in matches}) == 1
    assert [points_of(done, each) for each in matches] == [1.0, 1.0]
    replay = replay_of(fresh_db, done, matches[1])
    assert replay.names == ("ben", "ann")
    assert replay.row.termination is Termination.ILLEGAL_MOVE
    assert len(replay.frames) == replay.plies + 1
    assert fresh_db.matches.page() == ()
    assert step(fresh_db, season) is None


def test_it_is_played_by_the_version_that_is_newest_then(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    assert ann.team is not None
    ask(fresh_db, season, ann, "ben", 1)
    wait(fresh_db, ann.team, "received")
    assert step(fresh_db, season) is None, "its submission is checked first"
    with fresh_db.writing() as connection:
        connection.exec_driver_sql("UPDATE submission SET state = 'playing'")
    new_version(fresh_db, "ann", ann.team, 2)
    found = step(fresh_db, season)
    assert found is not None
    assert found.label == "ann@2"


def test_who_may_ask(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    assert ann.team is not None
    assert refused(fresh_db, season, None) == "sign in to challenge a bot"
    assert "you belong to no team" in refused(fresh_db, season, replace(ann, team=None))
    assert "submissions are closed" in refused(fresh_db, None, ann)
    closed = replace(season, settings=replace(season.settings, closes_at=1))
    assert "submissions are closed" in refused(fresh_db, closed, ann, 1000)
    final = replace(season, state=SeasonState.FINAL)
    assert "submissions are closed" in refused(fresh_db, final, ann)
    off = replace(season, settings=replace(season.settings, challenges_per_day=0))
    assert refused(fresh_db, off, ann) == "challenges are turned off in this season"
    new = add_author(fresh_db, "new")
    assert refused(fresh_db, season, new) == "your team has no bot yet: submit one first"
    assert new.team is not None
    wait(fresh_db, new.team, "received")
    assert ask(fresh_db, season, new, "ben", 1).team == new.team


def test_a_team_that_does_not_play_challenges_nobody(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    assert ann.team is not None
    change_team(fresh_db, ann.team, standing=str(TeamStanding.SUSPENDED))
    assert refused(fresh_db, season, ann) == "team 'ann' is suspended: its bot does not play"
    set_shortage(fresh_db, True)
    assert "disk is nearly full" in refused(fresh_db, season, ann)


def test_which_bots_can_be_challenged(fresh_db: HostStore) -> None:
    season = season_of(fresh_db, house_bots=("house", "random"))
    ann, ben = author(fresh_db, "ann"), author(fresh_db, "ben")
    new_version(fresh_db, "house", 0)
    new_version(fresh_db, "other", 99)
    assert ben.team is not None
    assert sorted(rivals_of(fresh_db, season, 1)) == ["ann", "ben", "house"]
    with pytest.raises(UnknownRowError, match=r"no bot 'hose' .*did you mean 'house'\?"):
        ask(fresh_db, season, ann, "hose", 1)
    with pytest.raises(UnknownRowError, match=r"no bot 'other' .*known: ann, ben, house"):
        ask(fresh_db, season, ann, "other", 1)
    with pytest.raises(SetupError, match="'ann' is your own bot"):
        ask(fresh_db, season, ann, "ann", 1)
    change_team(fresh_db, ben.team, standing=str(TeamStanding.WITHDRAWN))
    assert sorted(rivals_of(fresh_db, season, 1)) == ["ann", "house"]


def test_frozen_standings_leave_the_house_bots_alone(fresh_db: HostStore) -> None:
    season = season_of(fresh_db, house_bots=("house",), closes_at=1000, freeze_s=10)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    new_version(fresh_db, "house", 0)
    assert ask(fresh_db, season, ann, "ben", 989_000).rival == "ben"
    with pytest.raises(UnknownRowError, match="the standings are frozen, so only house bots"):
        ask(fresh_db, season, ann, "ben", 990_000)
    assert ask(fresh_db, season, ann, "house", 990_000).rival == "house"


def test_no_match_begins_while_none_may(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    made = ask(fresh_db, season, ann, "ben", 1)
    assert step(fresh_db, replace(season, state=SeasonState.PAUSED)) is None
    set_shortage(fresh_db, True)
    assert step(fresh_db, season) is None
    set_shortage(fresh_db, False)
    assert fresh_db.challenges.get(made.id).state is WAITING
    assert step(fresh_db, replace(season, state=SeasonState.CLOSED)) is None
    done = fresh_db.challenges.get(made.id)
    assert (done.state, done.message) == (
        FAILED,
        "submissions are closed, and with them challenges",
    )


def test_a_rival_that_has_gone_ends_the_challenge(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    ann, ben = author(fresh_db, "ann"), author(fresh_db, "ben")
    assert ben.team is not None
    ask(fresh_db, season, ann, "ben", 1)
    change_team(fresh_db, ben.team, standing=str(TeamStanding.DISQUALIFIED))
    done = step(fresh_db, season)
    assert done is not None
    assert (done.state, done.message) == (FAILED, "'ben' does not play any more")


def test_what_the_league_fails_at_is_tried_again_and_then_told(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    ask(fresh_db, season, ann, "ben", 1)
    no_process = Script(start=OSError("no more processes at /srv"))
    first = step(fresh_db, season, ben=no_process)
    assert first is not None
    assert not first.state.is_decided
    done = step(fresh_db, season, ben=no_process)
    assert done is not None
    assert (done.state, done.played) == (FAILED, 0)
    assert "ask the organiser" in done.message
    assert "/srv" not in done.message


def test_without_the_database_it_waits_as_before(
    fresh_db: HostStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = season_of(fresh_db)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    made = ask(fresh_db, season, ann, "ben", 1)

    def away(*_: object, **__: object) -> None:
        raise UnavailableError("away", "")

    with monkeypatch.context() as patched:
        patched.setattr(ChallengeTable, "save_match", away)
        with pytest.raises(UnavailableError):
            step(fresh_db, season)
    found = fresh_db.challenges.get(made.id)
    assert (found.attempts, found.played, fresh_db.challenges.claims()) == (0, 0, [])


def test_the_record_has_nothing_of_the_rival_that_its_team_alone_sees(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    ann, _ = author(fresh_db, "ann"), author(fresh_db, "ben")
    made = ask(fresh_db, season, ann, "ben", 1)
    claimed = fresh_db.challenges.claim("one")
    assert claimed is not None
    own, rival = fresh_db.bots.get("ann").versions[0].id, fresh_db.bots.get("ben").versions[0].id
    claimed = fresh_db.challenges.begin(claimed.id, own, rival, 0.1)
    moves = tuple(
        MoveRecord(move, report=ReportRecord(depth=2, text=f"secret of {move % 2}"))
        for move in (0, 1, 2, 3)
    )
    record = MatchRecord(
        game="tictactoe",
        versions=(own, rival),
        seed=1,
        opening=(),
        moves=moves,
        scores=(1.0, 0.0),
        termination=Termination.CRASH,
        fault_seat=1,
        detail="crashed in secret.py",
        log="secret log",
    )
    assert keep_match(fresh_db, claimed, "one", record, is_last=True)
    ((match,),) = fresh_db.challenges.matches([made.id]).values()
    told = [each.report.text for each in match.record.moves if each.report]
    assert told == ["secret of 0", "", "secret of 0", ""]
    assert "secret" not in match.record.log + match.record.detail
