"""A league that was tampered with says so."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from games.support.moves import line_of, replay
from games.support.specs import find_game
from league.analysis.replay import load_replays
from league.analysis.verify import verify
from league.execution.worker import MatchJob
from league.formats.schedule import Schedule
from league.model.records import Limits, MatchRecord, MoveRecord, Termination, TournamentConfig
from league.store.record_codec.record import decode_record, encode_record
from league.store.store import open_store
from league.tournament.planner import Planner
from tests.league.matches import add_bots, add_tournament

Harm = Callable[[sqlite3.Connection], object]
RULES, FAULT = 1, 2
"""The match that ended by the rules, and the one that ended by a fault."""


def by_rules(job: MatchJob) -> MatchRecord:
    """Play the leftmost legal move until the match is over: a draw."""
    state = replay(find_game(job.game).initial(), job.opening)
    moves = []
    while (outcome := state.outcome()) is None:
        move = state.legal_moves()[0]
        moves.append(MoveRecord(move, wall_ns=1_000_000))
        state = state.play(move)
    return MatchRecord(
        game=job.game,
        versions=tuple(version.id for version in job.versions),
        seed=job.seed,
        opening=job.opening,
        moves=tuple(moves),
        scores=tuple((utility + 1) / 2 for utility in outcome),
        termination=Termination.RULES,
        utilities=outcome,
        notation=line_of(state.game.initial(), [*job.opening, *(move.move for move in moves)]),
    )


def by_fault(job: MatchJob) -> MatchRecord:
    """Let the seat to move after the opening crash."""
    state = replay(find_game(job.game).initial(), job.opening)
    scores = (0.0, 1.0) if state.to_move == 0 else (1.0, 0.0)
    return replace(
        by_rules(job),
        moves=(),
        scores=scores,
        termination=Termination.CRASH,
        utilities=None,
        fault_seat=state.to_move,
        notation=line_of(state.game.initial(), job.opening),
    )


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Make a league with a finished tournament of two matches."""
    path = tmp_path / "league.db"
    with open_store(str(path), create=True) as store:
        ids = add_bots(store, "a", "b")
        config = TournamentConfig(
            game="connectfour",
            entrants=tuple(ids),
            rounds=1,
            seed=7,
            opening_plies=2,
            limits=Limits(move_s=0.05),
            is_opening_shared=True,
        )
        tournament = store.tournaments.add(config, 2)
        jobs = Planner(store, tournament).more(store, 1)
        assert jobs
        first, second = jobs
        batch = [(first.key, by_rules(first)), (second.key, by_fault(second))]
        assert store.matches.save(tournament, batch) == 2
        assert store.tournaments.finish(tournament, 1, 2)
    return path


def findings(league: Path, harm: Harm) -> list[tuple[int, str]]:
    """Do `harm` to the database and return what is found then."""
    connection = sqlite3.connect(league)
    harm(connection)
    connection.commit()
    connection.close()
    with open_store(str(league), read_only=True) as store:
        _, found = verify(store)
    return [(each.match or 0, each.text) for each in found]


def record(match: int, change: Callable[[MatchRecord], MatchRecord]) -> Harm:
    """Return what changes a match's record."""

    def harm(connection: sqlite3.Connection) -> None:
        query = "SELECT data FROM record WHERE match_id = ?"
        old: Any = connection.execute(query, (match,)).fetchone()[0]
        new = encode_record(change(decode_record(old)))
        connection.execute("UPDATE record SET data = ? WHERE match_id = ?", (new, match))

    return harm


def sql(*statements: str) -> Harm:
    """Return what runs statements."""
    return lambda connection: [connection.execute(each) for each in statements]


def both(*harms: Harm) -> Harm:
    """Return what does several things."""
    return lambda connection: [harm(connection) for harm in harms]


def with_move(move: int | str) -> Callable[[MatchRecord], MatchRecord]:
    """Return what changes the first move."""
    return lambda old: replace(old, moves=(replace(old.moves[0], move=move), *old.moves[1:]))


HARMS: dict[str, tuple[int, str, Harm]] = {
    "illegal": (RULES, "illegal move 77", record(RULES, with_move(77))),
    "nonsense": (RULES, "illegal move 'x'", record(RULES, with_move("x"))),
    "truncated": (RULES, "plies", record(RULES, lambda old: replace(old, moves=old.moves[:-1]))),
    "too long": (
        RULES,
        "the match is over",
        record(RULES, lambda old: replace(old, moves=(*old.moves, old.moves[0]))),
    ),
    "seed": (RULES, "seed 5", record(RULES, lambda old: replace(old, seed=5))),
    "opening": (RULES, "opening", record(RULES, lambda old: replace(old, opening=(0, 0)))),
    "seats": (RULES, "seats", record(RULES, lambda old: replace(old, versions=(9, 9)))),
    "scores of the record": (
        RULES,
        "its end gives",
        record(RULES, lambda old: replace(old, scores=(1.0, 0.0))),
    ),
    "scores of the row": (RULES, "scores", sql("UPDATE match SET scores='1,0' WHERE id=1")),
    "utilities": (
        RULES,
        "does not bear out",
        record(RULES, lambda old: replace(old, utilities=(1.0, -1.0))),
    ),
    "termination": (
        RULES,
        "termination",
        sql("UPDATE match SET termination='move limit' WHERE id=1"),
    ),
    "a draw before the move limit": (
        FAULT,
        "does not bear out",
        both(
            record(
                FAULT,
                lambda old: replace(
                    old, termination=Termination.MOVE_LIMIT, fault_seat=None, scores=(0.5, 0.5)
                ),
            ),
            sql("UPDATE match SET termination='move limit', fault_seat=NULL, scores='0.5,0.5'"),
        ),
    ),
    "a fault that wins": (
        FAULT,
        "its end gives",
        both(
            record(FAULT, lambda old: replace(old, scores=old.scores[::-1])),
            sql("UPDATE match SET scores='1,0' WHERE id=2 AND scores='0,1'"),
        ),
    ),
    "plies": (RULES, "plies 3 in its row", sql("UPDATE match SET plies=3 WHERE id=1")),
    "no record": (RULES, "no match 1", sql("DELETE FROM record WHERE match_id=1")),
    "a damaged record": (RULES, "damaged", sql("UPDATE record SET data=x'00' WHERE match_id=1")),
    "another encounter": (
        RULES,
        "not in the tournament's schedule",
        sql("UPDATE match SET encounter=99 WHERE id=1"),
    ),
    "its line of moves": (
        RULES,
        "line of moves",
        sql("UPDATE record SET moves='9' || substr(moves, 2) WHERE match_id=1"),
    ),
    "no moves in the line": (FAULT, "line of moves", sql("UPDATE record SET moves=''")),
    "another game": (RULES, "game", record(RULES, lambda old: replace(old, game="tictactoe"))),
}

# Harm to more than one match's own record.
WIDER: dict[str, Harm] = {
    "the fault of a seat that was not asked": both(
        record(
            FAULT,
            lambda old: replace(
                old,
                moves=(MoveRecord(0),),
                scores=old.scores,
            ),
        ),
        sql("UPDATE match SET plies=plies+1 WHERE id=2"),
    ),
    "utilities of a fault": record(FAULT, lambda old: replace(old, utilities=(1.0, -1.0))),
    "a termination of no name": sql("UPDATE match SET termination='bogus' WHERE id=1"),
    "scores that are no numbers": sql("UPDATE match SET scores='x' WHERE id=1"),
    "a fault of no seat": both(
        record(FAULT, lambda old: replace(old, fault_seat=7)),
        sql("UPDATE match SET fault_seat=7 WHERE id=2"),
    ),
    "a lineup of unknown versions": sql("UPDATE lineup SET versions='77,78' WHERE id=1"),
    "the tournament's game": sql("UPDATE tournament SET game='tictactoe'"),
    "a total": sql("UPDATE lineup_total SET matches=2"),
    "the tournament's total": sql("UPDATE tournament SET total=3"),
    "a config of nothing": sql("UPDATE tournament SET config='{}'"),
    "a late move that was let pass": record(
        RULES,
        lambda old: replace(
            old, moves=(replace(old.moves[0], wall_ns=10**10, over_ns=10**10), *old.moves[1:])
        ),
    ),
}


def test_nothing_is_wrong_with_an_honest_league(league: Path) -> None:
    assert findings(league, lambda connection: None) == []


@pytest.mark.parametrize("name", HARMS)
def test_harm_is_found(league: Path, name: str) -> None:
    match, text, harm = HARMS[name]
    found = findings(league, harm)
    assert any(number == match and text in told for number, told in found), found


@pytest.mark.slow
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changed_character_of_the_moves_is_found(league: Path, data: st.DataObject) -> None:
    with closing(sqlite3.connect(league)) as connection:
        (line,) = connection.execute("SELECT moves FROM record WHERE match_id=1").fetchone()
        place = data.draw(st.integers(0, len(line) - 1))
        other = data.draw(st.characters(codec="utf-8").filter(lambda each: each != line[place]))
        changed = line[:place] + other + line[place + 1 :]
        assert changed != line
        query = "UPDATE record SET moves=? WHERE match_id=1"
        found = findings(league, lambda own: own.execute(query, (changed,)))
        connection.execute(query, (line,))
        connection.commit()
    assert [number for number, _ in found] == [1]


@pytest.mark.parametrize("name", WIDER)
def test_wider_harm_is_found(league: Path, name: str) -> None:
    assert findings(league, WIDER[name])


def test_pairings_that_the_results_do_not_make_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        bots = add_bots(store, "a", "b", "c", "d")
        number = add_tournament(store, *bots, rounds=1, format="swiss")
        Planner(store, number).more(store, 1)
        assert verify(store)[1] == []
        # As if the results made other pairs.
        monkeypatch.setattr(Schedule, "remade", lambda self: self.encounters[1:])
        assert len(verify(store)[1]) == 1


def test_a_match_more_takes_no_query_more(league: Path) -> None:
    with open_store(str(league), read_only=True) as store:
        queries: list[str] = []
        event.listen(store.engine, "before_cursor_execute", lambda *told: queries.append(told[2]))
        counted = []
        for matches in ([RULES], [RULES, FAULT]):
            queries.clear()
            assert [each.row.id for each in load_replays(store, matches)] == matches
            counted.append(len(queries))
    assert counted[0] == counted[1] < 9
