"""Tables of chess endgames: textbook positions, and what they say nothing about."""

import shutil
from pathlib import Path

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

import chess.syzygy

from games.chess.rules import Chess
from games.chess.syzygy import SyzygyTables
from games.support.errors import GameError
from games.support.specs import find_game

TABLES = Path(__file__).parent / "tables"
WHITE, BLACK, DRAW = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)


@pytest.fixture(scope="module")
def tables() -> SyzygyTables:
    """Return the tables of a queen, a rook and a pawn against a bare king."""
    return Chess().tablebase(str(TABLES))


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # Who has the opposition before the pawn wins or draws by it.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", WHITE),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", WHITE),
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", DRAW),
        ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", WHITE),
        ("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1", BLACK),
        # A king in the corner before a rook's pawn can't be driven out.
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", DRAW),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 1", WHITE),
        ("8/8/8/8/8/k7/7r/1K6 w - - 0 1", BLACK),
        # The rook is lost at once.
        ("8/8/8/8/8/1K6/8/kR6 b - - 0 1", DRAW),
    ],
)
def test_textbook_positions(tables: SyzygyTables, fen: str, expected: tuple[float, float]) -> None:
    assert tables.probe(Chess().position(fen)) == expected


def test_tables_are_asked_about_so_many_pieces_and_with_or_without_the_fifty_moves() -> None:
    late = Chess().position("8/8/8/4k3/8/8/8/KQ6 b - - 1 1")
    assert Chess().tablebase(str(TABLES)).probe(late) is None
    assert Chess().tablebase(str(TABLES), ignores_fifty=True).probe(late) == WHITE
    assert Chess().tablebase(str(TABLES), ignores_fifty=True, pieces=2).probe(late) is None


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # A win with so many moves gone may be none any more; a draw stays one.
        ("8/8/8/4k3/8/8/8/KQ6 b - - 1 1", None),
        ("k7/8/K7/P7/8/8/8/8 w - - 60 90", DRAW),
        # The right to castle is in no table.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", WHITE),
        # As many pieces as some table has, but not these.
        ("4k3/8/8/8/8/8/8/4K2N w - - 0 1", None),
        ("4k3/8/8/8/8/8/P7/4K2R w - - 0 1", None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
    ],
)
def test_what_the_tables_can_not_say(
    tables: SyzygyTables, fen: str, expected: tuple[float, float] | None
) -> None:
    assert tables.probe(Chess().position(fen)) == expected


@pytest.mark.parametrize(("found", "winner"), [(1, BLACK), (-1, WHITE)])
def test_a_win_that_takes_too_long_is_a_draw_under_the_fifty_move_rule(
    tables: SyzygyTables, found: int, winner: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chess.syzygy.Tablebase, "probe_wdl", lambda self, board: found)
    ignoring = Chess().tablebase(str(TABLES), ignores_fifty=True)
    for clock in (0, 40):
        position = Chess().position(f"8/8/8/4k3/8/8/8/KQ6 b - - {clock} 41")
        assert tables.probe(position) == DRAW
        assert ignoring.probe(position) == winner


def test_python_chess_gets_a_board_of_its_own(
    tables: SyzygyTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It pushes captures to it, and a position's board is shared."""
    position = Chess().position("8/8/8/8/8/1K6/8/kR6 b - - 0 1")
    given: list[chess.Board] = []

    def look_up(self: chess.syzygy.Tablebase, board: chess.Board) -> int:
        given.append(board)
        return 0

    monkeypatch.setattr(chess.syzygy.Tablebase, "probe_wdl", look_up)
    tables.probe(position)
    assert given == [position.board]
    assert given[0] is not position.board


def test_tables_in_several_folders(tmp_path: Path) -> None:
    for name in ("KQvK", "KPvK"):
        (tmp_path / name).mkdir()
        shutil.copy(TABLES / f"{name}.rtbw", tmp_path / name)
    tables = Chess().tablebase(f"{tmp_path / 'KQvK'}:{tmp_path / 'KPvK'}")
    for fen in ("8/8/8/4k3/8/8/8/KQ6 b - - 0 1", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"):
        assert tables.probe(Chess().position(fen)) == WHITE
    assert tables.probe(Chess().position("8/8/8/4k3/8/8/8/KR6 b - - 0 1")) is None


def test_tables_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"no tablebases in .*none': No such file"):
        Chess().tablebase(str(tmp_path / "none"))
    (tmp_path / "KQvK.rtbz").touch()
    with pytest.raises(GameError, match=r"expected Syzygy files, KQvK\.rtbw and the like"):
        Chess().tablebase(str(tmp_path))
    whole = (TABLES / "KPvK.rtbw").read_bytes()
    for harm in (b"", whole[:4000], b"x" + whole[1:]):
        (tmp_path / "KPvK.rtbw").write_bytes(harm)
        with pytest.raises(GameError, match=r"KPvK\.rtbw' is damaged"):
            Chess().tablebase(str(tmp_path))


def test_other_games_have_none() -> None:
    assert find_game("connectfour").tablebase(str(TABLES)) is None
