"""Two hundred seeded matches over all games, move for move as they have always been.

`matches.txt` has a paragraph for each tournament: the words of `league run`, then a line for each
match, `game|opening|bots by seat|moves|scores|termination|detail`. No bot has a limit of time. All
encounters of a round share an opening.
To change the moves on purpose, copy in the new paragraphs that a failing test prints.
"""

import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from league.cli.main import cli
from league.registration.register import register
from league.store.settings import SALT
from league.store.store import open_store
from tests.league.in_process import InProcessPool

PARAGRAPHS = (Path(__file__).parent / "matches.txt").read_text("utf-8").split("\n\n")

BOTS = {
    "random": "random",
    "greedy": "greedy",
    "greedyt": "greedy --option ties=random",
    "mini1": "minimax:depth=1",
    "mini2": "minimax:depth=2",
    "alpha1": "alphabeta:depth=1",
    "alpha2": "alphabeta:depth=2",
    "alpha3": "alphabeta:depth=3",
    "alphas": "alphabeta:depth=2,cut_on=strict,soft=no,order=evaluation",
    "alphap": "alphabeta:depth=2,fast=no",
    "list2": "nodelist:depth=2",
    "listm": "nodelist:depth=2,method=minimax",
    "pvs2": "pvs:depth=2",
    "mtdf2": "mtdf:depth=2",
    "iter": "iterative:depth=4",
    "iter2": "iterative:depth=2,killers=yes,aspiration=1,late_moves=yes,null_move=yes",
    "quiet": "quiescence:depth=1,noisy_plies=3",
    "weighc": "weighted:depth=2,weights=2*windows+tops",
    "weigho": "weighted:depth=2,weights=2*mobility+30*corners-discs",
    "exp": "expectiminimax:depth=3",
    "para": "paranoid:rounds=1",
    "maxn": "maxn:depth=3",
    "mcts": "mcts:simulations=25",
    "mctse": "mcts:simulations=20,rollout=evaluation,rollout_plies=4",
}

FILES = {
    "connect.txt": "4 4\n4 3 3\n1 7 1 7\n",
    "chess.epd": (
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq -\n"
    ),
}

LONG = (
    *("--game mnk ", "--game chess", "--game tablut", "layout=medium", "columns=5"),
    *("columns=9", "pacman", "othello", "breakthrough", "columns=7", "openspiel", "sprt"),
    *("file=ghosts", "weighc,", "file=tied", "file=horizon", "file=three-seats"),
)
"""The words of tournaments that take long."""


def _cases() -> list[Any]:
    cases = []
    for number, paragraph in enumerate(PARAGRAPHS, 1):
        words = paragraph.partition("\n")[0]
        marks = [pytest.mark.slow] if any(each in words for each in LONG) else []
        cases.append(pytest.param(paragraph, id=f"{number}", marks=marks))
    return cases


@pytest.mark.parametrize("paragraph", _cases())
def test_matches_go_as_they_always_went(
    paragraph: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, _, expected = paragraph.strip().partition("\n")
    if "openspiel" in words and find_spec("pyspiel") is None:
        pytest.skip("needs the extra 'openspiel'")
    monkeypatch.chdir(tmp_path)
    # Compiled searches choose the same moves (tests/bots), and take longer to compile than to play.
    monkeypatch.setenv("NUMBA_CACHE_DIR", f"{os.devnull}/nowhere")
    monkeypatch.setattr(
        "league.tournament.runner.LocalPool", lambda size, **settings: InProcessPool(size)
    )
    for name, text in FILES.items():
        Path(name).write_text(text)
    with open_store("league.db", create=True) as store:
        store.settings.set(SALT, "")
        for name in words.split("--bots ")[1].split()[0].split(","):
            spec, _, option = BOTS[name].partition(" --option ")
            options = dict([option.split("=")]) if option else {}
            register(store, name, spec, options=options, is_checked=False)
    league("run", *words.split(), "--opening-policy", "round", "--quiet")
    matches = [json.loads(row) for row in league("export", "--as", "json").splitlines()]
    found = "\n".join(map(line, sorted(matches, key=lambda match: match["match"])))
    assert found == expected, f"{words}\n{found}"


def test_there_are_two_hundred_of_them_and_every_bot_plays() -> None:
    matches = [each for paragraph in PARAGRAPHS for each in paragraph.strip().split("\n")[1:]]
    assert len(matches) >= 200
    assert {name for each in matches for name in each.split("|")[2].split(",")} == set(BOTS)


def league(*words: str) -> str:
    """Run a command in this process, and return what it prints."""
    found = CliRunner().invoke(cli, words)
    assert found.exit_code == 0, (words, found.output, found.exception)
    return found.stdout


def line(match: dict[str, Any]) -> str:
    """Write a match in a line."""
    moves = [ply for ply in match["plies"] if ply["ply"]]
    parts = (
        match["game"],
        " ".join(ply["move"] for ply in moves if ply["is_opening"]),
        ",".join(match["bots"]),
        " ".join(ply["move"] for ply in moves if not ply["is_opening"]),
        ",".join(format(score, "g") for score in match["scores"]),
        match["termination"],
        match["detail"],
    )
    return "|".join(" ".join(part.replace("|", "/").split()) for part in parts)
