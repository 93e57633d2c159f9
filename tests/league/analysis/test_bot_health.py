"""How bots fare as programs, by records made by hand."""

from dataclasses import replace
from typing import Any

import pytest

from games.support.moves import encode_move
from games.support.specs import find_game
from league.analysis.bot_health import Health, health, play_lines
from league.analysis.sentences import faults_told
from league.analysis.told_lines import ToldLines
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import to_dict
from league.model.errors import DatabaseError
from league.model.records import (
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    MoveRecord,
    ReportRecord,
    Termination,
    TournamentConfig,
)
from league.render.text.health import health_blocks
from league.store.store import Store
from tests.league.matches import add_tournament, save_encounter

GAME = "connectfour"
MS = 1_000_000


def save(store: Store, limits: Limits, *records: MatchRecord, **config: object) -> int:
    """Store a tournament of the first two bots with these matches."""
    asked = TournamentConfig(
        game=GAME, entrants=(1, 2), rounds=9, seed=1, opening_plies=2, limits=limits
    )
    asked = replace(asked, **config)  # type: ignore[arg-type]  # a test's own
    number = store.tournaments.add(asked, len(records))
    batch = [(MatchKey(encounter, 0), record) for encounter, record in enumerate(records)]
    store.matches.save(number, batch)
    return number


def match(*moves: MoveRecord, **changed: object) -> MatchRecord:
    """Return a match of a against b, after an opening of one ply, so that b is asked first."""
    record = MatchRecord(
        game=GAME,
        versions=(1, 2),
        seed=1,
        opening=(3,),
        moves=moves,
        scores=(1.0, 0.0),
        termination=Termination.RULES,
    )
    return replace(record, **changed)  # type: ignore[arg-type]  # a test's own


def of(found: list[Health], bot: str) -> Health:
    return next(each for each in found if str(each.bot) == bot)


def test_every_figure_by_hand(store: Store) -> None:
    told = [ReportRecord(depth=depth, nodes=1000 * depth) for depth in (2, 4, 6)]
    save(
        store,
        Limits(move_s=0.05),
        match(
            MoveRecord(0, wall_ns=10 * MS, cpu_ns=5 * MS),
            MoveRecord(1, wall_ns=20 * MS, cpu_ns=20 * MS, over_ns=0, report=told[0]),
            MoveRecord(2, wall_ns=60 * MS, cpu_ns=6 * MS, over_ns=10 * MS),
            MoveRecord(3, wall_ns=40 * MS, cpu_ns=40 * MS, over_ns=0, report=told[1]),
            MoveRecord(4, wall_ns=30 * MS, cpu_ns=None),
            MoveRecord(5, wall_ns=30 * MS, cpu_ns=None, over_ns=0, report=told[2]),
        ),
    )
    found = health(store, GAME)
    a, b = of(found, "a"), of(found, "b")
    assert [len(found), a.matches, len(a.moves), len(b.moves)] == [2, 1, 3, 3]
    assert (a.wall_s, a.wall_p99_s) == (0.030, 0.040)
    assert (a.slack_s, a.slack_least_s) == pytest.approx((0.020, 0.010))
    assert (b.slack_s, b.slack_least_s) == pytest.approx((0.020, -0.010))
    assert (a.cpu_share, b.cpu_share) == pytest.approx((1.0, 11 / 70))
    assert a.nodes_a_second == pytest.approx(12_000 / 0.090)
    assert (a.depth, b.depth, b.nodes_a_second) == (4, None, None)
    assert (a.silent, b.silent) == (0, 3)
    assert (b.late, b.starved, a.late) == (1, 1, 0)
    # The opening is a ply too: a moves at the third, the fifth and the seventh.
    assert [(each.first, each.last, each.moves, each.depth) for each in a.depths()] == [
        (3, 4, 1, 2),
        (5, 6, 1, 4),
        (7, 8, 1, 6),
    ]
    assert to_dict(document_of(a))["wall_s"] == 0.03


def test_the_time_that_ninety_nine_of_a_hundred_keep_within(store: Store) -> None:
    save(
        store, Limits(depth=3), *(match(MoveRecord(0, wall_ns=each * MS)) for each in range(1, 201))
    )
    b = of(health(store, GAME), "b")
    assert b.wall_p99_s == pytest.approx(0.198)
    assert b.wall_s == pytest.approx(0.1005)
    assert (b.slack_s, b.slack_least_s) == (None, None)


def test_forfeits_by_kind_are_of_whoever_failed(store: Store) -> None:
    crash = match(termination=Termination.CRASH, fault_seat=1)
    late = match(
        termination=Termination.TIME_FORFEIT,
        fault_seat=1,
        fault_wall_ns=100 * MS,
        fault_cpu_ns=10 * MS,
    )
    gave_up = match(termination=Termination.RESIGNATION, fault_seat=0)
    save(store, Limits(move_s=0.05), crash, late, late, gave_up)
    a, b = (of(health(store, GAME), name) for name in "ab")
    assert b.forfeits == {Termination.CRASH: 1, Termination.TIME_FORFEIT: 2}
    assert faults_told(b.forfeits) == "1 crash, 2 time forfeits"
    assert faults_told({Termination.CRASH: 2}) == "2 crashes"
    assert (b.starved, a.starved, a.forfeits.total()) == (2, 0, 0)
    assert (a.wall_s, a.wall_p99_s, a.cpu_share) == (None, None, None)
    # A move that lost on time is no move, but it is the slowest.
    assert (b.wall_s, b.wall_p99_s, b.slack_s) == (None, 0.1, None)
    assert b.slack_least_s == pytest.approx(-0.05)


def test_slack_is_what_the_clock_had_less_what_the_move_took(store: Store) -> None:
    record = match(
        MoveRecord(0, wall_ns=300 * MS),
        MoveRecord(1, wall_ns=100 * MS),
        MoveRecord(2, wall_ns=500 * MS),
        MoveRecord(3, wall_ns=0),
    )
    # One second and a tenth after each move; a has twice that.
    save(store, Limits(time="1+0.1"), record, handicaps=(2.0, 1.0))
    a, b = (of(health(store, GAME), name) for name in "ab")
    assert [each.slack_s for each in b.moves] == pytest.approx([0.7, 0.3])
    assert [each.slack_s for each in a.moves] == pytest.approx([1.9, 2.1])


def test_each_bot_by_its_newest_matches(store: Store) -> None:
    number = add_tournament(store, 1, 2, 3)
    for encounter in range(3):
        save_encounter(store, number, encounter, (1, 2), "WW")
    save_encounter(store, number, 9, (3, 2), "WW")
    found = health(store, GAME, matches=2)
    assert {str(each.bot): each.matches for each in found} == {"a": 2, "b": 2, "c": 2}
    assert [str(each.bot) for each in health(store, GAME, bots=[store.bots.get("c")])] == ["c"]
    assert health(store, GAME, bots=[store.bots.get("d")]) == []
    assert health(store, "othello") == []


def test_all_matches_are_counted_without_a_look_at_any_record(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = add_tournament(store, 1, 2, 3)
    for encounter in range(3):
        save_encounter(store, number, encounter, (1, 2), "WW")
    crash: dict[str, Any] = {"termination": Termination.CRASH, "fault_seat": 1}
    save_encounter(store, number, 3, (1, 2), "W", **crash)
    save_encounter(store, number, 4, (3, 2), "W", **crash)
    late: dict[str, Any] = {"termination": Termination.TIME_FORFEIT, "fault_seat": 0}
    save_encounter(store, number, 5, (2, 1), "L", **late)
    # A resignation is no fault.
    save_encounter(store, number, 6, (2, 1), "L", termination=Termination.RESIGNATION, fault_seat=0)
    read: list[object] = []
    monkeypatch.setattr(store.results, "records", read.append)
    found = health(store, GAME, matches=0)
    assert {str(each.bot): each.matches for each in found} == {"a": 9, "b": 10, "c": 1}
    assert [dict(each.forfeits) for each in found] == [
        {},
        {Termination.CRASH: 2, Termination.TIME_FORFEIT: 1},
        {},
    ]
    assert [each.moves for each in found] == [[], [], []]
    assert len(health(store, GAME, tournament=number, matches=0)) == 3
    assert health(store, "othello", matches=0) == []
    assert read == []


def test_the_newest_version_that_played_or_all(store: Store) -> None:
    second, _ = (
        store.bots.register(BotVersion("a", "random", digest=digest)).id for digest in ("2", "3")
    )
    number = add_tournament(store, 1, 2, second)
    save_encounter(store, number, 0, (1, 2), "WW")
    save_encounter(store, number, 1, (second, 2), "WW")
    assert [str(each.bot) for each in health(store, GAME)] == ["a v2", "b"]
    every = health(store, GAME, is_all_versions=True)
    assert sorted(str(each.bot) for each in every) == ["a", "a v2", "b"]


def test_luck_is_nobodys_move(store: Store) -> None:
    game = "tree?file=chance"
    config = TournamentConfig(
        game=game, entrants=(1, 2), rounds=1, seed=1, opening_plies=0, limits=Limits(time="10+1")
    )
    number = store.tournaments.add(config, 1)
    state, asked = find_game(game).initial(), 0
    moves: list[MoveRecord] = []
    while state.outcome() is None:
        move = (state.legal_moves() or [each for each, _ in state.chance()])[0]
        asked += state.to_move >= 0
        moves.append(MoveRecord(encode_move(state, move), wall_ns=MS))
        state = state.play(move)
    record = MatchRecord(
        game=game,
        versions=(1, 2),
        seed=1,
        opening=(),
        moves=tuple(moves),
        scores=(1.0, 0.0),
        termination=Termination.RULES,
    )
    store.matches.save(number, [(MatchKey(0, 0), record)])
    assert asked < len(moves)
    found = [move for each in health(store, game) for move in each.moves]
    assert len(found) == asked
    # Nor does anybody's clock run, or gain, in it.
    assert all(move.slack_s == pytest.approx(9.999) for move in found)


def test_what_cannot_be_read(store: Store) -> None:
    save(store, Limits(move_s=0.05), match(MoveRecord(99)))
    with pytest.raises(DatabaseError, match=r"match 1 can't be replayed.*'league db verify'"):
        health(store, GAME)


def test_illegal_and_mated_variations_are_counted(store: Store) -> None:
    asked = ToldLines()
    state = find_game(GAME).initial()
    for line in [(3, 0, 3, 0, 3, 0, 3), (3, 0, 3, 0, 3, 0, 3, 1), (3,) * 7, (3, 99), ()]:
        asked.add(state, line)
    assert (asked.played, asked.illegal, asked.mated) == (4, 2, 1)
    assert str(asked) == "2 have an illegal move and 1 go on after the end, of 4 variations"
    told = ReportRecord(depth=1, pv=(1, 99))
    save(store, Limits(move_s=0.05), match(MoveRecord(1, wall_ns=MS, report=told)))
    rows = health(store, GAME)
    assert of(rows, "b").lines.played == 0
    play_lines(store, GAME, None, rows, 200)
    found = of(rows, "b")
    assert (found.lines.played, found.lines.illegal) == (1, 1)
    text = health_blocks({GAME: [found]}, None, 200, None)[1]
    assert text == "principal variations of b: 1 have an illegal move, of 1 variations"
