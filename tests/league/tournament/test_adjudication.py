"""Adjudicated tournaments: played, counted, exported, and held against what their bots told."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from games.support.errors import GameError
from league.analysis.standings import standings
from league.analysis.verify import verify
from league.model.errors import SetupError
from league.model.records import (
    NO_ADJUDICATION,
    Adjudication,
    DrawRule,
    Limits,
    MatchRecord,
    ReportRecord,
    Termination,
    WinRule,
)
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.record_codec.record import encode_record
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from tests.league.command import league
from tests.league.in_process import run_here
from tests.paths import ENDGAME_TABLES

TABLES = ENDGAME_TABLES
ENDING = "chess?fen=4k3/8/4K3/8/4P3/8/8/8 w - - 0 1"
SETTLED = Adjudication(DrawRule(0.5, 3, 12), WinRule(3, 2))
LIMITS = Limits(depth=3, start_s=20)


def start(folder: Path) -> Store:
    """Make a league of two searches."""
    store = open_store(str(folder / "league.db"), create=True)
    register(store, "two", "minimax:depth=2", options={}, is_checked=False)
    register(store, "three", "minimax:depth=3", options={}, is_checked=False)
    return store


def run(
    store: Store, adjudication: Adjudication, game: str = "connectfour", plies: int | None = None
) -> list[MatchRecord]:
    """Play a tournament of three rounds and return its matches."""
    row = create_tournament(
        store,
        TournamentSpec(
            game=game,
            bots=["all"],
            rounds=3,
            limits=LIMITS,
            seed=1,
            opening_plies=plies,
            adjudication=adjudication,
        ),
    )
    run_here(store, row.id)
    return [store.matches.get(match)[1] for match in store.matches.numbers(row.id)]


def findings(store: Store) -> list[str]:
    """Return what `league db verify` finds."""
    return [each.text for each in verify(store)[1]]


def harm(store: Store, match: int, change: Callable[[MatchRecord], MatchRecord]) -> None:
    """Change a match's record, and its row with it."""
    new = change(store.matches.get(match)[1])
    assert store.path is not None
    with sqlite3.connect(store.path) as connection:
        row = (
            ",".join(f"{score:g}" for score in new.scores),
            str(new.termination),
            len(new.opening) + len(new.moves),
            match,
        )
        connection.execute("UPDATE record SET data=? WHERE match_id=?", (encode_record(new), match))
        connection.execute("UPDATE match SET scores=?, termination=?, plies=? WHERE id=?", row)
    connection.close()


def quiet(record: MatchRecord) -> MatchRecord:
    """Take all scores from a match's reports."""
    moves = [replace(move, report=ReportRecord()) for move in record.moves]
    return replace(record, moves=tuple(moves))


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a league with a tournament in which most matches are adjudicated."""
    folder = tmp_path_factory.mktemp("settled")
    with start(folder) as store:
        run(store, SETTLED)
    return folder / "league.db"


@pytest.fixture
def store(settled: Path, tmp_path: Path) -> Any:
    """Yield a copy of that league."""
    (tmp_path / "league.db").write_bytes(settled.read_bytes())
    with open_store(str(tmp_path / "league.db")) as opened:
        yield opened


def first_settled(store: Store) -> int:
    """Return the first match that was adjudicated."""
    return min(row.id for row in store.matches.page(termination=Termination.ADJUDICATED))


@pytest.mark.slow
def test_bots_that_agree_end_their_matches(store: Store) -> None:
    records = [store.matches.get(match)[1] for match in store.matches.numbers()]
    ended = [each for each in records if each.termination is Termination.ADJUDICATED]
    assert len(ended) > len(records) / 2
    for record in ended:
        assert (record.utilities, record.fault_seat) == (None, None)
        assert sorted(record.scores) == [0.0, 1.0]
        assert "said 3 or more and" in record.detail
    assert sum(row.points for row in standings(store, "connectfour").rows) == len(records)
    assert store.tournaments.get(1).config.adjudication == SETTLED
    assert findings(store) == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (quiet, "ended by adjudicated, which what its bots told does not bear out"),
        (lambda old: replace(old, scores=old.scores[::-1]), "but its end gives"),
        (lambda old: replace(old, scores=(0.5, 0.5)), "but its end gives"),
        (
            lambda old: replace(old, moves=old.moves[:-1]),
            "ended by adjudicated, which what its bots told does not bear out",
        ),
        (lambda old: replace(old, utilities=(1.0, -1.0)), "does not bear out"),
        (
            lambda old: replace(old, termination=Termination.MOVE_LIMIT, scores=(0.5, 0.5)),
            "and not ended there: ",
        ),
        (
            lambda old: replace(old, moves=(*old.moves, old.moves[-1])),
            "and not ended there: ",
        ),
    ],
)
def test_what_was_changed_is_found(
    store: Store, change: Callable[[MatchRecord], MatchRecord], text: str
) -> None:
    harm(store, first_settled(store), change)
    found = findings(store)
    assert any(text in each for each in found), found


def test_a_tournament_without_rules_settles_nothing(store: Store) -> None:
    """The same records under a configuration without adjudication."""
    assert store.path is not None
    with sqlite3.connect(store.path) as connection:
        [[text]] = connection.execute("SELECT config FROM tournament").fetchall()
        config = json.loads(text)
        config["adjudication"] = asdict(NO_ADJUDICATION)
        connection.execute("UPDATE tournament SET config=?", (json.dumps(config),))
    connection.close()
    assert store.tournaments.get(1).config.adjudication == NO_ADJUDICATION
    ended = store.matches.page(termination=Termination.ADJUDICATED)
    assert sum("does not bear out" in each for each in findings(store)) == len(ended)


@pytest.mark.slow
def test_it_is_shown_and_can_be_repeated(store: Store) -> None:
    assert store.path is not None
    folder, match = store.path.parent, str(first_settled(store))
    assert "adjudicated: " in league(folder, "replay", match, "--plain")
    assert "Nobody failed; adjudicated: " in league(folder, "why", match)
    assert "plays the same move" in league(folder, "repro", match)
    assert "adjudicated" in league(folder, "matches")


@pytest.mark.parametrize(
    ("game", "adjudication", "text"),
    [
        ("tree?file=three-seats", SETTLED, "that takes two sides, it has 3"),
        ("connectfour", Adjudication(DrawRule(6, 1), WinRule(6, 1)), "the greater one"),
        ("connectfour", Adjudication(tablebases="."), "no tablebases for connectfour"),
    ],
)
def test_what_can_not_be_settled_is_refused(
    tmp_path: Path, game: str, adjudication: Adjudication, text: str
) -> None:
    with start(tmp_path) as store:
        register(store, "one", "random", options={}, is_checked=False)
        with pytest.raises(SetupError, match=text):
            create_tournament(
                store,
                TournamentSpec(
                    game=game,
                    bots=["all"],
                    rounds=1,
                    limits=LIMITS,
                    seed=1,
                    adjudication=adjudication,
                ),
            )
        assert store.tournaments.all() == ()


@pytest.mark.slow
def test_tables_of_endgames_end_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    monkeypatch.chdir(TABLES.parent)
    by_tables = Adjudication(tablebases=TABLES.name)
    with start(tmp_path) as store:
        records = run(store, by_tables, ENDING, 0)
        ends = {(each.termination, each.scores, each.detail) for each in records}
        text = "White wins by the tables of endgames"
        assert ends == {(Termination.ADJUDICATED, (1.0, 0.0), text)}
        # From wherever it is looked at.
        monkeypatch.chdir(tmp_path)
        assert store.tournaments.get(1).config.adjudication.tablebases == str(TABLES)
        assert findings(store) == []
        harm(store, 1, lambda old: replace(old, scores=(0.5, 0.5)))
        harm(store, 2, lambda old: replace(old, moves=()))
        # One of the harmed matches was a copy of another.
        assert len(findings(store)) == 5
        pgn = league(tmp_path, "export", "--match", "3", "--pgn", "-")
        assert '[Termination "adjudication"]' in pgn
        assert f"adjudicated: {text}" in pgn.replace("\n", " ")


def test_tables_that_are_gone_are_told_once(tmp_path: Path) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    (tmp_path / "tables").symlink_to(TABLES)
    with start(tmp_path) as store:
        with pytest.raises(GameError, match="no tablebases in"):
            run(store, Adjudication(tablebases=str(tmp_path / "none")), ENDING, 0)
        assert store.tournaments.all() == ()
        run(store, Adjudication(tablebases=str(tmp_path / "tables")), ENDING, 0)
        (tmp_path / "tables").unlink()
        [found] = findings(store)
        assert found.startswith("tournament 1: no tablebases in ")
