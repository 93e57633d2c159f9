"""Matches made by hand, for tests that need no bots."""

from dataclasses import replace

from hypothesis import strategies as st

from games.support.moves import WireMove
from league.model.records import (
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    MoveFault,
    MoveRecord,
    ReportRecord,
    Termination,
    TournamentConfig,
)
from league.store.rows import BotRef, MatchRow
from league.store.store import Store

wires = st.integers(0, 2**40) | st.text(max_size=8)
finite = st.floats(allow_nan=False, allow_infinity=False)
reports = st.builds(
    ReportRecord,
    depth=st.none() | st.integers(0, 99),
    nodes=st.none() | st.integers(0, 2**62),
    score=st.none() | finite,
    pv=st.lists(wires, max_size=4).map(tuple),
    text=st.text(max_size=12),
    seldepth=st.none() | st.integers(0, 99),
    nps=st.none() | st.integers(0, 2**62),
    tbhits=st.none() | st.integers(0, 2**62),
    mate=st.none() | st.integers(-99, 99),
    hashfull=st.none() | st.integers(0, 2**62),
    time_ms=st.none() | st.integers(0, 2**62),
)
moves = st.builds(
    MoveRecord,
    move=wires,
    wall_ns=st.integers(0, 2**62),
    cpu_ns=st.none() | st.integers(0, 2**62),
    over_ns=st.integers(0, 2**40),
    report=st.none() | reports,
    fault=st.none()
    | st.builds(MoveFault, st.integers(0, 3), st.sampled_from(Termination), st.text(max_size=9)),
)
records = st.builds(
    MatchRecord,
    game=st.sampled_from(["connectfour", "tictactoe"]),
    versions=st.lists(st.integers(1, 2**40), min_size=2, max_size=4).map(tuple),
    seed=st.integers(0, 2**53 - 1),
    opening=st.lists(wires, max_size=4).map(tuple),
    moves=st.lists(moves, max_size=6).map(tuple),
    scores=st.lists(st.floats(0, 1), min_size=2, max_size=4).map(tuple),
    termination=st.sampled_from(Termination),
    utilities=st.none() | st.lists(finite, min_size=2, max_size=4).map(tuple),
    fault_seat=st.none() | st.integers(0, 3),
    detail=st.text(max_size=20),
    log=st.text(max_size=20),
    wall_ns=st.integers(0, 2**62),
    fault_wall_ns=st.none() | st.integers(0, 2**62),
    fault_cpu_ns=st.none() | st.integers(0, 2**62),
    notation=st.text(max_size=20),
)


def won_match(first: int, second: int, scores: tuple[float, ...] = (1.0, 0.0)) -> MatchRecord:
    """Return a short match between two versions with the given points."""
    return MatchRecord(
        game="connectfour",
        versions=(first, second),
        seed=1,
        opening=(3,),
        moves=(MoveRecord(2, wall_ns=5_000_000), MoveRecord(3, wall_ns=6_000_000)),
        scores=scores,
        termination=Termination.RULES,
        utilities=tuple(2 * score - 1 for score in scores),
    )


SCORES = {"W": (1.0, 0.0), "D": (0.5, 0.5), "L": (0.0, 1.0)}


def match_row(
    number: int,
    termination: Termination = Termination.RULES,
    *,
    finished_at: int = 60,
    wall_ms: int = 10,
) -> MatchRow:
    """Return a match of ann and bob, which bob lost by a fault unless it ended by the rules."""
    return MatchRow(
        id=number,
        tournament_id=7,
        key=MatchKey(number, 0),
        game="tictactoe",
        versions=(BotRef(1, "ann", 1), BotRef(2, "bob", 1)),
        scores=(1.0, 0.0),
        termination=termination,
        fault_seat=None if termination is Termination.RULES else 1,
        utilities=None,
        stand_ins=None,
        plies=9,
        wall_ms=wall_ms,
        finished_at=finished_at,
    )


def save_encounter(
    store: Store,
    tournament: int,
    number: int,
    bots: tuple[int, int],
    results: str,
    opening: tuple[WireMove, ...] = (3,),
    **changed: object,
) -> None:
    """Store an encounter by what the first of two versions did: "WL", first as first to move.

    With one letter it is not whole. `changed` are other values of both records.
    """
    batch = []
    for rotation, letter in enumerate(results):
        mine, theirs = SCORES[letter]
        scores = (theirs, mine) if rotation else (mine, theirs)
        first, second = reversed(bots) if rotation else bots
        record = won_match(first, second, scores)
        record = replace(record, opening=opening, **changed)  # type: ignore[arg-type]  # a test's own
        batch.append((MatchKey(number, rotation), record))
    store.matches.save(tournament, batch)


def add_bots(store: Store, *names: str) -> list[int]:
    """Register built-in random bots and return their version ids."""
    return [
        store.bots.register(BotVersion(name, "random", digest=f"{number:064d}")).id
        for number, name in enumerate(names)
    ]


def add_tournament(
    store: Store,
    *versions: int,
    game: str = "connectfour",
    rounds: int = 10,
    format: str = "roundrobin",
) -> int:
    """Store a tournament between the versions."""
    config = TournamentConfig(
        game=game,
        entrants=versions,
        rounds=rounds,
        seed=1,
        opening_plies=2,
        limits=Limits(move_s=0.05),
        format=format,
        is_opening_shared=True,
    )
    return store.tournaments.add(config, rounds * len(versions) * (len(versions) - 1))
