"""Files that grow while a tournament is played."""

from pathlib import Path

import pytest

from league.interchange.export_matches import configured
from league.interchange.running_export import RunningExport, Target
from league.model.errors import SetupError
from league.model.records import Limits
from league.model.tournament_spec import TournamentSpec
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from tests.league.in_process import run_here
from tests.league.matches import add_bots


def held(store: Store) -> int:
    """Play a tournament of four matches."""
    spec = TournamentSpec(game="tictactoe", bots=["all"], rounds=2, limits=Limits(depth=1), seed=1)
    number = create_tournament(store, spec).id
    run_here(store, number)
    return number


@pytest.mark.slow
def test_each_match_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    target = Target(path, configured("pgn", {}))
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "one", "two")
        first = held(store)
        target.check("tictactoe")
        path.write_text("old\n")
        added = RunningExport(store, first, [target], appends=True)
        added.write()
        assert path.read_text() == "old\n"
        anew = RunningExport(store, first, [target], appends=False)
        assert path.read_text() == ""
        for _ in range(6):
            # Time for a single match each.
            anew.write(most_s=0)
            anew.look()
        assert path.read_text().count("[Event ") == 4
        assert path.read_text().count('[Round "2.2"]') == 1
        held(store)
        anew.write()
        assert path.read_text().count("[Event ") == 4


def test_what_can_not_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"can't write .*: No such file"):
        Target(tmp_path / "no" / "games.pgn", configured("pgn", {})).check("chess")
    with pytest.raises(SetupError, match="written as epd: tree writes its positions as no text"):
        Target(tmp_path / "ends.epd", configured("epd", {})).check("tree")
