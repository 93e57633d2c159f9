"""Clocks of whole tournaments: kept, checked, told, exported, and seen again."""

import io
import json
import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from games.support.errors import UnknownNameError
from games.support.moves import line_of
from games.support.specs import find_game
from league.analysis.loss_report import loss_report
from league.analysis.replay import load_replay
from league.analysis.repro import repeat
from league.analysis.verify import verify
from league.execution.live_feed import LiveFeed
from league.execution.worker import MatchJob, Worker
from league.interchange.documents.catalogue import document_of
from league.interchange.documents.document import to_dict
from league.interchange.exports.pgn import EXPORT
from league.model.errors import DatabaseError, SetupError
from league.model.records import (
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    MoveRecord,
    OwnLimits,
    Termination,
)
from league.model.tournament_spec import TournamentSpec
from league.seats.process.environment import NO_ENVIRONMENT
from league.store.rows import TournamentRow
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.duplicate_matches import DuplicateMatches
from league.tournament.planner import Planner
from tests.league.command import league
from tests.league.matches import add_bots, won_match
from tests.league.seats.scripted import engine
from tests.paths import EXAMPLES

SEEN = """\
def choose(state, clock):
    if len(state.legal_moves()) < 8:
        raise RuntimeError(f"saw {clock.remaining_s}")
    return state.legal_moves()[0]
"""


def tournament(
    store: Store, game: str, limits: Limits, handicaps: Mapping[str, float] | None = None
) -> TournamentRow:
    """Store a tournament of the bots `one` and `two`, without an opening."""
    names = ["one", "two"]
    return create_tournament(
        store,
        TournamentSpec(
            game=game,
            bots=names,
            rounds=1,
            limits=limits,
            seed=1,
            opening_plies=0,
            handicaps=handicaps or {},
        ),
    )


def first_stage(store: Store, number: int) -> list[MatchJob]:
    """Plan the first matches of a tournament and return them."""
    jobs = Planner(store, number).more(store, 1)
    assert jobs
    return jobs


def stored(
    store: Store, limits: Limits, walls_s: list[float], handicaps: Mapping[str, float] | None = None
) -> TournamentRow:
    """Store a tournament whose first match `one` loses on time after moves that took so long."""
    add_bots(store, "one", "two")
    row = tournament(store, "chess", limits, handicaps)
    job = first_stage(store, row.id)[0]
    state = first = find_game("chess").initial()
    moves = list[MoveRecord]()
    for text, wall_s in zip(["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"], walls_s, strict=False):
        move = state.parse(text)
        moves.append(MoveRecord(move, wall_ns=round(wall_s * 1e9)))
        state = state.play(move)
    assert state.to_move == 0
    record = MatchRecord(
        game="chess",
        versions=tuple(version.id for version in job.versions),
        seed=job.seed,
        opening=job.opening,
        moves=tuple(moves),
        scores=(0.0, 1.0),
        termination=Termination.TIME_FORFEIT,
        fault_seat=0,
        detail="had not moved",
        fault_wall_ns=2_000_000_000,
        notation=line_of(first, [*job.opening, *(each.move for each in moves)]),
    )
    store.matches.save(row.id, [(MatchKey(0, 0), record)])
    return row


@pytest.fixture
def store(tmp_path: Path) -> Store:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    return open_store(str(tmp_path / "league.db"), create=True)


def test_a_tournament_keeps_its_clocks_and_handicaps(store: Store) -> None:
    with store:
        add_bots(store, "one", "two")
        limits = Limits(max_plies=500, time="40/60+0.5", depth=3)
        row = tournament(store, "tictactoe", limits, {"two": 0.25})
        assert store.tournaments.get(row.id).config == row.config
        assert (row.config.limits, row.config.handicaps) == (limits, (1.0, 0.25))
        handicaps = {job.key.rotation: job.handicaps for job in first_stage(store, row.id)}
        assert handicaps == {0: (1.0, 0.25), 1: (0.25, 1.0)}
        # A bot that joins later has none.
        wider = replace(row.config, entrants=(*row.config.entrants, 77))
        assert wider.handicaps_of((77, row.config.entrants[1])) == (1.0, 0.25)
        assert replace(row.config, handicaps=()).handicaps_of(row.config.entrants) == ()


def test_a_damaged_control_is_named(store: Store, tmp_path: Path) -> None:
    with store:
        add_bots(store, "one", "two")
        row = tournament(store, "tictactoe", Limits(time="1"))
    with sqlite3.connect(tmp_path / "league.db") as connection:
        connection.execute("UPDATE tournament SET config = replace(config, '\"1\"', '\"x\"')")
    connection.close()
    damaged = pytest.raises(DatabaseError, match="damaged config: 'x' is not a time control")
    with open_store(str(tmp_path / "league.db")) as store, damaged:
        store.tournaments.get(row.id)


def test_a_handicap_needs_its_bot_and_something_to_take_from(store: Store) -> None:
    with store:
        add_bots(store, "one", "two")
        with pytest.raises(UnknownNameError, match=r"unknown bot of the tournament 'tow' \(did"):
            tournament(store, "tictactoe", Limits(time="1"), {"tow": 0.5})
        with pytest.raises(SetupError, match="a handicap is on time or nodes: give --time"):
            tournament(store, "tictactoe", Limits(depth=1), {"two": 0.5})
        assert store.tournaments.all() == ()


@pytest.mark.parametrize(
    ("limits", "walls_s", "handicaps", "found"),
    [
        (Limits(time="2"), [0.5, 0.0, 0.5, 0.0], {}, []),
        (Limits(time="1+0.5"), [0.9, 0.0, 0.55, 0.0], {}, []),
        # Late within the grace, and again when its clock is at none.
        (Limits(time="1"), [1.04, 0.0, 0.04, 0.0], {}, []),
        (
            Limits(time="1"),
            [0.9, 0.0, 0.16, 0.0],
            {},
            ["the move of ply 3 took 0.160 s, 0.15 s were allowed"],
        ),
        (
            Limits(time="1"),
            [0.1, 0.9],
            {"two": 0.5},
            ["the move of ply 2 took 0.900 s, 0.55 s were allowed"],
        ),
        (Limits(time="2/1"), [0.5, 0.0, 0.5, 0.0, 0.99, 0.0], {}, []),
        (
            Limits(time="3/1"),
            [0.5, 0.0, 0.5, 0.0, 0.99, 0.0],
            {},
            ["the move of ply 5 took 0.990 s, 0.05 s were allowed"],
        ),
        (Limits(time="1/1:2/0.5+1:0.1s"), [1.0, 0.0, 0.5, 0.0, 1.0, 0.0], {}, []),
        (
            Limits(time="1/1:2/0.5+1:0.1s"),
            [1.0, 0.0, 0.5, 0.0, 1.06, 0.0],
            {},
            ["the move of ply 5 took 1.060 s, 1.05 s were allowed"],
        ),
        # The opponent's time is its own.
        (Limits(time="hg2"), [0.5, 2.0, 3.0, 0.0], {}, []),
        (
            Limits(time="hg2"),
            [0.5, 2.56, 3.9, 0.0],
            {},
            ["the move of ply 2 took 2.560 s, 2.55 s were allowed"],
        ),
        (
            Limits(time="9", move_s=0.3),
            [0.2, 0.4],
            {},
            ["the move of ply 2 took 0.400 s, 0.35 s were allowed"],
        ),
        (Limits(time="3"), [0.1, 0.1], {}, ["lost on time after 2.000 s, 2.95 s were allowed"]),
    ],
)
def test_a_move_that_its_clock_did_not_allow_is_found(
    store: Store,
    limits: Limits,
    walls_s: list[float],
    handicaps: Mapping[str, float],
    found: list[str],
) -> None:
    with store:
        stored(store, limits, walls_s, handicaps)
        _, findings = verify(store)
        assert [each.text for each in findings if each.match] == found


def test_a_replay_and_a_reason_tell_of_the_clock(store: Store, tmp_path: Path) -> None:
    with store:
        stored(store, Limits(time="100+0.5"), [0.25, 1.0, 1.0, 0.0], {"two": 0.5})
        replay = load_replay(store, 1)
    assert [frame.left_s for frame in replay.frames] == [None, 100.25, 49.25, 99.75, 49.5]
    told = to_dict(document_of(replay))
    assert told["time"] == ["100+0.5", "50+0.25"]
    assert told["plies"][3]["left_s"] == 99.75
    assert "Its time for the match was 100+0.5." in loss_report(replay).sentences
    text = league(tmp_path, "replay", "1", "--ply", "3")
    assert "ply 3: one (White) played Nf3 in 1.00 s, its clock at 1:39" in text
    rows = [line.split() for line in league(tmp_path, "replay", "1").splitlines()]
    assert ["3", "one", "Nf3", "1.00", "s", "1:39"] in rows


def test_pgn_has_the_control_and_the_clocks(store: Store) -> None:
    import chess.pgn  # noqa: PLC0415 (of an extra)

    with store:
        stored(store, Limits(time="40/3600+0.5"), [0.25, 1.0, 100.0, 0.0])
        same = EXPORT.text(load_replay(store, 1))
        row = tournament(store, "chess", Limits(move_s=1.0, nodes=9), {"one": 0.5})
        store.matches.save(row.id, [(MatchKey(0, 0), store.matches.get(1)[1])])
        other = EXPORT.text(load_replay(store, 2))
    assert '[TimeControl "40/3600+0.5"]' in same
    assert "{0.250s [%clk 1:00:00.250]}" in same
    assert "[%clk\n" not in same
    game = chess.pgn.read_game(io.StringIO(same))
    assert game is not None
    assert [node.clock() for node in game.mainline()] == [3600.25, 3599.5, 3500.75, 3600.0]
    assert '[TimeControl "?"]' in other
    assert '[WhiteTimeControl "0.5/move"]\n[BlackTimeControl "1/move"]' in other
    assert "%clk" not in other


def test_periods_are_in_the_record(store: Store, tmp_path: Path) -> None:
    with store:
        stored(store, Limits(time="1/60:1/30+1:20"), [10.0, 0.0, 10.0, 0.0], {"two": 0.5})
        replay = load_replay(store, 1)
    assert [frame.left_s for frame in replay.frames] == [None, 80, 45, 91, 55.5]
    assert to_dict(document_of(replay))["time"] == ["1/60:1/30+1:20", "1/30:1/15+0.5:10"]
    text = league(tmp_path, "export", "--match", "1")
    assert '[WhiteTimeControl "1/60:1/30+1:20"]\n[BlackTimeControl "1/30:1/15+0.5:10"]' in text
    assert "{10.000s [%clk 0:01:20.000]}" in text
    loss = "Its time for the match was 1/60:1/30+1:20."
    assert loss in " ".join(league(tmp_path, "why", "1").split())


def test_an_hourglass_is_in_the_record(store: Store) -> None:
    with store:
        stored(store, Limits(time="hg60"), [10.0, 5.0, 65.0, 0.0])
        replay = load_replay(store, 1)
    # 60 - 10; 60 + 10 - 5; 50 + 5 is over, within the grace of nobody; what White lost, too.
    assert [frame.left_s for frame in replay.frames] == [None, 50, 65, 0, 120]
    assert '[TimeControl "*60"]' in EXPORT.text(replay)


@pytest.mark.parametrize(
    ("game", "limits", "own", "said"),
    [
        (
            f"{EXAMPLES / 'pig.py'}",
            "hg60",
            {},
            "an hourglass is for two seats, and .*pig.py:Pig has 3",
        ),
        ("tictactoe", "hg60", {"two": OwnLimits(time="10")}, "an hourglass is for all bots: give"),
        ("tictactoe", "10", {"two": OwnLimits(time="hg60")}, "an hourglass is for all bots: give"),
        ("tictactoe", "", {"two": OwnLimits(time="hg60")}, "an hourglass is for all bots: give"),
    ],
)
def test_an_hourglass_is_for_two(
    store: Store, game: str, limits: str, own: dict[str, OwnLimits], said: str
) -> None:
    with store:
        add_bots(store, "one", "two", "three")
        spec = TournamentSpec(
            game=game, bots=["one", "two", "three"], limits=Limits(time=limits), own_limits=own
        )
        with pytest.raises(SetupError, match=said):
            create_tournament(store, spec)
        assert store.tournaments.all() == ()
        two = replace(spec, game="tictactoe", bots=["one", "two"], limits=Limits(time="hg60"))
        two = replace(two, own_limits={"two": OwnLimits(time="hg30")})
        assert create_tournament(store, two).config.limits.time == "hg60"


@pytest.mark.slow
def test_a_bot_sees_its_clock_again(tmp_path: Path) -> None:
    (tmp_path / "seen.py").write_text(SEEN)
    league(tmp_path, "register", "seen", "seen.py", "--no-check")
    league(tmp_path, "register", "random", "random", "--no-check")
    arguments = ("--game", "tictactoe", "--bots", "seen,random", "--opening-plies", "0")
    league(
        tmp_path,
        "run",
        *arguments,
        "--time",
        "100+1",
        "--handicap",
        "seen=0.5",
        "-q",
        "--seed",
        "3",
    )
    with open_store(str(tmp_path / "league.db"), read_only=True) as store:
        replay = load_replay(store, 1)
        assert replay.record.termination is Termination.CRASH
        again = repeat(store, replay, None)
        assert again.is_same
        assert "saw (" in again.detail
        assert again.detail == replay.record.detail
        # Under another limit there are no clocks to be seen.
        assert "saw ()" in repeat(store, replay, None, move_s=1.0).detail
    assert "0 findings" in league(tmp_path, "db", "verify")


@pytest.mark.parametrize(
    ("limits", "handicaps", "copies"),
    [
        (Limits(nodes=50), {"one": 0.5}, 1),
        (Limits(nodes=50), {"one": 0.25}, 0),
        (Limits(nodes=50), {}, 0),
        (Limits(nodes=50, time="1h"), {"one": 0.5}, 0),
    ],
)
def test_matches_repeat_under_the_same_handicaps_and_without_clocks(
    tmp_path: Path, limits: Limits, handicaps: dict[str, float], copies: int
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = (
            store.bots.register(BotVersion(name, "alphabeta", digest=name)).id
            for name in ("one", "two")
        )
        first = tournament(store, "connectfour", Limits(nodes=50, time=limits.time), {"one": 0.5})
        record = replace(won_match(one, two), opening=())
        store.matches.save(first.id, [(MatchKey(0, 0), record)])
        row = tournament(store, "connectfour", limits, handicaps)
        repeats = DuplicateMatches(store, Planner(store, row.id))
        to_play, found = repeats.sift(first_stage(store, row.id))
        assert (len(to_play), len(found)) == (2 - copies, copies)


def test_a_seat_is_told_of_its_own_share() -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    script = [
        ("^protover", "feature ping=1 usermove=1 done=1"),
        (r"^ping (\d+)", r"pong \1"),
        ("^go", "resign"),
    ]
    bots = [replace(engine("xboard", script), id=number) for number in (1, 2)]
    limits = Limits(move_s=4.0, memory_mb=None)
    job = MatchJob(
        key=MatchKey(0, 0),
        tournament=1,
        game="chess",
        versions=tuple(bots),
        opening=(),
        limits=limits,
        seed=1,
        handicaps=(0.5, 1.0),
    )
    worker = Worker(NO_ENVIRONMENT, LiveFeed())
    (result,) = worker.play([job])
    worker.stop()
    assert result.match is not None
    assert result.match.termination is Termination.RESIGNATION
    assert "> st 2\n" in result.match.record().log


@pytest.mark.slow
def test_real_engines_keep_to_their_clocks(tmp_path: Path) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    program = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("needs stockfish, of the distribution's package")
    for name in ("one", "two"):
        league(tmp_path, "register", name, f"uci:{program}", "--no-check")
    arguments = ("--game", "chess", "--bots", "one,two", "--max-plies", "16", "--grace", "2s")
    clocks = ("--time", "5/0.3+0.02", "--handicap", "two=0.5")
    league(tmp_path, "run", *arguments, *clocks, "-q", "--workers", "1")
    assert "0 findings" in league(tmp_path, "db", "verify")
    matches = json.loads(league(tmp_path, "matches", "--json"))
    assert [each["fault_seat"] for each in matches] == [None, None]
    text = league(tmp_path, "export", "--match", "1")
    assert '[WhiteTimeControl "5/0.3+0.02"]\n[BlackTimeControl "5/0.15+0.01"]' in text
    assert "[%clk 0:00:0" in text
