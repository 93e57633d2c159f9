"""Openings from files of each kind: what is read, and which line is refused and why."""

import gzip
import random
import re
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from games.support.game import texts_of
from games.support.moves import decode_move, replay
from games.support.specs import find_game
from league.match.openings import (
    Book,
    BookFile,
    BookOpenings,
    Opening,
    compressed,
    pack,
    read_book,
    unpack,
)
from league.model.errors import SetupError
from league.model.zstandard import zstd_module

FOUR_IN = "7/7/7/7/3y3/2rr3 y 2"
USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq -"


def read(
    folder: Path,
    name: str,
    text: str,
    spec: str = "connectfour",
    **how: Any,
) -> tuple[Opening, ...]:
    """Write a file of that name and read its openings."""
    return book(folder, name, text, spec, **how).openings


def book(folder: Path, name: str, text: str, spec: str, **how: Any) -> Book:
    """Write a file of that name and read it."""
    if spec == "chess":
        pytest.importorskip("chess")
    (folder / name).write_text(text, encoding="utf-8")
    usual: dict[str, Any] = {"rounds": 10, "seed": 1}
    return read_book(BookFile(path=folder / name, game=find_game(spec), **{**usual, **how}))


def texts(opening: Opening) -> str:
    """Write an opening's moves as people do."""
    state = find_game(opening.game).initial()
    moves: list[str] = []
    for wire in opening.moves:
        moves += texts_of(state, [decode_move(state, wire)])
        state = replay(state, (wire,))
    return " ".join(moves)


LINES = """\
\ufeff# four openings, and one of them twice
4 4 3

4, 4,5   # with commas
112
4 4 3
1
"""


def test_lines_of_moves_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, "book.TXT", LINES)
    assert [texts(opening) for opening in found] == ["4 4 3", "4 4 5", "1 1 2", "1"]
    assert {opening.game for opening in found} == {"connectfour"}
    cut = read(tmp_path, "book.txt", LINES, plies=2)
    assert [texts(opening) for opening in cut] == ["4 4", "1 1", "1"]


@pytest.mark.extra
def test_a_comma_within_a_move_is_no_separator(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    line = "x(0,1), o(1,1)\nx(0,1) o(2,2)"
    found = read(tmp_path, "book.txt", line, "openspiel:tic_tac_toe")
    assert [texts(opening) for opening in found] == ["x(0,1) o(1,1)", "x(0,1) o(2,2)"]


def test_the_order_is_the_files_or_drawn(tmp_path: Path) -> None:
    text = "\n".join(f"{one} {two}" for one in range(1, 8) for two in range(1, 8))
    listed = read(tmp_path, "book.txt", text)
    drawn = read(tmp_path, "book.txt", text, is_shuffled=True)
    assert drawn == read(tmp_path, "book.txt", text, is_shuffled=True)
    assert drawn != read(tmp_path, "book.txt", text, is_shuffled=True, seed=2)
    assert [texts(opening) for opening in listed] == text.split("\n")
    assert drawn != listed
    assert set(drawn) == set(listed)


def test_a_book_repeats_and_is_kept_as_text(tmp_path: Path) -> None:
    found = read(tmp_path, "book.txt", LINES)
    openings = BookOpenings(found)
    assert [openings[number] for number in range(9)] == [*found, *found, found[0]]
    assert (openings.distinct(3), openings.distinct(9)) == (3, 4)
    assert unpack(pack(found)) == found


@pytest.mark.parametrize(
    ("spec", "text", "fens"),
    [
        ("connectfour", f'{FOUR_IN}\n7/7/7/7/7/7 r id "empty";', [FOUR_IN, "7/7/7/7/7/7 r 1"]),
        ("connectfour", f"7/7/7/7/3y3/2rr3 y\n{FOUR_IN}\n7/7/7/7/3Y3/2RR3 y", [FOUR_IN]),
        (
            "othello?score=discs",
            '8/8/8/3ox3/3xo3/8/8/8 x acd 3; id "a b";',
            ["8/8/8/3ox3/3xo3/8/8/8 x"],
        ),
        ("breakthrough?columns=4&rows=5", "pppp/4/4/4/PPPP b", ["pppp/4/4/4/PPPP b - - 0 1"]),
        ("mnk?columns=3&rows=3&connect=3", "3/1x1/3 o 1", ["3/1x1/3 o 1"]),
        ("tictactoe", "3/1x1/3 o", ["3/1x1/3 o 1"]),
        (
            "chess",
            f'{ITALIAN} bm Nf6; id "Italian";\n{ITALIAN} 3 3\n\n# a comment\n{USUAL} hmvc 0;',
            [f"{ITALIAN} 0 1", f"{ITALIAN} 3 3", f"{USUAL} 0 1"],
        ),
        (
            "chess",
            f'{ITALIAN} id "end #01; no # comment"; hmvc 98; fmvn 70; # one\n'
            f'{ITALIAN} fmvn 7; bm Nf6\n{ITALIAN} 5 6 hmvc 1; id "x"',
            [f"{ITALIAN} 98 70", f"{ITALIAN} 0 7", f"{ITALIAN} 5 6"],
        ),
    ],
)
def test_positions_are_read(tmp_path: Path, spec: str, text: str, fens: list[str]) -> None:
    for name in ("book.epd", "book.fen"):
        found = read(tmp_path, name, text, spec)
        starts = [find_game(opening.game).initial() for opening in found]
        assert [start.fen() for start in starts] == fens
        assert all(opening.moves == () for opening in found)
        usual = find_game(spec)
        assert all(start.game.starting_at("") == usual for start in starts)


PGN = """\
[Event "a"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 {Spanish} 1-0

[Event "b"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 *
"""


def test_games_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, "book.pgn", PGN, "chess")
    assert [texts(opening) for opening in found] == ["e4 e5 Nf3 Nc6 Bb5", "e4 e5 Nf3 Nc6 Bc4"]
    assert [texts(opening) for opening in read(tmp_path, "book.pgn", PGN, "chess", plies=3)] == [
        "e4 e5 Nf3"
    ]


END = "8/8/8/4k3/8/8/3QK3/8 b - - 3 40"
FROM_FENS = f"""\
[FEN "{END}"]

40... Kf5 41. Kf3 Ke5 *

[Variant "From Position"]
[FEN "{END}"]

*

[Event "usual"]

1. e4 *
"""


def test_games_from_positions_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, "book.pgn", FROM_FENS, "chess", plies=2)
    starts = [find_game(opening.game).initial().fen() for opening in found]
    assert starts == [END, END, f"{USUAL} 0 1"]
    assert [texts(opening) for opening in found] == ["Kf5 Kf3", "", "e4"]


MATED = "7k/6Q1/6K1/8/8/8/8/8 b - -"
WON = "7k/5Q2/6K1/8/8/8/8/8 w - -"


@pytest.mark.parametrize(
    ("name", "spec", "text", "skipped", "left"),
    [
        ("b.epd", "chess", f"{WON}\n8/8 w - -\n{MATED}\n{USUAL} ?\n{USUAL}", [2, 3, 4, 1], 1),
        ("b.txt", "connectfour", "4 9\n4 4\n1 2 1 2 1 2 1\n1 2 1 2 1 3", [1, 3, 4], 1),
        ("b.pgn", "chess", f"1. e4 Ke3 *\n\n{PGN}\n1. f3 e5 2. g4 *", [1, 11], 2),
    ],
)
def test_bad_openings_are_skipped_by_choice(
    tmp_path: Path,
    name: str,
    spec: str,
    text: str,
    skipped: list[int],
    left: int,
) -> None:
    with pytest.raises(
        SetupError, match=r"line \d+.*\(--skip-bad-openings leaves such openings out"
    ):
        book(tmp_path, name, text, spec)
    found = book(tmp_path, name, text, spec, skips_bad=True, is_shuffled=True)
    assert len(found.openings) == left
    lines = [int(re.findall(r"line (\d+)", each)[0]) for each in found.skipped]
    assert lines == skipped
    assert found.note.startswith(f"skipped bad openings: {len(skipped)}: ")
    assert ("and 1 more" in found.note) == (len(skipped) == 4)
    assert book(tmp_path, "good.txt", "4 4\n1 2", "connectfour", skips_bad=True).note == ""


def test_a_book_of_bad_openings_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        SetupError, match="expected openings, found none: line 1: the match is over"
    ):
        book(tmp_path, "b.epd", MATED, "chess", skips_bad=True)


def polyglot(path: Path, lines: dict[str, int]) -> Path:
    """Write a Polyglot book whose last moves of lines in UCI have these weights."""
    import chess.polyglot  # noqa: PLC0415 (of an extra)

    entries = []
    for line, weight in lines.items():
        *before, last = line.split()
        board = chess.Board()
        for text in before:
            board.push_uci(text)
        move = board.parse_uci(last)
        raw = move.to_square | move.from_square << 6
        entries.append((chess.polyglot.zobrist_hash(board), raw, weight, 0))
    path.write_bytes(b"".join(struct.pack(">QHHI", *each) for each in sorted(entries)))
    return path


BOOK = {
    "e2e4": 3,
    "d2d4": 1,
    "a2a3": 0,
    "e2e4 e7e5": 1,
    "e2e4 c7c5": 1,
    "e2e4 e7e5 g1f3": 1,
    "d2d4 d7d5": 1,
}


@pytest.mark.slow
def test_lines_are_drawn_from_polyglot_books(tmp_path: Path) -> None:
    pytest.importorskip("chess")
    from games.chess.polyglot import draw_lines  # noqa: PLC0415 (of an extra)
    from games.chess.rules import Chess  # noqa: PLC0415 (of an extra)

    path, game = polyglot(tmp_path / "book.bin", BOOK), find_game("chess")

    def lines(plies: int | None, seed: int = 1) -> list[str]:
        return [
            texts(each)
            for each in read_book(
                BookFile(path=path, game=game, plies=plies, rounds=10, seed=seed)
            ).openings
        ]

    assert sorted(lines(1)) == ["d4", "e4"]
    assert sorted(lines(2)) == ["d4 d5", "e4 c5", "e4 e5"]
    # A line is as long as the book knows it.
    assert sorted(lines(None)) == ["d4 d5", "e4 c5", "e4 e5 Nf3"]
    assert lines(2) == lines(2)
    assert isinstance(game, Chess)
    firsts = [draw_lines(path, game, 1, 1, random.Random(seed))[0] for seed in range(200)]
    # By the weights, three of four begin with e4: 150 of 200, give or take four deviations of 6.
    assert 126 <= firsts.count((game.initial().parse("e4"),)) <= 174


@pytest.mark.parametrize(
    ("name", "spec", "text", "message"),
    [
        ("b.txt", "connectfour", "4 4\n\n4 9 # no", r"b\.txt', line 3, ply 2: illegal move '9'"),
        ("b.txt", "connectfour", "1 2 1 2 1 2 1", r"b\.txt', line 1: the match is over there"),
        ("b.txt", "connectfour", "4\n1 2 1 2 1 3", "line 2: somebody wins by force within 2"),
        ("b.txt", "connectfour", "1 2 1 2 1 2 1 3", "line 1, ply 8: .* the match is over"),
        ("b.txt", "connectfour", "# none\n\n", r"b\.txt', expected openings, found none"),
        ("b.txt", "chess", "e4 e5\ne4 e5 Ke3", "line 2, ply 3: illegal move 'Ke3'"),
        ("b.epd", "chess", f"{USUAL}\n8/8 w - -", "line 2: option fen: .* expected 8 ranks"),
        ("b.epd", "chess", f"{USUAL} 0 1 ? e4", "'\\? e4' after the position: .* such as 'bm e4;'"),
        ("b.epd", "chess", f"{USUAL} hmvc x;", "line 1: hmvc 'x': expected a whole number"),
        ("b.epd", "chess", "7k/5Q2/6K1/8/8/8/8/8 w - -", "line 1: somebody wins by force"),
        ("b.epd", "chess", "7k/6Q1/6K1/8/8/8/8/8 b - -", "line 1: the match is over there"),
        ("b.epd", "connectfour", "443", "line 1: option fen: .* expected 6 rows"),
        ("b.epd", "connectfour", "7/7/7/7/7/rrry3 y", "line 1: .* 3 red discs and 1 yellow"),
        ("b.epd", "tree", "443", r"b\.epd', game 'tree' can't begin at a position"),
        ("b.pgn", "chess", f"{PGN}\n1. e4 Nf6 2. Nf6 *", r"game 3 \(line 9\), ply 3: illegal san"),
        ("b.pgn", "chess", "1. f3 e5 2. g4 *", r"game 1 \(line 1\): somebody wins by force"),
        ("b.pgn", "chess", "\n", "expected openings, found none"),
        ("b.pgn", "connectfour", "1. e4 *", "is only for chess, not connectfour"),
        ("b.bin", "chess", "too short", "is no Polyglot book"),
        ("b.bin", "chess", "x" * 32, "has no move in the first position of chess"),
        ("b.bin", "othello", "x" * 32, "is only for chess, not othello"),
        ("b.csv", "chess", "e4", r"ends in \.txt, \.epd, \.fen, \.pgn or \.bin, or"),
        ("b.gz", "chess", "e4", r"can't be unpacked: Not a gzipped file"),
        ("b.epd.zst", "chess", "e4", r"can't be unpacked: "),
        ("b.zip", "chess", "e4", r"can't be unpacked: File is not a zip file"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(
    tmp_path: Path, name: str, spec: str, text: str, message: str
) -> None:
    with pytest.raises(SetupError, match=message) as caught:
        read(tmp_path, name, text, spec)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    game = find_game("connectfour")
    for name in ("none.txt", "none.pgn", "none.bin"):
        with pytest.raises(SetupError, match=rf"{name}': No such file"):
            read_book(BookFile(path=tmp_path / name, game=game))
    with pytest.raises(SetupError, match="--opening-plies is for files of moves"):
        read(tmp_path, "book.epd", FOUR_IN, plies=3)


def test_compressed_books_are_read(tmp_path: Path) -> None:
    plain = read(tmp_path, "book.txt", LINES)
    data, game = (tmp_path / "book.txt").read_bytes(), find_game("connectfour")
    (tmp_path / "book.txt.gz").write_bytes(gzip.compress(data))
    (tmp_path / "book.txt.zst").write_bytes(zstd_module().compress(data))
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as archive:
        archive.writestr("folder/book.txt", data)
    for name in ("book.txt.gz", "book.txt.zst", "book.zip"):
        assert read_book(BookFile(path=tmp_path / name, game=game)).openings == plain
    with zipfile.ZipFile(tmp_path / "book.zip", "a") as archive:
        archive.writestr("more.txt", data)
    with pytest.raises(SetupError, match="an archive of 2 files: expected one"):
        read_book(BookFile(path=tmp_path / "book.zip", game=game))


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "PLAIN_MAX", 1000)
    (tmp_path / "book.txt.gz").write_bytes(gzip.compress(b"4 4 3\n" * 1000))
    with (
        pytest.raises(SetupError, match="holds more than"),
        compressed.plain_file(tmp_path / "book.txt.gz"),
    ):
        pass
