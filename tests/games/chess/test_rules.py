"""Chess against published numbers of lines, and its draws, notations, drawings and openings."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("chess", reason="python-chess is not installed: pip install 'botleague[chess]'")

from games.chess.pgn import numbered_openings
from games.chess.rules import GAME, Chess, ChessState
from games.support.errors import InputError, MoveError, OptionError, PositionError
from games.support.game import State
from games.support.specs import GAMES, find_game
from tests.examples import soak
from tests.strategies import open_positions, walks

USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITION_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
FISCHER_1 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
FISCHER_2 = "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9"
FISCHER_3 = "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9"
SHUFFLE = "Nf3 Nf6 Ng1 Ng8 "


def at(text: str, spec: str = "chess") -> ChessState:
    """Return the position that a FEN or moves give."""
    game = find_game(spec)
    assert isinstance(game, Chess)
    return game.position(text)


def lines(state: State, depth: int) -> int:
    """Count the lines of `depth` plies."""
    if depth == 0:
        return 1
    moves = state.legal_moves()
    return len(moves) if depth == 1 else sum(lines(state.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("spec", "fen", "counts"),
    [
        ("chess", USUAL, [20, 400, 8902]),
        ("chess", KIWIPETE, [48, 2039]),
        ("chess", POSITION_3, [14, 191, 2812]),
        ("chess", POSITION_4, [6, 264, 9467]),
        ("chess", POSITION_5, [44, 1486]),
        # Checks that no last move can have given (tricky.perft of python-chess).
        ("chess", "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - -", [4, 125, 2854]),
        ("chess", "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - -", [3, 81, 1217]),
        ("chess", "5R2/2P5/8/4k3/8/3rK2r/8/8 w - -", [2, 56, 1030]),
        ("chess", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3", [6, 121, 711]),
        ("chess", "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6", [5, 100, 555]),
        (
            "chess",
            "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6",
            [2, 92, 2528],
        ),
        ("chess?chess960=yes", FISCHER_1, [21, 528, 12189]),
        ("chess?chess960=yes", FISCHER_2, [21, 807, 18002]),
        ("chess?chess960=yes", FISCHER_3, [20, 479, 10471]),
    ],
)
def test_perft(spec: str, fen: str, counts: list[int]) -> None:
    """Chess Programming Wiki, Perft Results and Chess960 Perft Results."""
    assert [lines(at(fen, spec), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "fen", "depth", "count"),
    [
        ("chess", USUAL, 4, 197281),
        *soak(("chess", USUAL, 5, 4865609)),
        ("chess", KIWIPETE, 3, 97862),
        ("chess", POSITION_3, 4, 43238),
        ("chess", POSITION_4, 4, 422333),
        ("chess", POSITION_5, 3, 62379),
        ("chess?chess960=yes", FISCHER_1, 4, 326672),
        ("chess?chess960=yes", FISCHER_2, 4, 667366),
        ("chess?chess960=yes", FISCHER_3, 4, 273318),
    ],
)
def test_perft_goes_deeper(spec: str, fen: str, depth: int, count: int) -> None:
    assert lines(at(fen, spec), depth) == count


@pytest.mark.parametrize(
    ("text", "utilities", "status"),
    [
        ("f3 e5 g4 Qh4#", (-1, 1), "Black won by checkmate"),
        ("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", (1, -1), "White won by checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (0, 0), "draw by stalemate"),
        ("8/8/8/4k3/8/8/8/K7 w - - 0 1", (0, 0), "draw by insufficient material"),
        ("8/8/8/4k3/8/8/8/KN6 w - - 0 1", (0, 0), "draw by insufficient material"),
        ("8/8/8/4k3/8/5b2/8/KB6 w - - 0 1", (0, 0), "draw by insufficient material"),
        ("8/8/8/4k3/8/8/8/KR6 w - - 100 80", (0, 0), "draw by the fifty-move rule"),
        (SHUFFLE * 2, (0, 0), "draw by threefold repetition"),
        # Mate on the hundredth ply counts.
        ("R6k/8/6K1/8/8/8/8/8 b - - 100 80", (1, -1), "White won by checkmate"),
    ],
)
def test_endings(text: str, utilities: tuple[float, ...], status: str) -> None:
    state = at(text)
    assert state.outcome() == utilities
    assert state.status() == status
    assert state.render().endswith(f"\n{status}")


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/4k3/8/8/8/KR6 w - - 99 80",
        "8/8/8/4k3/8/8/8/KNN5 w - - 0 1",
        "8/8/8/4k3/8/4b3/8/KB6 w - - 0 1",  # bishops on squares of both colours can mate
        f"{SHUFFLE * 2}".rsplit(" ", 2)[0],
        SHUFFLE,
    ],
)
def test_no_ending_yet(text: str) -> None:
    assert at(text).outcome() is None


def test_the_hundredth_ply_without_progress_draws() -> None:
    state = at("8/8/8/4k3/8/8/8/KR6 w - - 99 80")
    assert state.play(state.parse("Rb2")).ending() == "the fifty-move rule"


def test_repetition_counts_no_position_where_a_right_differs() -> None:
    """The first time White could castle, the second and third he could not."""
    state = at("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    for times in (1, 2):
        for text in ("Rh2", "Kd8", "Rh1", "Ke8"):
            state = state.play(state.parse(text))
        assert state.times() == times
        assert state.outcome() is None
    assert state.play(state.parse("Rh2")).ending() == "threefold repetition"


@pytest.mark.parametrize(
    ("fen", "times"),
    [
        # The pawn on d4 could take on e3 the first time, so that was another position.
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 1),
        # No pawn could, so it was the same.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 2),
        # The pawn on d4 is pinned to its king, so it could not either.
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", 2),
    ],
)
def test_repetition_asks_whether_en_passant_was_legal(fen: str, times: int) -> None:
    state = at(fen)
    king = "Kd7" if fen.startswith("4k3") else "Kc7"
    back = "Ke8" if fen.startswith("4k3") else "Kd8"
    for text in ("e4", king, "Kf2", back, "Ke1"):
        state = state.play(state.parse(text))
    assert state.times() == times


def test_the_key_knows_what_can_repeat() -> None:
    """The same board with the same clock, by ways that passed other positions."""
    one, other = at("Nf3 Nf6 Nc3 Nc6"), at("Nc3 Nf6 Nf3 Nc6")
    assert one.place() == other.place()
    assert one.board.halfmove_clock == other.board.halfmove_clock
    assert one.key() != other.key()
    assert one != other
    # Pawn moves leave nothing to repeat, but the number of plies since the last one counts.
    assert at("e4 e5 d4 d5") == at("d4 e5 e4 d5")
    assert at("e4 e5 Nf3") != at("Nf3 e5 e4")


def test_the_outcome_differs_by_the_history() -> None:
    first = at("Nf3 Nf6")
    second = at(f"{SHUFFLE}Nf3 Nf6")
    assert first.place() == second.place()
    assert first.key() != second.key()
    assert (first.times(), second.times()) == (1, 2)
    for text in ("Ng1", "Ng8"):
        first, second = first.play(first.parse(text)), second.play(second.parse(text))
    assert first.outcome() is None
    assert second.outcome() == (0, 0)


def test_the_order_of_the_history_is_no_part_of_the_key() -> None:
    """The knights of one wing go out and back, then those of the other, or the other way round."""
    one = at("e3 e6 Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8")
    other = at("e3 e6 Nc3 Nc6 Nb1 Nb8 Nf3 Nf6 Ng1 Ng8")
    assert len(one.before) == 8
    assert one == other
    assert hash(one) == hash(other)


def test_a_capture_or_pawn_move_forgets_the_history() -> None:
    assert at(f"{SHUFFLE}e4").before == frozenset()
    assert len(at(f"{SHUFFLE}e4 Nf6").before) == 1
    assert at(f"{SHUFFLE}e4") == at("e4")


@pytest.mark.parametrize("text", ["", SHUFFLE, f"{SHUFFLE}Nf3", "f3 e5 g4 Qh4#", KIWIPETE])
def test_copies_are_equal_and_play_on_alike(text: str) -> None:
    state = at(text) if text else GAME.initial()
    for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):  # noqa: S301 (our own)
        assert twin == state
        assert twin.outcome() == state.outcome()
        for move in state.legal_moves():
            assert twin.play(move) == state.play(move)
            assert twin.play(move).outcome() == state.play(move).outcome()


@given(walks("chess"))
def test_notations_round_trip(states: list[State]) -> None:
    for state in states[:-1]:
        assert isinstance(state, ChessState)
        for move in state.legal_moves()[::5]:
            assert state.parse(state.text(move)) == move
            assert state.parse(state.code(move)) == move
        assert at(state.fen()).place() == state.place()


@given(open_positions("chess"))
def test_the_first_order_is_of_gain(state: State) -> None:
    assert isinstance(state, ChessState)
    ordered = list(state.order(state.legal_moves()))
    board = state.board
    loud = [move >> 12 > 0 or board.piece_at(move >> 6 & 63) is not None for move in ordered]
    passant = [
        board.ep_square is not None and move >> 6 & 63 == board.ep_square for move in ordered
    ]
    assert all(
        loud[index] or passant[index] or not any(loud[index:]) for index in range(len(ordered))
    )
    if not board.is_check():
        captures = {
            move.from_square | move.to_square << 6 for move in board.generate_legal_captures()
        }
        expected = {move for move in ordered if move >> 12 or move & 4095 in captures}
        assert set(state.noisy_moves()) == expected
        assert set(ordered[: len(expected)]) == expected


def test_order_puts_the_best_exchange_first() -> None:
    state = at("4k3/2P5/8/3q1r2/4P3/5N2/8/3RK3 w - - 0 1")
    texts = [state.text(move) for move in state.order(state.legal_moves())]
    assert texts[:7] == ["exd5", "c8=Q+", "Rxd5", "exf5", "c8=R+", "c8=B", "c8=N"]


def test_in_check_every_move_is_noisy() -> None:
    state = at("4k3/8/8/8/4q3/8/8/4K3 w - - 0 1")
    assert state.noisy_moves() == state.legal_moves()
    assert len(state.legal_moves()) == 4


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (KIWIPETE, "O-O", "e1g1"),
        (KIWIPETE, "0-0", "e1g1"),
        (KIWIPETE, "o-o-o", "e1c1"),
        (KIWIPETE, "0-0-0", "e1c1"),
        (KIWIPETE, "e1g1", "e1g1"),
        (KIWIPETE, "E1G1", "e1g1"),
        (KIWIPETE, "e1h1", "e1g1"),
        (KIWIPETE, "nxd7!", "e5d7"),
        (KIWIPETE, "Ne5xd7", "e5d7"),
        ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a8=Q", "a7a8q"),
        ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a8N", "a7a8n"),
        ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "A7A8R", "a7a8r"),
        # Pawn and bishop both take on c3.
        ("k7/8/8/8/1p3b2/2N5/3b4/K7 b - - 0 1", "bxc3", "b4c3"),
        ("k7/8/8/8/1p3b2/2N5/3b4/K7 b - - 0 1", "Bxc3", "d2c3"),
        ("k7/8/8/8/1p3b2/2N5/3b4/K7 b - - 0 1", "BXC3", "d2c3"),
        ("k7/8/8/8/1p3b2/2N5/3b4/K7 b - - 0 1", "bXc3", "b4c3"),
        # Only the pawn does.
        ("k7/8/8/8/1p6/2N5/8/K7 b - - 0 1", "BXC3", "b4c3"),
    ],
)
def test_texts_that_people_write(fen: str, text: str, uci: str) -> None:
    state = at(fen)
    assert state.code(state.parse(text)) == uci


@pytest.mark.parametrize(
    "text", ["e5", "e2e5", "0000", "--", "Z0", "a1a1", "O-O", "e9", "", "Nf3 e5", "0", "e8=K"]
)
def test_an_illegal_move_lists_the_legal_ones(text: str) -> None:
    with pytest.raises(MoveError, match=r"illegal move .* \(legal: Nh3, Nf3, .*\)"):
        GAME.initial().parse(text)


def test_a_small_b_is_never_a_bishop() -> None:
    state = at("k7/8/8/8/8/2N5/3b4/K7 b - - 0 1")
    with pytest.raises(MoveError, match="illegal move 'bxc3'"):
        state.parse("bxc3")


def test_positions_are_read_from_numbered_moves() -> None:
    assert at("1. e4 e5 2. Nf3 Nc6") == at("1.e4 e5 2.Nf3 Nc6") == at("e2e4 e7e5 g1f3 b8c6")
    with pytest.raises(MoveError, match="ply 3: illegal move 'Nf6'"):
        at("1. e4 e5 2. Nf6")


def test_black_may_be_first_to_move() -> None:
    game = find_game(f"chess?fen={USUAL.replace(' w ', ' b ')}")
    assert game.initial().to_move == 1
    assert find_game(game.spec) == game


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("x", r"fen 'x': expected 6 fields \(pieces, side to move, .*\), got 1"),
        (f"{USUAL} 1 1", "expected 6 fields .* got 8"),
        ("8/8 w - - 0 1", r"field 1 \(pieces\) '8/8': expected 8 ranks .* got 2"),
        (USUAL.replace("/8/8/8", "/8/9/8"), r"field 1 .* rank 5, '9': .* got '9'"),
        (USUAL.replace("/8/8/8", "/8/7/8"), "rank 5, '7': expected 8 squares, got 7"),
        (USUAL.replace("/8/8/8", "/8/44/8"), "rank 5, '44': expected one number"),
        (USUAL.replace("q", "x", 1), "rank 8, 'rnbxkbnr': expected pnbrqk.* got 'x'"),
        (USUAL.replace(" w ", " x "), r"field 2 \(side to move\) 'x': expected w or b"),
        (USUAL.replace("KQkq", "KQkx"), r"field 3 \(castling\) 'KQkx': expected - or some"),
        (USUAL.replace(" - ", " e4 "), r"field 4 \(en passant\) 'e4': expected - or the square"),
        (USUAL.replace(" 0 1", " x 1"), r"field 5 \(fifty-move clock\) 'x': expected a whole"),
        (
            USUAL.replace(" 0 1", " 0 " + "1" * 5000),
            r"field 6 \(move number\) '1.*: expected a whole",
        ),
        (USUAL.replace("K", "Q", 1), r"field 1 \(pieces\) .*: expected one white king, got none"),
        (USUAL.replace("Q", "K", 1), "expected one king of each colour"),
        (USUAL.replace("/8/8/8/8/", "/8/8/8/P7/"), "expected at most 8 white pawns"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "expected no pawn on the first or the last rank"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "field 1 .* got an empty board"),
        ("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", r"field 2 .* 'w': expected the other side"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", r"field 3 .* 'KQ': expected rights only where"),
        (FISCHER_1, r"field 3 .* 'HFhf': expected .* \(with chess960 on, any on one rank\)"),
        (USUAL.replace(" - ", " e6 "), "field 4 .* 'e6': expected an empty square that a pawn"),
    ],
)
def test_a_bad_fen_names_its_field(fen: str, message: str) -> None:
    with pytest.raises(
        OptionError, match=f"^option fen: fen .*{message.removeprefix('fen ')}"
    ) as at_once:
        find_game(f"chess?fen={fen}")
    assert at_once.value.option == "fen"
    assert "\n" not in str(at_once.value)
    assert len(str(at_once.value)) < 300
    if "/" in fen:
        with pytest.raises(PositionError, match=message):
            at(fen)


@given(st.text("rnbqkpRNBQKP12345678/ wb-KQkq036eaH", min_size=1, max_size=80))
def test_any_text_for_a_fen_is_read_or_refused(text: str) -> None:
    try:
        message = Chess(fen=text).initial().render()
    except OptionError as error:
        message = f"{error}\n" * 10
    assert message.count("\n") >= 9
    assert message.count("\n") <= 10


def test_a_start_number_and_a_fen_exclude_each_other() -> None:
    with pytest.raises(OptionError, match="option start=5: expected none beside fen="):
        Chess(fen=USUAL, start=5)
    with pytest.raises(OptionError, match="expected a whole number from 0 to 959"):
        find_game("chess?start=960")


def test_start_numbers() -> None:
    """Reinhard Scharnagl's numbering: 518 is the usual array, 0 and 959 are the ends of it."""
    first = {start: at_start(start) for start in (0, 518, 959)}
    assert first[518].board.board_fen() == GAME.initial().board.board_fen()
    assert first[0].board.board_fen().startswith("bbqnnrkr")
    assert first[959].board.board_fen().startswith("rkrnnqbb")
    assert lines(first[518], 3) == 8902


def at_start(start: int) -> ChessState:
    """Return the first position of that number."""
    return Chess(start=start).initial()


def test_castling_in_chess960_is_the_king_that_takes_its_rook() -> None:
    state = at("k7/8/8/8/8/8/8/1R3K1R w BH - 0 1", "chess?chess960=yes")
    short, long = state.parse("O-O"), state.parse("O-O-O")
    assert (state.code(short), state.code(long)) == ("f1h1", "f1b1")
    assert (state.text(short), state.text(long)) == ("O-O", "O-O-O")
    assert state.parse("f1h1") == short == 5 | 7 << 6
    assert state.play(short).fen().startswith("k7/8/8/8/8/8/8/1R3RK1 b")
    assert state.play(long).fen().startswith("k7/8/8/8/8/8/8/2KR3R b")
    assert short not in state.noisy_moves()
    assert not set(state.order([short, long])) ^ {short, long}


@given(open_positions("chess"), st.booleans())
def test_evaluations_see_a_mirrored_board_from_the_other_side(state: State, late: bool) -> None:
    assert isinstance(state, ChessState)
    board = state.board.mirror()
    if late:
        board = at("4k3/pp6/8/8/4P3/8/8/1N2K3 w - - 0 1").board.mirror()
        state = at("4k3/pp6/8/8/4P3/8/8/1N2K3 w - - 0 1")
    if not board.is_valid():
        return
    mirrored = at(board.fen())
    for evaluation in GAME.evaluations:
        assert evaluation.function(state, 0) == evaluation.function(mirrored, 1)


@pytest.mark.parametrize(
    ("fen", "position", "material", "pieces"),
    [
        (USUAL, 0, 0, 0),
        # 1. e4: the pawn from -20 to 20.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 40, 0, 0),
        # A knight on b1 is worth 320 - 40; without queens both kings like the middle, -30 at e1.
        ("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", 280, 320, 1),
        ("4k3/8/8/8/3K4/8/8/1r6 w - - 0 1", -500 + 40 + 30, -500, -1),
        # A queen and a rook left to Black: both kings should hide, e8 is 0 and d4 -40.
        ("4k3/8/8/8/3K4/8/q7/2r5 w - - 0 1", -(900 - 10) - 500 - 40, -1400, -2),
    ],
)
def test_evaluations_of_known_positions(
    fen: str, position: float, material: float, pieces: float
) -> None:
    state = at(fen)
    found = [each.function(state, 0) for each in GAME.evaluations]
    assert found == [position, material, pieces]
    assert [each.function(state, 1) for each in GAME.evaluations] == [-each for each in found]


@pytest.mark.parametrize("side", ["w", "b"])
def test_the_most_that_evaluations_give_lies_within_their_bounds(side: str) -> None:
    """Fifteen queens on squares among their best, against a king alone in the corner."""
    state = (
        at(f"k7/8/2QQQQ2/1QQQQQ2/2QQQQ2/3K4/4QQ2/8 {side} - - 0 1")
        if side == "b"
        else at("K7/8/2qqqq2/1qqqqq2/2qqqq2/3k4/4qq2/8 w - - 0 1")
    )
    for evaluation in GAME.evaluations:
        worth = evaluation.function(state, state.to_move)
        assert evaluation.low <= worth < 0.98 * evaluation.low
        assert evaluation.function(state, 1 - state.to_move) == -worth


def test_the_drawing_shows_pieces_and_a_check() -> None:
    quiet, check = GAME.initial(), at("e4 e5 f4 Qh4+")
    assert quiet.render() == (
        "8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n5 . . . . . . . .\n"
        "4 . . . . . . . .\n3 . . . . . . . .\n2 P P P P P P P P\n1 R N B Q K B N R\n"
        "  a b c d e f g h\nWhite to move"
    )
    assert check.render().endswith("White to move, in check")
    assert "Chess: White to move, in check" in check.svg()
    assert quiet.svg().count('class="piece white"') == 16
    assert quiet.svg().count('class="piece black"') == 16
    assert quiet.svg().count('class="check"') == 0
    assert check.svg().count('class="check"') == 1


TWO_GAMES = """[Event "one"]

1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {a comment} Nc6 3. Bb5 *

[Event "two"]
[White "someone"]

1. d4 d5 2. c4 1/2-1/2
"""


def texts(opening: tuple[int, ...], spec: str = "chess") -> list[str]:
    """Write an opening in algebraic notation."""
    state = at_first = find_game(spec).initial()
    written = []
    for move in opening:
        written.append(state.text(move))
        state = state.play(move)
    assert at_first == find_game(spec).initial()
    return written


def openings(
    folder: Path, text: str, plies: int | None, spec: str = "chess"
) -> list[tuple[int, ...]]:
    """Read the openings of a PGN file of that text."""
    path = folder / "games.pgn"
    path.write_text(text, encoding="utf-8")
    game = find_game(spec)
    assert isinstance(game, Chess)
    return [moves for _, _, moves in numbered_openings(path, plies, game)]


def test_openings_come_from_pgn(tmp_path: Path) -> None:
    found = openings(tmp_path, TWO_GAMES, 4)
    assert [texts(each) for each in found] == [["e4", "e5", "Nf3", "Nc6"], ["d4", "d5", "c4"]]
    assert openings(tmp_path, TWO_GAMES, 0) == [(), ()]
    assert openings(tmp_path, "", 4) == []


def test_openings_of_chess960_come_from_pgn(tmp_path: Path) -> None:
    spec = "chess?start=502"
    game = find_game(spec)
    head = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{game.initial().fen()}"]\n\n'
    moves = "1. g3 g6 2. Bg2 Bg7 3. Nf3 Nf6 4. O-O *"
    (found,) = openings(tmp_path, head + moves, 7, spec)
    assert texts(found, spec) == ["g3", "g6", "Bg2", "Bg7", "Nf3", "Nf6", "O-O"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", r"game 1 \(line 1\): expected moves, found none"),
        (
            f'{TWO_GAMES}\n[Event "c"]\n\n1. e4 e5 2. Nf6 *',
            r"game 3 \(line 10\), ply 3: illegal san",
        ),
        ("\n\n1. f3 e5 2. g4 Qh4# 0-1", r"game 1 \(line 3\), ply 4: the match is over, Black won"),
        (f"{SHUFFLE * 2}e4 *", "ply 9: the match is over, draw by threefold repetition"),
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "expected chess, got the variant 'Crazyhouse'"),
        (f'[FEN "{KIWIPETE}"]\n\n1. O-O Nh1 *', r"game 1 \(line 1\), ply 2: illegal san"),
        ('[FEN "8/8"]\n\n1. O-O *', r"game 1 \(line 1\): expected 8 rows"),
    ],
)
def test_a_bad_pgn_names_the_game(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message) as caught:
        openings(tmp_path, text, 10 if SHUFFLE in text else 4)
    assert "\n" not in str(caught.value)


def test_a_pgn_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(PositionError, match=r"none\.pgn: No such file"):
        list(numbered_openings(tmp_path / "none.pgn", 4, Chess()))


def test_without_the_package_the_game_says_what_it_needs() -> None:
    code = (
        "import sys; sys.modules['chess'] = None\n"
        "from games.support.specs import find_game, GAMES\n"
        "from games.chess.rules import GAME\n"
        "from games.chess.pgn import match_from_pgn\n"
        "from games.support.errors import GameError\n"
        "assert 'chess' in GAMES.names() and GAME.spec == 'chess' and len(GAME.options) == 3\n"
        "for ask in (lambda: find_game('chess'), lambda: match_from_pgn('1. e4', GAME)):\n"
        "    try: ask()\n"
        "    except GameError as error: sys.stdout.write(f'{error}\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    needed = "game 'chess' needs python-chess: pip install 'botleague[chess]' (GPL-3)"
    assert done.stdout.splitlines() == [needed, needed]


def test_the_parts_of_the_game_are_no_games() -> None:
    assert [name for name in GAMES.names() if name.startswith("chess")] == ["chess"]
    with pytest.raises(InputError, match="unknown game 'chess_pgn'"):
        find_game("chess_pgn")
