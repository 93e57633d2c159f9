"""`league rate-pgn` as a user meets it."""

import csv
import io
import json
from pathlib import Path

from tests.league.command import league


def game(white: str, black: str, result: str) -> str:
    """Write one game."""
    return f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n1. e4 {result}\n\n'


LONG = "An engine with quite a long name, version 16.1 x64 avx2"
TEXT = (
    game(LONG, "b\x1b[2J", "1-0") * 5
    + game("b\x1b[2J", LONG, "1/2-1/2") * 3
    + game("=c", "d", "0-1")
    + game("=c", "d", "*")
)


def test_files_are_rated_without_a_league(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(TEXT)
    (tmp_path / "b.pgn").write_text(TEXT)
    out = league(tmp_path, "rate-pgn", "a.pgn", "b.pgn")
    assert max(map(len, out.splitlines())) < 120, "in a pipe nothing is folded"
    assert "\x1b" not in out
    assert "pool 1 of 2" in out
    assert "18 matches; first seat +" in out
    found = json.loads(league(tmp_path, "rate-pgn", "a.pgn", "--json"))
    assert found["left_out"] == {"unfinished": 1}
    assert [row["matches"] for row in found["rows"]] == [1, 1, 8, 8]
    assert found["rows"][2]["name"] == LONG
    anchored = league(tmp_path, "rate-pgn", "a.pgn", "--csv", "--anchor", f"{LONG}=3000")
    rows = list(csv.DictReader(io.StringIO(anchored)))
    assert rows[2]["elo"] == "3000.00"
    assert rows[2]["error"] == "0.00"
    assert (rows[2]["W"], rows[2]["D"], rows[2]["L"]) == ("5", "3", "0")
    assert rows[1]["name"] == "'=c"
    assert not (tmp_path / "league.db").exists()


def test_the_share_of_draws_is_told(tmp_path: Path) -> None:
    even = game("a", "b", "1-0") * 3 + game("a", "b", "1/2-1/2") * 4 + game("a", "b", "0-1") * 3
    (tmp_path / "even.pgn").write_text(even)
    assert "Elo; 36.4% draws between equals" in league(tmp_path, "rate-pgn", "even.pgn")


def test_what_can_not_be_rated_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(TEXT)
    for arguments, code, text in (
        (["none.pgn"], 1, "can't read 'none.pgn': No such file"),
        (["a.pgn", "--prior", "0"], 1, "rate it with a prior above 0"),
        (["a.pgn", "--anchor", "nobody=1"], 1, "unknown name to anchor 'nobody'"),
        (["a.pgn", "--anchor", "nobody"], 2, "write NAME=ELO"),
        (["a.pgn", "--anchor", "d=nan"], 2, "write NAME=ELO"),
        (["a.pgn", "--json", "--csv"], 2, "choose --json or --csv"),
    ):
        said = league(tmp_path, "rate-pgn", *arguments, code=code)
        assert text in said
        assert "Traceback" not in said
