"""The director: who plays, in which leg, and when the season goes on."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from league.analysis.verify import verify
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import (
    Contender,
    NoticeKind,
    Season,
    SeasonSettings,
    SeasonState,
    SubmissionState,
)
from league.hosting.season.calm import is_calm
from league.hosting.season.director import Decision, DirectorOptions, decide, serve, step
from league.hosting.season.final import make_final
from league.hosting.season.freeze import frozen_path
from league.hosting.season.legs import LegOptions
from league.hosting.season.situation import Faults, GauntletPlan, Leg, Situation, look
from league.hosting.store.host_store import HostStore
from league.model import clock
from league.model.errors import DatabaseError, SetupError
from league.model.records import BotVersion, Isolation
from league.store.rows import TournamentState
from league.store.store import Store
from league.tournament.void import void
from tests.league.hosting.season.teams import (
    CLEVER,
    FAULTY,
    LUCKY,
    add_team,
    change_team,
    league_of,
    lift,
    new_version,
    options,
    season_of,
    team_of,
    wait,
)
from tests.league.in_process import InProcessPool, Script

Known = Mapping[str, Any]
GAUNTLET = GauntletPlan(rival="random", versions=(1, 2), rounds=5)
LEG = Leg(tournament=7, entrants=(1, 2, 3), encounters=10)
TEAMS = tuple(
    Contender(10 + each, f"t{each}", TeamStanding.ACTIVE, ((each, 1),), bot=f"t{each}")
    for each in (1, 2, 3)
)
OPEN = Season(
    1, SeasonSettings(name="S", game="tictactoe"), SeasonState.OPEN, created_at=0, legs=(7,)
)


def situation(season: Season = OPEN, **more: Any) -> Situation:
    usual: dict[str, Any] = {"contenders": TEAMS, "leg": LEG, "names": {}, "failing": {}}
    return Situation(season=season, **usual | more)


def in_state(state: SeasonState, **more: Any) -> Season:
    return replace(OPEN, state=state, **more)


def with_settings(**more: Any) -> Season:
    return replace(OPEN, settings=replace(OPEN.settings, **more))


def standing(number: int, **more: Any) -> tuple[Contender, ...]:
    return tuple(replace(each, **more) if each.team == number else each for each in TEAMS)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (situation(), Decision(play=7)),
        (situation(leg=None), Decision(first=(1, 2, 3))),
        (situation(leg=None, contenders=TEAMS[:1]), Decision()),
        (situation(leg=None, contenders=TEAMS[:1], house=(9,)), Decision(first=(9, 1))),
        (situation(leg=replace(LEG, is_finished=True)), Decision(first=(1, 2, 3))),
        (situation(leg=replace(LEG, is_ending=True)), Decision(play=7)),
        (
            situation(leg=replace(LEG, is_ending=True, entrants=(1, 2), encounters=20_000)),
            Decision(joining=(3,), play=7),
        ),
        (situation(leg=replace(LEG, encounters=20_000)), Decision(ends_leg=True, play=7)),
        (situation(leg=replace(LEG, entrants=(1, 2))), Decision(joining=(3,), play=7)),
        (
            situation(leg=replace(LEG, entrants=(1, 2, 4))),
            Decision(joining=(3,), leaving=(4,), play=7),
        ),
        (situation(leg=replace(LEG, gone=frozenset((2,)))), Decision(ends_leg=True, play=7)),
        (
            situation(contenders=standing(12, standing=TeamStanding.WITHDRAWN)),
            Decision(leaving=(2,), play=7),
        ),
        (
            situation(contenders=standing(12, standing=TeamStanding.DISQUALIFIED)),
            Decision(leaving=(2,), play=7),
        ),
        (situation(failing={12: "late"}), Decision(suspended={12: "late"}, play=7)),
        (situation(in_state(SeasonState.PAUSED)), Decision()),
        (situation(with_settings(closes_at=101)), Decision(play=7)),
        (
            situation(with_settings(closes_at=100)),
            Decision(state=SeasonState.CLOSED, play=7),
        ),
        (situation(in_state(SeasonState.CLOSED), undecided=1), Decision(play=7)),
        (situation(in_state(SeasonState.CLOSED)), Decision(ends_leg=True, play=7)),
        (
            situation(in_state(SeasonState.CLOSED), leg=replace(LEG, is_finished=True)),
            Decision(makes_final=True, state=SeasonState.FINAL),
        ),
        (situation(in_state(SeasonState.FINAL, final=8)), Decision(play=8)),
        (
            situation(in_state(SeasonState.FINAL, final=8), is_final_over=True),
            Decision(state=SeasonState.FINISHED),
        ),
        (situation(in_state(SeasonState.FINAL)), Decision(state=SeasonState.FINISHED)),
        (situation(in_state(SeasonState.FINISHED)), Decision(state=SeasonState.PUBLISHED)),
        # Nothing was played: the organiser may take submissions again.
        (situation(in_state(SeasonState.FINISHED, legs=()), leg=None), Decision()),
        *(
            (
                situation(in_state(state, final=8), is_final_over=True, lacking=(GAUNTLET,)),
                Decision(gauntlets=(GAUNTLET,)),
            )
            for state in (SeasonState.FINAL, SeasonState.FINISHED, SeasonState.PUBLISHED)
        ),
        (
            situation(in_state(SeasonState.FINAL, final=8), lacking=(GAUNTLET,)),
            Decision(play=8),
        ),
        (
            situation(
                replace(with_settings(is_published_at_once=False), state=SeasonState.FINISHED)
            ),
            Decision(),
        ),
        (situation(in_state(SeasonState.PUBLISHED)), Decision()),
        (situation(reopened=6), Decision(play=6)),
        (situation(in_state(SeasonState.PAUSED), reopened=6), Decision()),
        (
            situation(reopened=6, leg=replace(LEG, encounters=20_000)),
            Decision(ends_leg=True, play=7),
        ),
        (
            situation(in_state(SeasonState.CLOSED), reopened=6, leg=replace(LEG, is_finished=True)),
            Decision(play=6),
        ),
        (
            situation(in_state(SeasonState.FINAL, final=8), is_final_over=True, reopened=7),
            Decision(play=7),
        ),
        (situation(in_state(SeasonState.FINISHED, final=8)), Decision(state=SeasonState.FINAL)),
        (situation(in_state(SeasonState.PUBLISHED, final=8)), Decision(state=SeasonState.FINAL)),
    ],
)
def test_a_situation_has_one_next_step(found: Situation, expected: Decision) -> None:
    assert decide(found, 100.0) == expected


def test_the_newest_versions_play_and_those_that_failed_do_not() -> None:
    team = Contender(1, "t", TeamStanding.ACTIVE, ((4, 1), (5, 2), (6, 3)), bot="t")
    assert team.active(2) == (5, 6)
    assert team.active(9) == (4, 5, 6)
    assert replace(team, failed_version=5).active(2) == (6,)
    # The same code again is no other version.
    assert replace(team, failed_version=6).active(2) == (6,)
    assert replace(team, standing=TeamStanding.SUSPENDED).active(2) == ()
    assert (team.for_final, replace(team, chosen_version=4).for_final) == (6, 4)
    assert replace(team, chosen_version=99).for_final == 6


def until(
    store: HostStore, done: Callable[[], bool], scripts: dict[str, Script], **more: Any
) -> None:
    """Play the season until something is so."""
    steps = 0

    def is_over() -> bool:
        nonlocal steps
        steps += 1
        assert steps < 5_000, "the season does not come to that"
        return done()

    serve(store, options(scripts, is_over=is_over, **more))


def played(store: HostStore) -> int:
    return sum(row.played for row in store.tournaments.all())


@pytest.mark.slow
def test_a_season_from_its_first_match_to_its_results(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": CLEVER, "two": LUCKY, "three": LUCKY}
    season = season_of(store, house_bots=("random",), final_rounds=1)
    assert step(store, 0.0) == Decision()
    one = team_of(store, "one")
    until(store, lambda: played(store) > 40, scripts)
    team_of(store, "two")
    (leg,) = store.seasons.get().legs  # type: ignore[union-attr]
    until(store, lambda: len(store.tournaments.get(leg).config.entrants) == 3, scripts)
    config = store.tournaments.get(leg).config
    assert len(config.entrants) == 3
    assert config.joined[-1] > 0
    assert config.format == "season:explored=0.2,least=4"
    # A new version takes the place of the one before, with its rating.
    second = new_version(store, "one", one, 2)
    until(store, lambda: second in store.tournaments.get(leg).config.entrants, scripts)
    config = store.tournaments.get(leg).config
    assert len(config.withdrawn) == 1
    assert len(config.starting_ratings) == 4
    assert config.starting_ratings[:3] == (0, 0, 0)
    assert config.starting_ratings[3]
    # The deadline: a submission received before it is still awaited, and what it became plays.
    late = add_team(store, "three")
    wait(store, late, SubmissionState.CHECKING)
    store.seasons.update(season.id, settings=replace(season.settings, closes_at=1))
    until(store, lambda: store.seasons.get().state is SeasonState.CLOSED, scripts)  # type: ignore[union-attr]
    before = played(store)
    until(store, lambda: played(store) > before + 20, scripts)
    assert store.tournaments.get(leg).state is TournamentState.OPEN
    new_version(store, "three", late)
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE submission SET state = 'playing'")
    until(store, lambda: store.seasons.get().state is SeasonState.PUBLISHED, scripts)  # type: ignore[union-attr]
    found = store.seasons.get()
    assert found is not None
    assert store.tournaments.get(leg).state is TournamentState.FINISHED
    assert found.closed_at
    assert found.published_at
    final = store.tournaments.get(found.final or 0)
    assert final.state is TournamentState.FINISHED
    assert store.bots.entrant_names(final.config.entrants) == ("one", "three", "two")
    assert second in final.config.entrants
    told = [each.text for each in store.notices.page()]
    assert told == [
        "The results of Test are published.",
        f"The final of Test is in play: tournament {final.id}.",
        "Submissions to Test are closed.",
    ]
    # Each says what holds until the next one.
    assert [each.text for each in store.notices.page(at=clock.now() + 1)] == told[:1]
    assert step(store, 0.0) == Decision()


@pytest.mark.slow
def test_a_bot_that_fails_again_and_again_is_suspended_and_comes_back(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": LUCKY, "two": LUCKY, "bad": FAULTY}
    season_of(store, suspended_after=5, active_versions=2)
    teams = {name: team_of(store, name) for name in scripts}
    bad = teams["bad"]

    def state() -> TeamStanding:
        return next(each.standing for each in store.seasons.contenders() if each.team == bad)

    until(store, lambda: state() is TeamStanding.SUSPENDED, scripts)
    (notice,) = store.notices.page([bad])
    assert notice.kind is NoticeKind.SUSPENSION
    assert "bad@1 failed in " in notice.text
    assert "illegal move" in notice.text
    assert store.notices.page([teams["one"]]) == ()
    leg = store.tournaments.get(1)
    until(store, lambda: played(store) > leg.played + 40, scripts)
    assert len(store.tournaments.get(1).config.withdrawn) == 1
    # A new version lifts it; neither the old faults nor the old version count.
    scripts["bad"] = LUCKY
    second = new_version(store, "bad", bad, 2)
    lift(store, bad)
    before = played(store)
    until(store, lambda: played(store) > before + 40, scripts)
    assert state() is TeamStanding.ACTIVE
    assert second in store.tournaments.get(1).config.entrants
    assert len(store.notices.page([bad])) == 1


def test_a_bot_of_another_game_waits_for_a_submission(fresh_db: HostStore) -> None:
    store = fresh_db
    season_of(store)
    team_of(store, "one")
    other = team_of(store, "other")
    version = BotVersion("other", "bot.py:Bot", files={"bot.py": b"# 2"}, digest="f" * 64)
    store.bots.register(version, ["connectfour"])
    step(store, 0.0, DirectorOptions(isolation=Isolation.LIMITS))
    (notice,) = store.notices.page([other])
    told = "'other' is registered for connectfour, not for tictactoe. Submit a new version"
    assert told in notice.text.replace("other@2", "other")


@pytest.mark.slow
def test_a_long_leg_is_followed_by_another_that_knows_its_ratings(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": LUCKY, "two": LUCKY, "bad": FAULTY}
    season_of(store, suspended_after=0, leg_encounters=30)
    for name in scripts:
        team_of(store, name)
    until(store, lambda: len(store.seasons.get().legs) == 3, scripts)  # type: ignore[union-attr]
    rows = store.tournaments.all()
    assert [row.state for row in rows[:2]] == [TournamentState.FINISHED] * 2
    assert all(row.played >= 60 for row in rows[:2])
    assert rows[0].config.starting_ratings == ()
    entrants, believed = rows[2].config.entrants, rows[2].config.starting_ratings
    labels = store.bots.labels(entrants)
    elo = {labels[who].bot: each for who, each in zip(entrants, believed, strict=True)}
    assert elo["bad"] < min(elo["one"], elo["two"]) - 100


@pytest.mark.slow
def test_a_bot_that_no_tournament_takes_keeps_nobody_waiting(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": LUCKY, "two": LUCKY}
    season_of(store)
    for name in scripts:
        team_of(store, name)
    gone = team_of(store, "gone")
    store.bots.retire("gone")
    until(store, lambda: played(store) > 20, scripts)
    (notice,) = store.notices.page([gone])
    assert "bot 'gone@1' is retired" in notice.text or "bot 'gone' is retired" in notice.text


@pytest.mark.slow
def test_a_paused_season_plays_nothing_until_it_goes_on(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": LUCKY, "two": LUCKY}
    season = season_of(store)
    for name in scripts:
        team_of(store, name)
    until(store, lambda: played(store) > 20, scripts)
    store.seasons.update(season.id, state=SeasonState.PAUSED)
    before, steps = played(store), []
    until(store, lambda: steps.append(1) or len(steps) > 20, scripts)  # type: ignore[func-returns-value]
    assert played(store) == before
    store.seasons.update(season.id, state=SeasonState.OPEN)
    reasons = ["the disk is full"] * 5
    beats: list[Mapping[str, Any]] = []
    until(
        store,
        lambda: played(store) > before + 20,
        scripts,
        hindrance=lambda: reasons.pop() if reasons else "",
        beat=beats.append,
    )
    assert [each for each in beats if each.get("trouble") == "the disk is full"]


@contextmanager
def refusing(store: Store, change: str) -> Iterator[None]:
    """Let the database refuse a change, so that a step ends just before it, as by a kill."""
    with store.writing() as connection:
        connection.exec_driver_sql(
            f"CREATE TRIGGER refuses BEFORE {change} BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    yield
    with store.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER refuses")


@pytest.mark.slow
def test_a_step_that_is_cut_off_leaves_no_tournament_behind(tmp_path: Path) -> None:
    with league_of(tmp_path / "league.db") as store:
        season = season_of(store)
        for name in ("one", "two"):
            team_of(store, name)
        found = DirectorOptions(isolation=Isolation.LIMITS)
        with refusing(store, "INSERT ON season_leg"), pytest.raises(DatabaseError):
            step(store, 0.0, found)
        assert store.tournaments.all() == ()
        step(store, 0.0, found)
        (leg,) = store.tournaments.all()
        store.tournaments.cancel(leg.id)
        store.seasons.update(season.id, state=SeasonState.CLOSED)
        with refusing(store, "UPDATE OF final_id ON season"), pytest.raises(DatabaseError):
            step(store, 0.0, found)
        assert store.tournaments.all() == (store.tournaments.get(leg.id),)
        assert store.seasons.get() == replace(season, state=SeasonState.CLOSED, legs=(leg.id,))
        step(store, 0.0, found)
        _, final = store.tournaments.all()
        assert store.seasons.get().final == final.id  # type: ignore[union-attr]


def test_a_season_that_is_opened_meanwhile_begins_no_final(fresh_db: HostStore) -> None:
    season = season_of(fresh_db)
    for name in ("one", "two"):
        team_of(fresh_db, name)
    closed = replace(season, state=SeasonState.CLOSED)
    options = LegOptions(Isolation.LIMITS)
    assert make_final(fresh_db, look(fresh_db, closed, Faults()), options) is None
    assert fresh_db.tournaments.all() == ()
    assert fresh_db.seasons.get() == season


@pytest.mark.slow
def test_void_matches_of_legs_and_of_the_final_are_played_again(tmp_path: Path) -> None:
    with league_of(tmp_path / "league.db") as store:
        season_of(store, leg_encounters=4, final_rounds=1, final_format="roundrobin")
        for name in ("one", "two"):
            team_of(store, name)
        scripts = {"one": LUCKY, "two": CLEVER}

        def play_until(is_reached: Callable[[], bool]) -> None:
            serve(store, options(scripts, is_over=is_reached))

        def now() -> Season:
            found = store.seasons.get()
            assert found is not None
            return found

        play_until(lambda: len(now().legs) >= 3)
        first = now().legs[0]
        played = store.tournaments.get(first).played
        _, choice = void(store, store.matches.numbers(first)[:1], "a bug")
        assert store.tournaments.get(first).played == played - len(choice.matches)
        play_until(lambda: store.tournaments.get(first).is_finished)
        assert store.tournaments.get(first).played == played
        store.seasons.advance(now(), SeasonState.CLOSED)
        play_until(lambda: now().state is SeasonState.PUBLISHED)
        final = now().final
        assert final is not None
        newest = [each for each in now().legs if store.matches.numbers(each)][-1]
        for tournament in (final, newest):
            void(store, store.matches.numbers(tournament)[:1], "a bug")
        assert not store.tournaments.get(final).is_finished
        play_until(lambda: now().state is SeasonState.FINAL)
        play_until(lambda: now().state is SeasonState.PUBLISHED)
        assert store.tournaments.get(final).is_finished
        assert store.tournaments.get(newest).is_finished
        assert verify(store)[1] == []


@pytest.mark.slow
def test_faults_in_void_matches_count_no_more(tmp_path: Path) -> None:
    with league_of(tmp_path / "league.db") as store:
        season = season_of(store, suspended_after=3)
        team, _ = team_of(store, "bad"), team_of(store, "good")
        scripts = {"bad": FAULTY, "good": LUCKY}

        def is_suspended() -> bool:
            return store.people.team(team).standing is TeamStanding.SUSPENDED

        serve(store, options(scripts, is_over=is_suspended))
        found = store.seasons.get()
        assert found is not None
        faults, version = Faults(), store.bots.get("bad").versions[0].id
        look(store, found, faults)
        assert len(faults.in_a_row(version, 0)) >= 3
        void(store, store.matches.numbers(), "the referee was wrong")
        look(store, found, faults)
        assert faults.in_a_row(version, 0) == []
        assert season.id == found.id


@pytest.mark.slow
def test_trouble_is_told_until_matches_are_played_again(tmp_path: Path) -> None:
    scripts = {"one": LUCKY, "two": LUCKY}
    away = [SetupError("no scheduler answers")] * 2

    def open_pool(size: int) -> InProcessPool:
        if away:
            raise away.pop()
        return InProcessPool(size, scripts)

    beats: list[Mapping[str, Any]] = []
    with league_of(tmp_path / "league.db") as store:
        season_of(store)
        for name in scripts:
            team_of(store, name)
        until(store, lambda: played(store) > 40, scripts, open_pool=open_pool, beat=beats.append)
    assert "no scheduler answers" in [each.get("trouble") for each in beats]
    assert beats[-1]["played"] > 0
    assert "trouble" not in beats[-1]


@pytest.mark.slow
def test_a_team_that_comes_back_begins_a_new_leg(fresh_db: HostStore) -> None:
    store, scripts = fresh_db, {"one": LUCKY, "two": LUCKY, "three": LUCKY}
    season_of(store)
    teams = [team_of(store, name) for name in scripts]
    until(store, lambda: played(store) > 20, scripts)
    change_team(store, teams[0], standing="withdrawn")
    until(store, lambda: bool(store.tournaments.get(1).config.withdrawn), scripts)
    lift(store, teams[0])
    until(store, lambda: len(store.tournaments.all()) == 2, scripts)
    assert store.tournaments.get(1).state is TournamentState.FINISHED
    assert len(store.tournaments.get(2).config.entrants) == 3


def test_the_standings_are_frozen_by_the_step_that_is_due(
    fresh_db: HostStore, tmp_path: Path
) -> None:
    season = season_of(fresh_db, closes_at=1000, freeze_s=100)
    path = frozen_path(fresh_db, season, tmp_path)
    with chdir(tmp_path):
        step(fresh_db, 899.0)
        assert not path.exists()
        step(fresh_db, 900.0)
    assert path.exists()


@pytest.mark.slow
def test_a_season_that_has_learnt_enough_rests_until_a_bot_comes(tmp_path: Path) -> None:
    store, scripts = league_of(tmp_path / "league.db"), {"one": LUCKY, "two": LUCKY, "new": LUCKY}
    season_of(store, calm_elo=1000.0)
    for name in ("one", "two"):
        team_of(store, name)
    calm: list[int] = []
    came: list[int] = []

    def beat(state: Known) -> None:
        if "calm" in state:
            calm.append(played(store))

    def done() -> bool:
        if len(calm) > 20 and not came:
            came.append(played(store))
            team_of(store, "new")
        return bool(came) and played(store) > came[0]

    until(store, done, scripts, beat=beat, calm_look_s=0.0)
    # Nothing was played while the season was calm, for all that nothing else was to be done.
    assert set(calm) == {came[0]}
    (leg,) = store.seasons.get().legs  # type: ignore[union-attr]
    assert len(store.tournaments.get(leg).config.entrants) == 3


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (situation(with_settings(calm_elo=15.0)), False),
        (situation(with_settings(calm_elo=15.0), contenders=()), True),
        (situation(with_settings(calm_elo=0.0), contenders=()), False),
        (situation(with_settings(calm_elo=15.0), contenders=(), undecided=1), False),
        (situation(in_state(SeasonState.CLOSED), contenders=()), False),
    ],
)
def test_a_season_is_calm_if_every_bot_has_a_small_bar(
    tmp_path: Path, found: Situation, expected: bool
) -> None:
    assert is_calm(league_of(tmp_path / "league.db"), found) is expected
