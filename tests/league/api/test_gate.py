"""A gate from Python: what it registers, plays, continues and finds."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from league import League
from league.analysis.gate import GateVerdict
from league.api.gate import Gate
from league.api.tournament import Tournament
from league.execution.pool import Pool
from league.model.errors import NameInUseError, SpecError, StoppedError
from league.model.records import Termination
from league.seats.seat import SeatFault
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.in_process import InProcessPool, Script

TEST: dict[str, Any] = {"game": "tictactoe", "elo0": -200, "batch": 4, "seed": 1}
FIRST = Script()
LAST = Script(move=lambda state: state.legal_moves()[-1])
CRASHES = Script(ask=SeatFault(Termination.CRASH, "ValueError: no idea"))

BOT = "def choose(state, clock):\n    return state.legal_moves()[0]\n"


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[League]:
    """Open a league of a bot `main`, beside a file of a change that is registered already."""
    monkeypatch.chdir(tmp_path)
    Path("new.py").write_text(BOT)
    with League("league.db") as made:
        made.register("main", "random", check=False)
        made.register("new", "new.py", check=False)
        yield made


class Player:
    """Plays tests in this process; `scripts` play for bots by name."""

    def __init__(self, cup: League, scripts: Mapping[str, Script] | None = None) -> None:
        self.cup = cup
        self.scripts = {"new": FIRST, **(scripts or {})}
        self.budgets: list[float | None] = []
        self.played = 0

    def __call__(self, tournament: Tournament, budget_s: float | None) -> None:
        """Play a test."""
        self.budgets.append(budget_s)
        options = RunOptions(workers=1, budget_s=budget_s)

        def open_pool(size: int) -> Pool:
            return InProcessPool(size, self.scripts)

        found = run_tournament(self.cup.store, tournament.number, options, open_pool=open_pool)
        self.played += found.played


def gate(cup: League, *against: str | Mapping[str, Any], play: Any = None, **how: Any) -> Gate:
    """Hold a gate of `new.py`, against `main` by default."""
    return cup.gate("new.py", against or "main", play=play or Player(cup), **(TEST | how))


def test_a_decided_test_takes_no_other_match(cup: League) -> None:
    play = Player(cup, {"new": CRASHES})
    first = gate(cup, "main@newest", play=play).value
    (line,) = first.lines
    assert first.verdict is line.verdict is GateVerdict.WEAKER
    assert (line.won, line.drawn) == (0, 0)
    assert line.lost >= 8
    assert line.forfeits == {Termination.CRASH: play.played}
    lost = line.lost_matches[0]
    assert (lost.is_forfeit, lost.termination) == (True, Termination.CRASH)
    assert "no idea" in lost.detail
    again = Player(cup)
    second = gate(cup, play=again).value
    assert (again.budgets, second.verdict) == ([], GateVerdict.WEAKER)
    assert second.lines[0].tournament == line.tournament
    assert len(cup.bot("new").value.versions) == 1


def test_a_change_that_wins_is_not_weaker(cup: League) -> None:
    Path("crashes.py").write_text(BOT)
    cup.register("crashes", "crashes.py", check=False)
    found = gate(cup, "crashes", play=Player(cup, {"crashes": CRASHES})).value
    (line,) = found.lines
    assert found.verdict is line.verdict is GateVerdict.NOT_WEAKER
    assert (line.lost, line.forfeits, line.lost_matches) == (0, {}, ())
    assert line.llr > line.upper


def test_the_same_test_goes_on_and_another_one_is_new(cup: League) -> None:
    short = gate(cup, rounds=3, elo0=-1).value
    assert short.verdict is GateVerdict.UNDECIDED
    assert short.lines[0].reason == "all 3 encounters are played"
    play = Player(cup)
    longer = gate(cup, rounds=5, elo0=-1, play=play).value
    assert (longer.lines[0].tournament, play.played) == (1, 4)
    others: list[dict[str, Any]] = [
        {"elo0": -2},
        {"depth": 1},
        {"seed": 2},
        {"game": "connectfour"},
    ]
    for other in others:
        gate(cup, **({"rounds": 1, "elo0": -1} | other), play=Player(cup, {"main": FIRST}))
    assert len(cup.tournaments()) == 5
    unseeded = gate(cup, rounds=2, elo0=-1, seed=None).value
    # The newest one of the same settings.
    assert (unseeded.lines[0].tournament, len(cup.tournaments())) == (4, 5)


def test_a_new_version_of_the_opponent_is_another_test(cup: League) -> None:
    gate(cup, rounds=1)
    cup.register("other", "minimax:depth=1", check=False)
    cup.register("other", "minimax:depth=2", check=False)
    assert gate(cup, "main@1", rounds=1).value.lines[0].tournament == 1
    assert gate(cup, "other@1", rounds=1).value.lines[0].tournament == 2
    newest = gate(cup, "other@newest", rounds=1).value.lines[0]
    assert (newest.tournament, newest.opponent) == (3, "other v2")


def test_an_opponent_is_chosen_before_the_change_is_registered(cup: League) -> None:
    Path("new.py").write_text(f"# Changed\n{BOT}")
    found = gate(cup, "new@newest", rounds=1).value
    assert (found.change, found.lines[0].opponent) == ("new v2", "new")


def test_the_same_code_is_not_weaker_and_plays_nothing(cup: League) -> None:
    for folder in ("old", "same"):
        Path(folder).mkdir()
    Path("old/new.py").write_text(BOT)
    Path("same/new.py").write_text(BOT.replace("[0]", "[-1]"))
    cup.register("old", "old/new.py", check=False)
    cup.register("same", "same/new.py", check=False)
    play = Player(cup, {"same": LAST})
    found = gate(cup, "new", "old", play=play).value
    assert (found.verdict, play.budgets) == (GateVerdict.NOT_WEAKER, [])
    assert [line.tournament for line in found.lines] == [None, None]
    assert gate(cup, "same", play=play, rounds=1).value.lines[0].tournament == 1


def test_a_weaker_test_ends_the_gate(cup: League) -> None:
    cup.register("other", "random", check=False)
    play = Player(cup, {"new": CRASHES})
    found = gate(cup, "main", "other", play=play).value
    assert [line.verdict for line in found.lines] == [GateVerdict.WEAKER, GateVerdict.UNDECIDED]
    assert "ended already" in found.lines[1].reason
    assert len(play.budgets) == 1


def test_the_time_is_shared_and_an_opponent_may_have_its_own(
    cup: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.api.gate.monotonic", lambda: 0.0)
    budgets: list[float | None] = []
    others = [f"other{number}" for number in range(3)]
    for other in others:
        cup.register(other, "random", check=False)
    against: list[str | Mapping[str, Any]] = [
        *others[:2],
        {"against": others[2], "minutes": 4},
        "main",
    ]
    found = gate(cup, *against, play=lambda tournament, s: budgets.append(s), max_minutes=10).value
    # No test takes any time, so that the next ones have more.
    assert budgets == [120, 180, 240, 600]
    assert found.verdict is GateVerdict.UNDECIDED


def stop(tournament: Tournament, budget_s: float | None) -> None:
    """Fail as a run does where the machine breaks."""
    tournament._store.tournaments.stop(tournament.number, "the machine is gone")
    raise StoppedError("the machine is gone", tournament.number)


def interrupt(tournament: Tournament, budget_s: float | None) -> None:
    """Be interrupted."""
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("play", "reason"), [(stop, "the machine is gone"), (interrupt, "interrupted")]
)
def test_what_stops_a_test_is_no_verdict(cup: League, play: Any, reason: str) -> None:
    found = gate(cup, play=play).value
    assert (found.verdict, found.lines[0].reason) == (GateVerdict.UNDECIDED, reason)
    assert found.is_interrupted is (play is interrupt)


@pytest.mark.usefixtures("_asked_always")
def test_the_end_of_the_time_is_no_verdict(cup: League) -> None:
    found = gate(cup, elo0=-0.1, max_minutes=0.001).value
    assert found.verdict is GateVerdict.UNDECIDED
    assert found.lines[0].reason == "its time is used up"


@pytest.fixture
def _asked_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.tournament.runner.ASK_EVERY_S", 0.0)


def test_matches_that_repeat_are_no_evidence(cup: League) -> None:
    for depth in (1, 2):
        cup.register(f"deep{depth}", f"minimax:depth={depth}", check=False)
    how: dict[str, Any] = {"name": "deep2", "game": "tictactoe", "depth": 3, "opening_plies": 0}
    found = cup.gate("minimax:depth=2", "deep1", play=Player(cup), **how).value
    assert found.verdict is GateVerdict.UNDECIDED
    assert "repeat earlier ones" in found.lines[0].reason


@pytest.mark.slow
def test_a_change_that_fails_its_check_plays_nothing(cup: League) -> None:
    Path("new.py").write_text("def choose(state, clock):\n    raise ValueError('no idea')\n")
    play = Player(cup)
    found = gate(cup, play=play)
    assert (found.value.verdict, play.budgets) == (GateVerdict.UNFIT, [])
    assert "no idea" in found.value.reason
    assert "new does not pass its check" in found.to_markdown()
    assert ET.fromstring(found.to_junit()).find(".//failure") is not None  # noqa: S314 (our own)
    assert len(cup.bot("new").value.versions) == 1


def test_a_change_that_does_not_load_fails_and_one_that_is_missing_is_an_error(
    cup: League,
) -> None:
    Path("new.py").write_text("def choose(state clock):\n")
    assert gate(cup).value.verdict is GateVerdict.UNFIT
    with pytest.raises(SpecError, match=r"no file 'gone\.py'"):
        cup.gate("gone.py", "main", **TEST)


@pytest.mark.slow
def test_an_opponent_can_be_a_spec(cup: League) -> None:
    Path("main").mkdir()
    Path("main/bot.py").write_text(f"# Of the main branch\n{BOT}")
    Path("base").mkdir()
    Path("base/new.py").write_text(f"# Of another branch\n{BOT}")
    cup.rename("main", "other")
    play = Player(cup, {"main": LAST, "new-base": LAST})
    found = gate(cup, "main/bot.py", "base/new.py", play=play, rounds=1).value
    assert [line.opponent for line in found.lines] == ["main", "new-base"]
    assert cup.bot("main").value.games == ("tictactoe",)


def test_an_opponent_that_is_neither_a_bot_nor_a_spec_is_named(cup: League) -> None:
    with pytest.raises(SpecError, match=r"no bot 'mian' \(did you mean 'main'\?\)"):
        gate(cup, "mian")


def test_a_name_of_another_bot_is_refused(cup: League) -> None:
    with pytest.raises(NameInUseError, match="'main' is in use"):
        gate(cup, name="main")
