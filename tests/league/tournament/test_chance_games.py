"""Matches in which luck moves, and matches of many seats, from the command line to the check."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from games.support.game import CHANCE
from games.support.specs import find_game
from league.analysis.verify import verify
from league.cli.main import cli
from league.match.scores import scores_of
from league.model.records import MatchRecord
from league.store.settings import SALT
from league.store.store import open_store
from tests.league.analysis.test_verify import record
from tests.league.cli.test_play import play
from tests.league.command import league

LUCKY = "tree?file=chance"
SPECS = {"a": "random", "b": "greedy", "c": "alphabeta:rounds=1", "d": "random"}


def run(
    folder: Path, game: str, bots: str = "a,b", *more: str, workers: int = 1
) -> list[dict[str, Any]]:
    """Play a tournament and return its matches with their plies."""
    with open_store(str(folder / "league.db"), create=True) as store:
        store.settings.set(SALT, "")
    for name in bots.split(","):
        league(folder, "register", name, SPECS[name], "--no-check")
    settings = ("--seed", "5", "--workers", str(workers), "-q", "--json")
    arguments = ("--game", game, "--bots", bots, *settings)
    league(folder, "run", *arguments, *(more or ("--rounds", "4")))
    listed = shown(folder, "matches", "--limit", "100")
    # In the order of the schedule: workers finish as they will.
    listed.sort(key=lambda row: (row["encounter"], row["rotation"]))
    return [shown(folder, "replay", str(row["match"])) for row in listed]


def shown(folder: Path, *arguments: str) -> Any:
    """Return the document of a command."""
    found = CliRunner().invoke(cli, [*arguments, "--json", "--db", str(folder / "league.db")])
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


@pytest.mark.slow
def test_luck_moves_by_the_seed_of_the_match(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    played = []
    for workers, folder in enumerate(folders, 1):
        folder.mkdir()
        played.append(run(folder, LUCKY, workers=workers))
    moves = [[[ply["move"] for ply in match["plies"]] for match in each] for each in played]
    assert moves[0] == moves[1]
    drawn = [ply for match in played[0] for ply in match["plies"] if ply["seat"] == CHANCE]
    # A node of luck in every match; both ways come up in eight of them.
    assert len(drawn) == len(played[0]) == 8
    assert len({ply["move"] for ply in drawn}) > 1
    assert all(ply["wall_ns"] == 0 and ply["score"] is None for ply in drawn)
    assert "0 findings" in league(folders[0], "db", "verify")


@pytest.mark.slow
def test_luck_that_was_changed_is_found(tmp_path: Path) -> None:
    [match, *_] = run(tmp_path, LUCKY, "a,b", "--rounds", "1")

    def other(old: MatchRecord) -> MatchRecord:
        # The second ply is luck's: the other child, and the end below it.
        state = find_game(old.game).initial().play(old.moves[0].move)
        drawn = 0 if old.moves[1].move == 1 else 1
        end = state.play(drawn).play(old.moves[2].move)
        utilities = end.outcome()
        assert utilities is not None
        moves = (old.moves[0], replace(old.moves[1], move=drawn), *old.moves[2:])
        return replace(old, moves=moves, utilities=utilities, scores=scores_of(utilities, (0, 1)))

    with sqlite3.connect(tmp_path / "league.db") as connection:
        record(match["match"], other)(connection)
    connection.close()
    with open_store(str(tmp_path / "league.db"), read_only=True) as store:
        _, found = verify(store)
    texts = [each.text for each in found if each.match == match["match"]]
    assert any("luck drew" in text and "its seed gives" in text for text in texts)


@pytest.mark.slow
def test_a_replay_says_that_luck_drew(tmp_path: Path) -> None:
    run(tmp_path, LUCKY, "a,b", "--rounds", "1")
    whole = league(tmp_path, "replay", "1", "--plain")
    assert "luck" in whole
    assert "luck drew" in league(tmp_path, "replay", "1", "--ply", "2", "--plain")
    text = league(tmp_path, "repro", "1", "--ply", "2", code=1)
    assert "ply 2 of match 1 was a chance event" in text
    league(tmp_path, "repro", "1", "--ply", "1")


@pytest.mark.slow
def test_a_person_plays_with_luck(tmp_path: Path) -> None:
    drawn = set()
    for _ in range(2):
        shown = play(tmp_path, "C\n", LUCKY, "--against", "minimax", "--seed", "1")
        drawn |= {line for line in shown.splitlines() if "luck draws" in line}
    assert len(drawn) == 1


@pytest.mark.slow
def test_three_seats_of_pacman(tmp_path: Path) -> None:
    """Everybody is Pacman once; both ghosts win or lose together, whatever the score."""
    played = run(tmp_path, "pacman?rounds=40", "a,b,c", "--rounds", "2", "--depth", "3")
    assert len(played) == 6
    for match in played:
        pacman, *ghosts = match["scores"]
        assert len(set(ghosts)) == 1
        assert pacman + ghosts[0] == 1
        end = match["plies"][-1]["board"]
        won = 0.0 if "was caught" in end else 0.5 if "time was up" in end else 1.0
        assert "Pacman ate" in end
        assert pacman == won
    assert {match["bots"][0] for match in played} == {"a", "b", "c"}
    assert "0 findings" in league(tmp_path, "db", "verify")


@pytest.mark.extra
@pytest.mark.parametrize("spec", ["openspiel:pig?players=4&winscore=15"])
def test_four_seats_with_luck_of_openspiel(tmp_path: Path, spec: str) -> None:
    pytest.importorskip("pyspiel")
    played = run(tmp_path, spec, "a,b,c,d", "--rounds", "1", "--depth", "2")
    assert len(played) == 4
    for match in played:
        assert match["termination"] == "rules"
        assert sorted(match["scores"]) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1.0])
    assert "0 findings" in league(tmp_path, "db", "verify")


TELLS = """
import uuid

ME = uuid.uuid4()

def choose(view, clock):
    print("process", ME)
    return 0
"""


SIGNALS = """
import fcntl

FILES = dict(zip("JQK", ["/usr/bin/env", "/usr/bin/head", "/usr/bin/tail"]))
held = []

def choose(view, clock):
    if view.seat == 0:
        held[:] = [open(FILES[view.events[0][-1]], "rb")]
        fcntl.flock(held[0], fcntl.LOCK_SH)
        return 0
    held.clear()
    for card, name in FILES.items():
        with open(name, "rb") as found:
            try:
                fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                print("the other has", card)
    return 0
"""


def test_no_process_can_tell_another_of_its_bot_what_comes(tmp_path: Path) -> None:
    bot = tmp_path / "signals.py"
    bot.write_text(SIGNALS)
    league(tmp_path, "register", "signals", str(bot), "--game", "kuhn", "--no-check")
    league(tmp_path, "register", "chance", "random", "--game", "kuhn", "--no-check")
    bots = ("--bots", "signals,chance", "--rounds", "8", "--workers", "1", "--quiet")
    league(tmp_path, "run", "--game", "kuhn", *bots, "--deals", "same")
    logs = []
    with open_store(str(tmp_path / "league.db")) as store:
        for found in store.matches.records(store.matches.numbers()):
            assert isinstance(found, tuple)
            logs.append(found[1].log)
    assert len(logs) == 16
    assert not any("the other has" in log for log in logs)


def test_the_same_deals_change_seats_and_no_process_gets_them_twice(tmp_path: Path) -> None:
    bot = tmp_path / "tells.py"
    bot.write_text(TELLS)
    for name in ("one", "two"):
        league(tmp_path, "register", name, str(bot), "--game", "kuhn", "--no-check")
    play_kuhn = ("run", "--game", "kuhn", "--bots", "one,two", "--rounds", "8", "--quiet")
    league(tmp_path, *play_kuhn, "--deals", "same")
    league(tmp_path, *play_kuhn)
    deals: dict[int, dict[int, set[str]]] = {1: {}, 2: {}}
    processes: dict[int, list[tuple[str, int]]] = {1: [], 2: []}
    with open_store(str(tmp_path / "league.db")) as store:
        for found in store.matches.records(store.matches.numbers()):
            assert isinstance(found, tuple)
            row, record = found
            dealt = " ".join(record.notation.split()[:2])
            deals[row.tournament_id].setdefault(row.key.encounter, set()).add(dealt)
            here = {line for line in record.log.split("\n") if line.startswith("process")}
            assert len(here) == 2
            processes[row.tournament_id] += [(each, row.key.encounter) for each in here]
    assert {len(dealt) for dealt in deals[1].values()} == {1}
    assert len(set.union(*deals[1].values())) > 1
    assert 2 in {len(dealt) for dealt in deals[2].values()}
    assert len(processes[1]) == len(set(processes[1]))
    assert len(processes[2]) > len(set(processes[2]))
    assert len({each for each, _ in processes[1]}) < len(processes[1]), "no restarts are needed"
    assert league(tmp_path, "db", "verify").endswith(", 0 findings\n")
