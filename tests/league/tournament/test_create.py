"""What a tournament is made of: limits of a bot's own, openings, programs that can't play."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from league.analysis.verify import verify
from league.match.openings import Book, BookFile, read_book
from league.model.errors import SetupError
from league.model.records import Limits, OwnLimits
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.registration.source_snapshot import command_digest
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.lifecycle import extend, join, withdraw
from league.tournament.planner import Planner
from league.tournament.remarks import remarks
from league.tournament.settings import (
    limits_in_words,
    read_settings,
    settings_of,
    write_settings,
)
from tests.league.in_process import run_here
from tests.league.matches import add_bots
from tests.league.seats.scripted import engine

ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - -"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Make an empty league."""
    return open_store(str(tmp_path / "league.db"), create=True)


@pytest.mark.slow
def test_an_engine_that_sets_up_no_position_is_refused_at_once(
    store: Store, tmp_path: Path
) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    (tmp_path / "book.epd").write_text(ENDING)
    add_bots(store, "one", "two")
    for name, features in (("can", "setboard=1 done=1"), ("cannot", "done=1")):
        version = engine("xboard", [("^protover", f"feature {features}")])
        digest = command_digest(version)
        store.bots.register(replace(version, name=name, digest=digest), ["chess"])
    openings = {"openings": str(tmp_path / "book.epd")}

    def made(*bots: str, **settings: str) -> int:
        spec = read_settings({"game": "chess", "bots": list(bots), "depth": 1, **settings})
        return create_tournament(store, spec).id

    with store:
        made("cannot", "one")
        made("can", "one", **openings)
        said = r"bot 'cannot' can't play: knows no 'setboard', which chess\?fen="
        with pytest.raises(SetupError, match=said):
            made("cannot", "one", **openings)
        with pytest.raises(SetupError, match=said):
            join(store, made("one", "two", **openings), ["cannot"])
        assert len(store.tournaments.all()) == 3


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, {"move-time", "grace"}),
        ({"time": "10+0.1"}, {"time", "grace"}),
        ({"depth": 3}, {"depth", "cap"}),
        ({"depth": 3, "bot-limits": ["one:time=9+1"]}, {"depth", "grace", "cap", "one"}),
        ({"bot-limits": ["one:time=9+1", "two:move-time=1s"]}, {"grace", "one", "two"}),
    ],
)
def test_limits_that_no_bot_meets_are_not_listed(given: dict[str, Any], told: set[str]) -> None:
    spec = read_settings({"game": "connectfour", "bots": "one,two", **given})
    words = limits_in_words(write_settings(spec)).split(", ")
    assert {each.split()[0] for each in words} - {"memory", "isolation"} == told


def test_bots_have_limits_of_their_own(store: Store) -> None:
    with store:
        for name in ("one", "two"):
            register(store, name, "minimax", options={}, is_checked=False)
        spec = read_settings(
            {
                "game": "connectfour",
                "bots": "one,two",
                "rounds": 1,
                "bot-limits": ["one:depth=2", "two:time=1:00:00+1,depth=3"],
            }
        )
        assert spec.limits.move_s is None
        row = create_tournament(store, spec)
        assert row.config.handicaps == (OwnLimits(depth=2), OwnLimits(time="3600+1", depth=3))
        told = settings_of(store, row)["bot-limits"]
        assert told == {"one": "depth=2", "two": "time=3600+1,depth=3"}
        run_here(store, row.id)
        depths: dict[int, set[int | None]] = {}
        for number in store.matches.numbers(row.id):
            record = store.matches.get(number)[1]
            for ply, move in enumerate(record.moves, len(record.opening)):
                told_depth = move.report.depth if move.report else None
                depths.setdefault(record.versions[ply % 2], set()).add(told_depth)
        assert max(d or 0 for d in depths[row.config.entrants[0]]) == 2
        assert max(d or 0 for d in depths[row.config.entrants[1]]) == 3
        assert verify(store)[1] == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"bot-limits": "three:depth=2"}, "unknown bot of the tournament 'three'"),
        ({"bot-limits": "one:depth=2", "handicap": "one=2"}, "a handicap and limits of its own"),
        ({"openings-start": 3}, "give --openings FILE"),
        ({"draw": "score=0,moves=2,move=9"}, "connectfour has no move numbers: write after=PLIES"),
        ({"draw": "score=0,moves=2,reset=yes"}, "no move of connectfour is known to reset"),
        ({"tablebase-results": "wins"}, "which tablebases"),
        ({"tablebase-pieces": 3}, "which tablebases\\? give --tablebases FOLDER"),
    ],
)
def test_what_makes_no_tournament(store: Store, settings: dict[str, object], said: str) -> None:
    with store:
        add_bots(store, "one", "two")
        usual = {"game": "connectfour", "bots": "one,two", "nodes": 5}
        with pytest.raises(Exception, match=said):
            create_tournament(store, read_settings({**usual, **settings}))
        assert store.tournaments.all() == ()


def test_openings_begin_with_the_one_that_is_asked_for(store: Store, tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("1\n2\n3\n")
    with store:
        add_bots(store, "one", "two")

        def openings(source: str, start: int) -> list[object]:
            row = create_tournament(
                store,
                TournamentSpec(
                    game="connectfour",
                    bots=["one", "two"],
                    rounds=3,
                    limits=Limits(depth=1),
                    openings=source,
                    opening_start=start,
                ),
            )
            planner = Planner(store, row.id)
            return [job.opening for job in planner.more(store, 9) or () if not job.key.rotation]

        book = str(tmp_path / "book.txt")
        assert openings(book, 2) == [(1,), (2,), (0,)]
        assert openings("tournament:1", 3) == [(0,), (1,), (2,)]
        with pytest.raises(SetupError, match="there are 3 openings: none has the number 4"):
            openings(book, 4)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["roundrobin", "gauntlet"])
def test_what_is_changed_after_the_end_adds_up(store: Store, spec: str) -> None:
    with store:
        add_bots(store, "one", "two", "three", "four")
        row = create_tournament(
            store,
            TournamentSpec(
                game="tictactoe", bots=["all"], format=spec, rounds=2, limits=Limits(depth=1)
            ),
        )
        run_here(store, row.id)
        played = store.tournaments.get(row.id).played
        gone = withdraw(store, row.id, "two")
        assert gone.progress == f"{played}/{played}"
        assert gone.is_finished
        longer = extend(store, row.id, 0, until_error=2000.0)
        assert longer.config.until_error == 2000
        run_here(store, row.id)
        assert store.tournaments.get(row.id).is_finished
        with pytest.raises(SetupError, match="ends at ±2000 Elo: give less"):
            extend(store, row.id, 0, until_error=3000.0)
        assert extend(store, row.id, 1).config.rounds > 2
        run_here(store, row.id)
        assert [each.text for each in verify(store)[1]] == []


def test_skipped_openings_are_told_before_the_tournament_is_stored(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "book.txt").write_text("4 9\n4 4\n")
    add_bots(store, "one", "two")
    read: list[BookFile] = []

    def counted(file: BookFile) -> Book:
        read.append(file)
        return read_book(file)

    monkeypatch.setattr("league.tournament.create.read_book", counted)
    spec = TournamentSpec(
        game="connectfour",
        bots=["one", "two"],
        limits=Limits(depth=1),
        openings=str(tmp_path / "book.txt"),
        skips_bad_openings=True,
    )
    told: list[tuple[str, int]] = []
    row = create_tournament(
        store, spec, lambda line: told.append((line, len(store.tournaments.all())))
    )
    found = remarks(store, spec, row)
    ((line, count),) = told
    assert line.startswith("skipped bad openings: 1: line 1, ply 2: ")
    assert count == 0
    assert line not in found
    assert len(read) == 1, "a large book takes a minute"
