"""The tournament of a test of a gate: a stored one that goes on, or a new one."""

from collections.abc import Callable
from dataclasses import replace

from league.ratings.sprt import SprtState
from league.store.rows import TournamentRow, TournamentState
from league.store.store import Store
from league.tournament.create import prepare_tournament
from league.tournament.gate_tests import GateTest
from league.tournament.lifecycle import extend
from league.tournament.planner import Planner


def gate_tournament(
    store: Store, test: GateTest, bots: tuple[str, str], tell: Callable[[str], None]
) -> TournamentRow:
    """Return the tournament of a test between two versions: the stored one, or a new one.

    A stored one has the same versions, game and settings, and the same seed if one is given. It is
    made longer where more rounds are asked for than it has. `tell` hears which openings of a file
    are skipped. Raises `LeagueError` if the settings make no tournament.
    """
    spec = replace(test.spec, bots=bots)
    config, total = prepare_tournament(store, spec, tell)
    for row in reversed(store.tournaments.all()):
        stored = row.config
        if row.state is TournamentState.CANCELLED or stored.entrants != config.entrants:
            continue
        # The seed also chooses among the openings of a file.
        again = replace(spec, seed=stored.seed if spec.seed is None else spec.seed)
        if prepare_tournament(store, replace(again, rounds=stored.rounds))[0] != stored:
            continue
        if stored.rounds < config.rounds and not _is_decided(store, row):
            return extend(store, row.id, config.rounds - stored.rounds)
        return row
    return store.tournaments.get(store.tournaments.add(config, total))


def _is_decided(store: Store, row: TournamentRow) -> bool:
    trial = Planner(store, row.id).schedule.trial()
    return trial is not None and trial.state is not SprtState.UNDECIDED
