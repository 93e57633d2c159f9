"""Results read from PGN files by their tags: regular ones, odd ones, packed and damaged ones."""

import bz2
import gzip
import io
import lzma
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.interchange.pgn import files
from league.interchange.pgn.results import Results, collect
from league.interchange.pgn.sections import TAG_MAX
from league.model.errors import SetupError

NAMES = ("Alpha 1.0", "Bêta", 'the "third"', "back\\slash", "a]b", "[c")
SCORED = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
MOVES = "1. e4 {[%clk 0:01:00] first\nof two lines} e5\n2. Nf3 $1 (2. f4 d5) Nc6"

few = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def game(white: str, black: str, result: str, order: str = "ESWOBR", blank: str = "\n") -> str:
    """Write a game with its tags in that order: Event, Site, White, anOther, Black, Result."""

    def quoted(text: str) -> str:
        return text.replace("\\", "\\\\").replace('"', '\\"')

    tags = {
        "E": "Event",
        "S": "Site",
        "W": "White",
        "O": "WhiteElo",
        "B": "Black",
        "R": "Result",
    }
    values = {"W": white, "B": black, "R": result}
    lines = "".join(f'[{tags[tag]} "{quoted(values.get(tag, "x"))}"]\n' for tag in order)
    return f"{lines}{blank}{MOVES} {result}\n\n"


def read(folder: Path, text: str | bytes, name: str = "games.pgn") -> Results:
    """Write a file and collect its results."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return collect([str(path)])


played = st.tuples(
    st.permutations(NAMES).map(lambda names: (names[0], names[1])),
    st.sampled_from([*SCORED, "*"]),
    st.permutations("ESWOBR").map("".join) | st.just("ESWOBR"),
)


@pytest.mark.slow
@few
@given(st.lists(played, min_size=1, max_size=12), st.booleans(), st.integers(20, 2000))
def test_every_game_counts_whatever_its_tags_order_and_wherever_blocks_end(
    tmp_path: Path, games: list[tuple[tuple[str, str], str, str]], is_crlf: bool, block: int
) -> None:
    text = "".join(game(*names, result, order) for names, result, order in games)
    if is_crlf:
        text = text.replace("\n", "\r\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", block)
        patch.setattr(files, "_CHUNK", 1 + block // 3)
        found = read(tmp_path, text)
    expected: Counter[tuple[str, str, int]] = Counter(
        (*names, SCORED[result]) for names, result, _ in games if result != "*"
    )
    counted = {
        (*pair, kind): count
        for pair, counts in found.scores.items()
        for kind, count in enumerate(counts)
        if count
    }
    assert counted == expected
    assert found.left_out == Counter(unfinished=sum(result == "*" for _, result, _ in games)) + (
        Counter()
    )
    assert found.faults == []
    assert found.size == len(text.encode())


@pytest.mark.parametrize(
    ("written", "counts"),
    [
        ("1/2", [0, 1, 0]),
        ("½-½", [0, 1, 0]),
        ("0.5-0.5", [0, 1, 0]),
        ("1:0", [1, 0, 0]),
        (" 0-1 ", [0, 0, 1]),
    ],
)
def test_results_are_read_as_people_write_them(
    tmp_path: Path, written: str, counts: list[int]
) -> None:
    assert read(tmp_path, game("a", "b", written)).scores == {("a", "b"): counts}


def test_names_are_utf8_or_latin1_and_a_mark_at_the_beginning_is_none(tmp_path: Path) -> None:
    text = game("Bêta", "Ø", "1-0")
    assert read(tmp_path, text.encode("latin-1")).scores == {("Bêta", "Ø"): [1, 0, 0]}
    only = '[White "Bêta"]\n[Black "Ø"]\n[Result "1-0"]\n'
    assert read(tmp_path, only.encode("utf-8-sig")).scores == {("Bêta", "Ø"): [1, 0, 0]}


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        ('[Black "b"]\n', "no tag Black"),
        ('[Result "1-0"]\n', "no tag Result"),
        ('[White "a"]\n', "no tag White"),
    ],
)
def test_a_game_that_lacks_a_tag_is_left_out_and_the_rest_counts(
    tmp_path: Path, damage: str, text: str
) -> None:
    regular = game("a", "b", "1-0")
    found = read(tmp_path, regular + regular.replace(damage, "") + regular)
    assert found.scores == {("a", "b"): [2, 0, 0]}
    assert found.left_out == {"unreadable": 1}
    assert found.faults == [f"{tmp_path}/games.pgn line 12: {text}"]


def test_what_else_does_not_count_is_told(tmp_path: Path) -> None:
    text = "".join(
        game(*each)
        for each in (
            ("a", "b", "1-0"),
            ("a", "a", "1-0"),
            ("?", "b", "1-0"),
            ("", "b", "1-0"),
            ("a", "b", "3-1\x1b[2J"),
        )
    )
    text += '[Event "x"]\n[White "a]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n'
    text += '[White "b"]\n[Black "a"]\n[Result "1-0"]\n[White "c"]\n[Black "a"]\n[Result "0-1"]\n'
    found = read(tmp_path, text)
    assert found.scores == {
        ("a", "b"): [1, 0, 0],
        ("b", "a"): [1, 0, 0],
        ("c", "a"): [0, 0, 1],
    }
    assert found.left_out == {
        "nameless": 2,
        "against itself": 1,
        "unknown result": 1,
        "unreadable": 1,
    }
    assert any("line 56: the tag White has no text" in fault for fault in found.faults)
    assert any(r"unknown result '3-1\x1b[2J'" in fault for fault in found.faults)


def test_blank_lines_and_damage_among_the_tags_lose_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BLOCK", 100)
    monkeypatch.setattr(files, "_CHUNK", 10)
    text = game("a", "b", "1-0").replace("]\n", "]\n\n")
    assert read(tmp_path, text * 9).scores == {("a", "b"): [9, 0, 0]}
    text = game("a", "b", "1-0", "EBSWOR").replace('Site "x"', 'Site "the "x""')
    assert read(tmp_path, text * 9).scores == {("a", "b"): [9, 0, 0]}


def test_brackets_in_comments_are_no_games(tmp_path: Path) -> None:
    text = game("a", "b", "1-0").replace("first\n", 'first\n[see also "this"]\n[%eval 1]\n')
    found = read(tmp_path, text * 3)
    assert found.scores == {("a", "b"): [3, 0, 0]}
    assert not found.left_out


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_read_by_what_they_begin_with(tmp_path: Path, pack: object) -> None:
    text = game("a", "b", "1-0") * 9
    assert callable(pack)
    found = read(tmp_path, pack(text.encode()), "games.dat")
    assert found.scores == {("a", "b"): [9, 0, 0]}
    assert found.size == len(text)


@pytest.mark.parametrize("cut", [0.3, 0.9])
def test_a_damaged_file_counts_as_far_as_it_can_be_read(tmp_path: Path, cut: float) -> None:
    text = "".join(game(f"a{number}", "b", "1-0") for number in range(3000))
    packed = gzip.compress(text.encode())
    found = read(tmp_path, packed[: int(len(packed) * cut)])
    assert 3000 * cut * 0.7 < sum(map(sum, found.scores.values())) < 3000
    assert "damaged after" in found.faults[0]
    broken = bytearray(packed)
    broken[int(len(packed) * cut)] ^= 0xFF
    assert "damaged after" in read(tmp_path, bytes(broken)).faults[0]


def test_what_is_no_pgn_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="expected games in PGN, found none"):
        read(tmp_path, "hello\n" * 9)
    with pytest.raises(SetupError, match="expected games in PGN, found none"):
        read(tmp_path, "")
    with pytest.raises(SetupError, match=r"can't read .*No such file"):
        collect([str(tmp_path / "none.pgn")])
    with pytest.raises(SetupError, match=r"can't read .*Is a directory"):
        collect([str(tmp_path)])


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python unpacks it")
def test_zstd_is_for_a_later_python(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"zstd -dc .* \| league rate-pgn -"):
        read(tmp_path, b"\x28\xb5\x2f\xfd rest")


def test_text_without_an_end_of_a_game_is_parted_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BLOCK", 1000)
    monkeypatch.setattr(files, "_CHUNK", 1000)
    monkeypatch.setattr(files, "BLOCK_MAX", 5000)
    endless = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n' + "1. e4 e5\n" * 5000
    path = tmp_path / "games.pgn"
    path.write_text(endless)
    blocks = list(files.PgnFile(str(path)).blocks())
    assert max(len(block.text) for block in blocks) <= 6000
    assert collect([str(path)]).scores == {("a", "b"): [1, 0, 0]}


def test_names_that_are_too_long_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(game("a", "b", "1-0") + game("x" * (TAG_MAX + 1), "b", "1-0"))
    found = collect([str(path)])
    assert found.scores == {("a", "b"): [1, 0, 0]}
    assert found.left_out == {"unreadable": 1}


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Standard:
        buffer = io.BufferedReader(io.BytesIO(game("a", "b", "0-1").encode()))

    monkeypatch.setattr(sys, "stdin", Standard)
    assert collect(["-"]).scores == {("a", "b"): [0, 0, 1]}


@pytest.mark.parametrize("order", ["ESWOBR", "RBWES"])
def test_a_result_that_the_moves_contradict_is_named(tmp_path: Path, order: str) -> None:
    good = game("a", "b", "1-0", order)
    bad = game("a", "b", "0-1", order).replace("Nc6 0-1", "Nc6 1/2-1/2")
    found = read(tmp_path, good + bad + good + bad * 7)
    line = good.count("\n") + 1
    assert found.faults[0].endswith(
        f"game 2 (line {line}): the tag Result is '0-1', and the moves end with '1/2-1/2': "
        "the tag counts"
    )
    assert found.faults[-1].endswith(": 3 more such games")
    assert found.scores["a", "b"] == [2, 0, 8]
    assert not read(tmp_path, good * 3).faults
    (tmp_path / "games.pgn").write_text(good + bad)
    with pytest.raises(SetupError, match=r"game 2 .*--strict"):
        collect([str(tmp_path / "games.pgn")], is_strict=True)


def test_moves_without_a_result_contradict_nothing(tmp_path: Path) -> None:
    found = read(tmp_path, game("a", "b", "1-0").replace("Nc6 1-0", "Nc6"))
    assert not found.faults
