"""The words in which a game tells how a match of a list ended."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from games.chess.rules import Chess
from league.model.errors import LeagueError
from league.model.records import MatchKey, MatchRecord, MoveRecord, Termination
from league.render import match_endings as match_endings_module
from league.render.match_endings import SAMPLE, endings_told, match_endings, remembered_endings
from league.store.cache import Cache
from league.store.rows import MatchRow
from league.store.store import Store, open_store
from tests.league.matches import add_bots, add_tournament, won_match
from tests.league.web.asking import ask

FULL = "330254564223355224331121550404466660106011"
"""Columns of a Connect Four match that fills the board without four in a row."""


def played(record: MatchRecord, *moves: int) -> MatchRecord:
    """Return a match with these moves."""
    return replace(record, opening=(), moves=tuple(map(MoveRecord, moves)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return an empty league."""
    with open_store(str(tmp_path / "league.db"), create=True) as found:
        yield found


def test_endings_are_told_once_and_only_of_rules_that_were_followed(store: Store) -> None:
    deep, deeper = add_bots(store, "deep", "deeper")
    tournament = add_tournament(store, deep, deeper)
    won = played(won_match(deep, deeper), 0, 1, 0, 1, 0, 1, 0)
    illegal = played(won_match(deep, deeper), 99)
    crash = replace(won, termination=Termination.CRASH, fault_seat=1)
    records = (won, illegal, crash, won_match(deep, deeper))
    store.matches.save(
        tournament, [(MatchKey(number, 0), each) for number, each in enumerate(records)]
    )
    rows = store.matches.page(tournament=tournament)
    numbers = {row.key.encounter: row.id for row in rows}
    # The last match is not over by the rules of today.
    expected = {numbers[0]: "four in a row", numbers[3]: ""}
    assert match_endings(store, rows) == expected
    known = {numbers[0]: "known", 99: "of another list"}
    assert match_endings(store, rows, known) == expected | {numbers[0]: "known"}
    foreign = [replace(row, game="rules/nim.py:Nim") for row in rows]
    assert match_endings(store, foreign) == {}


def test_pages_count_the_words_of_the_newest_matches(store: Store) -> None:
    deep, deeper = add_bots(store, "deep", "deeper")
    tournament = add_tournament(store, deep, deeper)
    won = played(won_match(deep, deeper), 0, 1, 0, 1, 0, 1, 0)
    drawn = played(won_match(deep, deeper, (0.5, 0.5)), *map(int, FULL))
    crash = replace(won, termination=Termination.CRASH, fault_seat=1)
    addresses = ("/games/connectfour", "/versus/deep/deeper")

    def add(*records: MatchRecord) -> None:
        first = len(store.matches.page())
        store.matches.save(
            tournament, [(MatchKey(first + n, 0), each) for n, each in enumerate(records)]
        )

    add(won, won, drawn, crash)
    for address in addresses:
        text = ask(store, address)[1]
        assert ">by the rules<" in text
        assert ">four in a row 2, board full 1<" in text
    add(*[drawn] * (SAMPLE - 1), crash)
    for address in addresses:
        said = f">of the newest {SAMPLE}: board full {SAMPLE}<"
        assert said in ask(store, address)[1]


def test_final_scores_are_no_kinds_of_endings(store: Store) -> None:
    deep, deeper = add_bots(store, "deep", "deeper")
    tournament = add_tournament(store, deep, deeper, game="othello")
    # The shortest match of Othello that random moves find.
    over = played(won_match(deep, deeper), 19, 18, 37, 29, 21, 11, 3, 20, 17)
    store.matches.save(tournament, [(MatchKey(0, 0), over)])
    rows = store.matches.page()
    assert list(match_endings(store, rows).values()) == ["Black 13, White 0"]
    assert endings_told(store, rows, 1) == ""


def test_a_match_is_played_again_once_for_all_pages(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep, deeper = add_bots(store, "deep", "deeper")
    tournament = add_tournament(store, deep, deeper)
    won = played(won_match(deep, deeper), 0, 1, 0, 1, 0, 1, 0)
    store.matches.save(tournament, [(MatchKey(0, 0), won)])
    store.memory = Cache()
    first = remembered_endings(store, store.matches.page())
    store.matches.save(tournament, [(MatchKey(1, 0), won)])
    asked: list[int] = []
    of_store = store.matches.records

    def records(numbers: Sequence[int]) -> Iterator[tuple[MatchRow, MatchRecord] | LeagueError]:
        asked.extend(numbers)
        return iter(of_store(numbers))

    monkeypatch.setattr(store.matches, "records", records)
    assert set(remembered_endings(store, store.matches.page()).values()) == {"four in a row"}
    assert not set(asked) & set(first)
    assert len(asked) == 1
    # A page of very long matches is not held up by them.
    store.matches.save(tournament, [(MatchKey(2, 0), won)])
    monkeypatch.setattr(match_endings_module, "PLIES_A_PAGE", 6)
    assert len(remembered_endings(store, store.matches.page())) == 2


def test_a_list_has_no_words_for_a_game_that_can_not_be_played_here(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = add_tournament(store, *add_bots(store, "one", "two"), game="chess")
    store.matches.save(tournament, [(MatchKey(0, 0), played(won_match(1, 2), 1))])
    monkeypatch.setattr(Chess, "needs", "python-chess")
    assert match_endings(store, store.matches.page()) == {}
