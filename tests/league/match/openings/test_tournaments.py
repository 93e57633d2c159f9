"""Tournaments from given openings: played, kept, resumed without the file, and written out."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from games.support.specs import find_game
from league.analysis.opening_statistics import lopsided_sentence
from league.analysis.replay import load_replay
from league.analysis.repro import repeat
from league.analysis.standings import standings
from league.analysis.verify import verify
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import to_dict
from league.interchange.export_matches import written
from league.match.openings import DrawnOpenings, Opening, pack
from league.model.errors import DatabaseError, SetupError
from league.model.records import Limits, MatchKey
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.rows import TournamentRow
from league.store.settings import SALT
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.planner import Planner
from league.tournament.progress import Progress
from tests.league.command import league, start
from tests.league.in_process import run_here

LIMITS = Limits(depth=2, start_s=20)
LINES = "4 4\n1 2\n3 5\n"
BOARDS = '7/7/7/7/3y3/2rr3 y\n7/7/7/7/7/2ry3 r id "two";\n'
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


def league_of(folder: Path) -> Store:
    """Make a league of two bots, with the same dice as every other."""
    folder.mkdir(exist_ok=True)
    store = open_store(str(folder / "league.db"), create=True)
    store.settings.set(SALT, "")
    for name, spec in (("ab", "alphabeta:depth=2"), ("rnd", "random")):
        register(store, name, spec, options={}, is_checked=False)
    return store


def held(store: Store, openings: str, rounds: int, **settings: Any) -> TournamentRow:
    """Create a Connect Four tournament of both bots from the openings of a file."""
    usual = TournamentSpec(game="connectfour", bots=["ab", "rnd"], limits=LIMITS, seed=7)
    return create_tournament(store, replace(usual, openings=openings, rounds=rounds, **settings))


def matches_of(store: Store) -> dict[MatchKey, tuple[object, ...]]:
    """Return what was played at each place."""
    found: dict[MatchKey, tuple[object, ...]] = {}
    for match in store.matches.numbers():
        row, record = store.matches.get(match)
        moves = tuple(move.move for move in record.moves)
        found[row.key] = (record.game, record.opening, moves, record.scores)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "content"), [("book.txt", LINES), ("book.epd", BOARDS)])
def test_a_resumed_tournament_needs_no_file(tmp_path: Path, name: str, content: str) -> None:
    book = tmp_path / name
    found = []
    for is_straight in (True, False):
        book.write_text(content)
        store = league_of(tmp_path / str(is_straight))
        row = held(store, str(book), 5, is_shuffled=True)
        book.unlink()

        def stop(progress: Progress, is_straight: bool = is_straight) -> None:
            if progress.played and not is_straight:
                raise KeyboardInterrupt

        if not is_straight:
            book.write_text("1")
            with pytest.raises(KeyboardInterrupt):
                run_here(store, row.id, workers=1, on_progress=stop)
        run_here(store, row.id, workers=1)
        assert store.tournaments.get(row.id).is_finished
        found.append(matches_of(store))
        assert verify(store) == (10, [])
    assert found[0] == found[1]
    begun = {each[:2] for each in found[0].values()}
    assert len(begun) == content.count("\n")


@pytest.mark.slow
def test_a_match_from_a_position_is_replayed_repeated_and_counted(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text(BOARDS)
    with league_of(tmp_path) as store:
        row = held(store, str(book), 2)
        run_here(store, row.id, workers=1)
        first = load_replay(store, 1)
        assert first.frames[0].state.fen() == "7/7/7/7/3y3/2rr3 y 2"
        assert first.row.game == "connectfour"
        assert to_dict(document_of(first))["game"] == "connectfour?fen=7/7/7/7/3y3/2rr3 y 2"
        # Yellow begins, so that the second seat moves first.
        assert first.frames[1].seat == 1
        assert all(repeat(store, first, ply).is_same for ply in (1, 2, None))
        (table,) = {each.matches for each in standings(store, "connectfour").rows}
        assert table == 4
        # Each opening in every rotation of the seats.
        games = [store.matches.get(match)[1].game for match in store.matches.numbers()]
        assert sorted(games) == sorted([*set(games)] * 2)


def test_chess_from_positions_is_written_with_them(tmp_path: Path) -> None:
    chess = pytest.importorskip("chess")
    pgn = pytest.importorskip("chess.pgn")
    book = tmp_path / "book.epd"
    book.write_text(f'{ITALIAN} id "Italian";\n')
    with league_of(tmp_path) as store:
        limits = replace(LIMITS, depth=1, max_plies=12)
        row = held(store, str(book), 1, game="chess", limits=limits)
        run_here(store, row.id, workers=1)
        assert verify(store) == (2, [])
        texts = list(map(str, written(store, store.matches.numbers(), "pgn")))
    for written_out in texts:
        assert f'[FEN "{ITALIAN}"]' in written_out
        game = pgn.read_game(io.StringIO(written_out))
        assert game.errors == []
        assert game.board() == chess.Board(ITALIAN)
        assert game.end().ply() == 5 + 12


@pytest.mark.slow
def test_new_tournaments_draw_as_it_is_done_now(tmp_path: Path) -> None:
    with league_of(tmp_path) as store:
        row = create_tournament(
            store,
            TournamentSpec(
                game="tictactoe",
                bots=["ab", "rnd"],
                rounds=9,
                limits=LIMITS,
                seed=7,
                is_opening_shared=True,
            ),
        )
        run_here(store, row.id, workers=1)
        drawn = DrawnOpenings(find_game("tictactoe"), 1, 7)
        begun = [each[1] for each in matches_of(store).values()]
    assert set(begun) == {drawn[number].moves for number in range(3)}
    assert len(set(begun)) == 3


def begun_of(store: Store, **settings: Any) -> list[tuple[int, str, object]]:
    """Play a tournament of four bots and return what its encounters started from."""
    spec = TournamentSpec(game="connectfour", bots=["all"], rounds=2, limits=LIMITS, seed=7)
    row = create_tournament(store, replace(spec, **settings))
    run_here(store, row.id, workers=2)
    assert verify(store, row.id)[1] == []
    records = (store.matches.get(match) for match in store.matches.numbers(row.id))
    return sorted({(row.key.encounter, record.game, record.opening) for row, record in records})


@pytest.mark.slow
def test_every_encounter_has_an_opening_of_its_own_or_its_round_has(tmp_path: Path) -> None:
    with league_of(tmp_path) as store:
        for name in ("other", "fourth"):
            register(store, name, "random", options={}, is_checked=False)
        found = begun_of(store)
        assert [each[0] for each in found] == list(range(12))
        assert len({each[2] for each in found}) == 12
        assert len({each[2] for each in begun_of(store, format="swiss")}) == 4
        shared = begun_of(store, is_opening_shared=True)
        assert [len({each[2] for each in part}) for part in (shared[:6], shared[6:])] == [1, 1]


@pytest.mark.slow
def test_a_lopsided_opening_is_named_with_its_score(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("4 4 5 7\n1 2\n")
    with league_of(tmp_path) as store:
        for name in ("one", "other"):
            spec = "alphabeta:depth=3,ties=random"
            register(store, name, spec, options={}, is_checked=False)
        row = held(store, str(book), 40, bots=["one", "other"])
        assert lopsided_sentence(store, row) == ""
        run_here(store, row.id, workers=1)
        said = lopsided_sentence(store, store.tournaments.get(row.id))
    assert said == (
        "opening 4 4 5 7 is lopsided: the first seat scored 40 of 40 points; "
        "'league stats --tournament 1' lists the scores"
    )


def test_a_bad_file_leaves_no_tournament(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("4\n4 8\n")
    with league_of(tmp_path) as store:
        with pytest.raises(SetupError, match=r"book\.txt', line 2, ply 2"):
            held(store, str(book), 1)
        assert store.tournaments.all() == ()


def test_openings_are_kept_once_and_checked(tmp_path: Path) -> None:
    with league_of(tmp_path) as store:
        book = pack([Opening("connectfour", (number % 7,)) for number in range(10_000)])
        digest = store.books.keep(book)
        assert store.books.keep(book) == digest
        assert store.books.get(digest) == book
        assert store.books.get("") == ""
        other = store.books.keep(pack([Opening("tictactoe", (4,))]))
        assert other != digest
        assert store.books.get(digest) == book
        engine = create_engine(f"sqlite:///{store.path}")
        with engine.begin() as connection:
            kept = (
                connection.execute(text("SELECT value FROM setting WHERE key != 'salt'"))
                .scalars()
                .all()
            )
            assert len(kept) == 2
            connection.execute(text("UPDATE setting SET value = substr(value, 5)"))
        engine.dispose()
        for missing in (digest, "0" * 64):
            with pytest.raises(DatabaseError, match="missing or damaged"):
                store.books.get(missing)


def test_a_tournament_without_its_openings_is_found_by_verify(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(LINES)
    with league_of(tmp_path) as store:
        row = held(store, str(path), 1)
        assert Planner(store, row.id).more(store, 1)
        engine = create_engine(f"sqlite:///{store.path}")
        with engine.begin() as connection:
            connection.execute(text("DELETE FROM setting"))
        engine.dispose()
        (finding,) = verify(store)[1]
        assert "missing or damaged" in finding.text


@pytest.mark.slow
def test_the_command_takes_a_file_and_says_that_its_openings_repeat(tmp_path: Path) -> None:
    league_of(tmp_path)
    (tmp_path / "book.txt").write_text(LINES)
    run = ("run", "--game", "connectfour", "--bots", "all", "--depth", "1", "--seed", "1")
    given = (*run, "--openings", "book.txt")
    with start(tmp_path, *given, "--rounds", "4", "--openings-order", "random") as process:
        said = process.communicate()[1]
    assert "4 rounds need 4 openings, the file has 3: they repeat\n" in said
    assert process.returncode == 0
    with open_store(str(tmp_path / "league.db"), read_only=True) as store:
        begun = {key.encounter: each[1] for key, each in matches_of(store).items()}
    # Drawn by this seed, the order is not the file's.
    assert begun == {0: (2, 4), 1: (0, 1), 2: (3, 3), 3: (2, 4)}
    said = league(tmp_path, *run, "--openings", "other.txt", code=1)
    assert said == "league: openings 'other.txt': No such file or directory\n"
