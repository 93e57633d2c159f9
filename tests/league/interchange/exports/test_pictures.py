"""Matches as pictures: still, in motion, and as GIF."""

import io
import random
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from games.support.errors import UnknownNameError
from games.support.moves import encode_move
from games.support.specs import find_game
from league.analysis.replay import Replay
from league.interchange.export_matches import configured
from league.model.errors import SetupError
from league.model.records import Limits, MatchKey, MatchRecord, MoveRecord, Termination
from league.store.rows import BotRef, MatchRow
from tests.league.command import league

PNG_SIZE = 400


def a_match(spec: str, plies: int, seed: int = 1) -> Replay:
    """Return a random match of at most so many plies, that no database holds."""
    draw, state = random.Random(seed), find_game(spec).initial()
    moves: list[MoveRecord] = []
    while state.outcome() is None and len(moves) < plies:
        move = draw.choice(state.legal_moves())
        moves.append(MoveRecord(encode_move(state, move), wall_ns=1_000_000))
        state = state.play(move)
    record = MatchRecord(
        game=spec,
        versions=tuple(range(1, state.game.seats + 1)),
        seed=1,
        opening=(),
        moves=tuple(moves),
        scores=(0.5, 0.5),
        termination=Termination.MOVE_LIMIT,
        detail="so long",
    )
    names = (BotRef(1, "<img src=x>", 1), BotRef(2, "b", 1))
    row = MatchRow(
        id=7,
        tournament_id=1,
        key=MatchKey(0, 0),
        game=spec,
        versions=names,
        scores=record.scores,
        termination=record.termination,
        fault_seat=None,
        utilities=None,
        stand_ins=None,
        plies=len(moves),
        wall_ms=1,
        finished_at=1,
    )
    return Replay(row=row, record=record, limits=Limits())


@pytest.mark.parametrize("ply", [0, 3, None])
def test_a_still_is_a_position_with_the_last_move_marked(ply: int | None) -> None:
    replay = a_match("othello", 12)
    frame = replay.frames[-1 if ply is None else ply]
    drawn = configured("svg", {} if ply is None else {"ply": ply}).text(replay)
    assert isinstance(drawn, str)
    root = ET.fromstring(drawn)  # noqa: S314 (drawn by ourselves)
    marks = [each for each in root if each.get("class") == "last"]
    assert len(marks) == (1 if frame.ply else 0)
    without = "\n".join(line for line in drawn.split("\n") if '"last"' not in line)
    assert without == frame.state.svg()


def test_a_ply_that_never_was_is_refused() -> None:
    with pytest.raises(SetupError, match="match 7 ended after 12 plies, no ply 13"):
        configured("svg", {"ply": 13}).text(a_match("othello", 12))


def test_an_option_that_a_format_has_not_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="option of a file of csv 'ply'"):
        configured("csv", {"ply": 1})
    with pytest.raises(UnknownNameError, match="option of a file of gif 'ply'"):
        configured("gif", {"ply": 1})


@pytest.mark.parametrize("spec", ["chess", "othello", "pacman", "mnk"])
def test_a_hundred_plies_in_motion_are_small(spec: str) -> None:
    if spec == "chess":
        pytest.importorskip("chess", reason="needs the extra 'chess'")
    replay = a_match(spec, 100)
    text = configured("animated", {"delay_s": 0.25}).text(replay)
    assert isinstance(text, str)
    assert len(text) < 150_000
    assert "&lt;img src=x&gt;" in text
    assert f"animation: {0.25 * len(replay.frames) + 3:g}s" in text
    root = ET.fromstring(text)  # noqa: S314 (drawn by ourselves)
    assert root.tag.endswith("svg")
    assert not re.search(r'(href|src)="(?!#)', text), "nothing from elsewhere"


@pytest.mark.slow
def test_a_gif_has_a_frame_for_every_position() -> None:
    pytest.importorskip("resvg_py", reason="needs the extra 'gif'")
    image = pytest.importorskip("PIL.Image", reason="needs the extra 'gif'")
    painted = configured("gif", {"delay_s": 0.3}).text(a_match("tablut", 6))
    assert isinstance(painted, bytes)
    shown = image.open(io.BytesIO(painted))
    assert shown.n_frames == 7
    assert shown.width == PNG_SIZE
    seen = []
    for number in range(7):
        shown.seek(number)
        seen.append((shown.info["duration"], shown.convert("RGB").tobytes()))
    assert [duration for duration, _ in seen] == [300] * 6 + [3300]
    assert len({pixels for _, pixels in seen}) == 7


def test_without_the_extra_a_gif_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(SetupError, match=r"pip install 'botleague\[gif\]'"):
        configured("gif", {}).text(a_match("tablut", 2))


@pytest.mark.slow
def test_the_command_writes_pictures(tmp_path: Path) -> None:
    for name in ("one", "two"):
        league(tmp_path, "register", name, "random", "--no-check")
    league(tmp_path, "run", "--game", "tictactoe", "--bots", "all", "--rounds", "1", "--quiet")
    still = league(tmp_path, "export", "--match", "1", "--svg", "-", "--ply", "2")
    assert still.count('class="piece') == 2
    league(tmp_path, "export", "--match", "1", "--svg", "film.svg", "--animated", "--delay", "1s")
    assert "@keyframes" in (tmp_path / "film.svg").read_text()
    for wrong in (["--ply", "2"], ["--animated", "--pgn", "x"], ["--svg", "x", "--delay", "0s"]):
        league(tmp_path, "export", "--match", "1", *wrong, code=2)
    league(tmp_path, "export", "--match", "1", "--svg", "x", "--animated", "--ply", "1", code=1)
    assert not (tmp_path / "x").exists()
