"""The views for SQL tools, and the examples of docs/reference/database.md."""

import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.moves import WireMove, as_word, draw_move, encode_move, line_of
from games.support.specs import find_game
from league.model.records import MatchKey, Termination
from league.store.engine import make_engine
from league.store.migration import upgrade_database
from league.store.seating_codec import decode_scores
from league.store.store import Store, open_store
from tests.league.matches import add_bots, add_tournament, won_match
from tests.league.store.next_revision import scripts_with_next, use_scripts
from tests.paths import DOCS
from tests.strategies import playable


def asked(store: Store, query: str) -> list[tuple[object, ...]]:
    """Return the rows of a query."""
    with make_engine(store.target).connect() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(query)]


def fill(store: Store) -> None:
    """Store a win, a draw and a fault of two bots."""
    one, two = add_bots(store, "one", "two")
    won = replace(won_match(one, two), notation='4 "3_a" 4')
    drawn = replace(won, scores=(0.5, 0.5), notation="")
    fault = replace(
        won_match(two, one),
        scores=(0.0, 1.0),
        termination=Termination.CRASH,
        fault_seat=0,
        utilities=None,
    )
    tournament = add_tournament(store, one, two)
    batch = [won, drawn, fault]
    store.matches.save(tournament, [(MatchKey(at, 0), each) for at, each in enumerate(batch)])


def check(store: Store) -> None:
    """Compare the views with what `fill` stored."""
    assert asked(store, "SELECT * FROM match_moves ORDER BY match_id, ply") == [
        (1, 1, "4"),
        (1, 2, '"3_a"'),
        (1, 3, "4"),
    ]
    names = "match_id, seat, bot, version, points, result, termination, is_at_fault, plies"
    assert asked(store, f"SELECT {names} FROM bot_results ORDER BY match_id, seat") == [  # noqa: S608 (names of our own)
        (1, 0, "one", 1, 1.0, "win", "rules", 0, 3),
        (1, 1, "two", 1, 0.0, "loss", "rules", 0, 3),
        (2, 0, "one", 1, 0.5, "draw", "rules", 0, 3),
        (2, 1, "two", 1, 0.5, "draw", "rules", 0, 3),
        (3, 0, "two", 1, 0.0, "loss", "crash", 1, 3),
        (3, 1, "one", 1, 1.0, "win", "crash", 0, 3),
    ]
    ((game, ended),) = asked(store, "SELECT DISTINCT game, substr(ended_at, 1, 2) FROM bot_results")
    assert (game, ended) == ("connectfour", "20")


def test_a_new_league_has_the_views(fresh_db: Store) -> None:
    fill(fresh_db)
    check(fresh_db)


def test_an_upgraded_league_has_the_views(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(target, create=True)
    use_scripts(scripts_with_next(tmp_path), monkeypatch)
    upgrade_database(target)
    with open_store(target) as store:
        fill(store)
        check(store)


@pytest.mark.parametrize("spec", playable())
@given(seed=st.integers(0, 99))
def test_a_line_of_moves_has_a_word_for_each_ply(spec: str, seed: int) -> None:
    state = first = find_game(spec).initial()
    source, wires, words = random.Random(seed), list[WireMove](), list[str]()
    while len(wires) < 12 and state.outcome() is None:
        move = draw_move(state, source)
        wires.append(encode_move(state, move))
        words.append(as_word(state.text(move)))
        state = state.play(move)
    assert line_of(first, wires) == " ".join(words)
    assert len(line_of(first, wires).split(" ")) == len(wires)


@pytest.mark.slow
@given(st.text())
def test_a_word_is_one_word_that_sqlite_can_split(text: str) -> None:
    word = as_word(text)
    assert word
    assert word.isprintable()
    assert " " not in word
    split = """SELECT value FROM json_each('[' || replace(json_quote(?), ' ', '","') || ']')"""
    with closing(sqlite3.connect(":memory:")) as connection:
        assert connection.execute(split, (f"{word} 4",)).fetchall() == [(word,), ("4",)]


SHOWN = [
    ("connectfour", "ab rnd", "1,0", "4 4 5 7 3 4 1 1 1 5 1 4 2"),
    ("connectfour", "rnd ab", "0,1", "4 4 5 7 5 4 2 3 4 5 1 5 2 5 1 5"),
    ("tictactoe", "ab bad", "1,0", "a1"),
    ("tictactoe", "bad ab", "0,1", "a1 b2"),
    ("tree?file=chance", "ab rnd", "1,0", "C G O"),
    ("tree?file=chance", "rnd ab", "1,0", "B E J"),
    ("chess", "ab rnd", "1,0", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"),
    ("chess", "rnd ab", "0.5,0.5", "d4 d5 c4"),
]
"""The matches of the page's examples: the bot `bad` makes illegal moves."""


def fill_as_shown(store: Store) -> None:
    """Store the matches of the page's examples."""
    names = ("ab", "rnd", "bad")
    version = dict(zip(names, add_bots(store, *names), strict=True))
    for game, seats, points, line in SHOWN:
        first, second = (version[name] for name in seats.split())
        scores = decode_scores(points)
        record = replace(won_match(first, second, scores), game=game, notation=line)
        if "bad" in seats:
            seat = seats.split().index("bad")
            record = replace(record, termination=Termination.ILLEGAL_MOVE, fault_seat=seat)
        tournament = add_tournament(store, first, second, game=game)
        store.matches.save(tournament, [(MatchKey(0, 0), record)])


def test_the_examples_of_the_page_are_true(tmp_path: Path) -> None:
    page = (DOCS / "reference" / "database.md").read_text()
    examples = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert len(examples) == page.count("```sql") == 4
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        fill_as_shown(store)
        for query, shown in examples:
            told = "".join("|".join(map(str, row)) + "\n" for row in asked(store, query))
            assert told == shown, told
