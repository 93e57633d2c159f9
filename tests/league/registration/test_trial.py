"""The trial of a bot: what it says of time and files, and of programs that do not start."""

import re
from pathlib import Path

import pytest

from games.support.specs import find_game
from league.model.errors import CheckError
from league.model.records import BotVersion, Limits
from league.registration import trial
from league.registration.check import check, examine, fault_in
from league.registration.source_snapshot import take_snapshot
from league.registration.trial import TrialSetup
from league.seats.process.environment import NO_ENVIRONMENT

GAME = find_game("tictactoe")

# Too late at the default limit on any machine, and never later than a trial allows.
SLOW = """\
import time

class Slow:
    def new_match(self, game, seat, seed):
        self.is_first = True

    def choose(self, state, clock):
        time.sleep(0.3 * self.is_first)
        self.is_first = False
        return state.legal_moves()[0]
"""

# A learned bot often loads its weights when it first needs them.
LOADS = """\
import time

is_loaded = False


def choose(state, clock):
    global is_loaded
    time.sleep(0.0 if is_loaded else 0.3)
    is_loaded = True
    return state.legal_moves()[0]
"""

# Without a limit of its own in the trial it would take all the time that it is given.
MEASURES = """\
def choose(state, clock):
    assert clock.left_s() <= 0.1, "a trial takes as long as the clock says"
    return state.legal_moves()[0]
"""

READS = """\
def choose(state, clock):
    try:
        open({!r}).close()
    except OSError:
        pass
    return state.legal_moves()[0]
"""


def snapshot(folder: Path, text: str, **data: str) -> str:
    """Write the folder of a bot and return its spec."""
    made = folder / "mine"
    made.mkdir()
    (made / "bot.py").write_text(text)
    for name, content in data.items():
        (made / name).write_text(content)
    return str(made)


@pytest.mark.slow
@pytest.mark.parametrize("source", [SLOW, LOADS], ids=["slow", "loads"])
def test_a_bot_that_is_too_slow_for_the_default_limit_is_warned_of(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "OWN_MATCHES", 1)
    (found,) = check(take_snapshot("x", snapshot(tmp_path, source), {}), [GAME])
    assert "loses on time at the default limit of 100 ms a move" in found.warnings[0]


def test_a_trial_that_takes_too_long_goes_on_with_first_moves_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trial, "TRIAL_S", 0.0)
    found = {each.demand: each for each in examine(BotVersion("x", "random"), GAME)}
    assert all(each.is_passed for each in found.values())
    assert found["plays in seat 0"].detail.startswith("1 move, ")
    assert found["plays in seat 1"].detail.startswith("1 move, ")
    assert found["plays in seat 1"].detail.endswith(", ended early")


@pytest.mark.slow
def test_a_bot_that_uses_its_clock_up_is_tried_at_the_default_limit(tmp_path: Path) -> None:
    assert check(take_snapshot("x", snapshot(tmp_path, MEASURES), {}), [GAME])


# Slow at plies that the first plies of a match do not reach, and always in time at 5 s.
SLOW_LATER = """\
import time

def choose(state, clock):
    time.sleep(0.3 * (len(state.legal_moves()) < 5))
    return state.legal_moves()[0]
"""


@pytest.mark.slow
def test_a_bot_that_is_slow_late_in_a_match_is_told_the_limit_that_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "OWN_MATCHES", 1)
    version = take_snapshot("x", snapshot(tmp_path, SLOW_LATER), {})
    found = {each.demand: each for each in examine(version, GAME)}
    late = found["keeps to 0.1 s a move"]
    assert late.is_passed
    assert re.search(r"it needs \d{3,4} ms; .* run with --move-time \d+00ms", late.warning)
    (checked,) = check(version, [GAME])
    assert "loses on time at the default limit" in checked.warnings[0]


@pytest.mark.slow
@pytest.mark.parametrize("move_s", [0.1, 5.0])
def test_a_limit_that_is_given_is_the_one_that_counts(
    move_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "OWN_MATCHES", 1)
    version = take_snapshot("x", snapshot(tmp_path, SLOW_LATER), {})
    setup = TrialSetup(move_s=move_s)
    verdicts = [each.is_passed for each in examine(version, GAME, setup)]
    assert (False in verdicts) == (move_s < 0.3)
    if move_s < 0.3:
        with pytest.raises(CheckError, match=r"slowest|time forfeit"):
            check(version, [GAME], setup)
    else:
        assert check(version, [GAME], setup)[0].warnings == ()


GROWS = """\
seen = []

def choose(state, clock):
    seen.append(state.key())
    return state.legal_moves()[len(seen) // 12 * 99]
"""

DIES_LATE = """\
def choose(state, clock):
    full = sum(sign in "XO" for row in state.cells() for sign in row)
    return state.legal_moves()[9 * (full > 7)]
"""


@pytest.mark.slow
@pytest.mark.parametrize("source", [GROWS, DIES_LATE], ids=["over matches", "at a late ply"])
def test_the_check_fails_where_the_registration_does(source: str, tmp_path: Path) -> None:
    version = take_snapshot("x", snapshot(tmp_path, source), {})
    findings = list(examine(version, GAME))
    failed = [each for each in findings if each.is_passed is False]
    assert [each.demand for each in failed] == ["plays itself"]
    with pytest.raises(CheckError) as caught:
        check(version, [GAME])
    assert failed[0].detail in str(caught.value)
    # What follows the failure is no second one.
    after = findings[findings.index(failed[0]) + 1 :]
    assert {each.is_passed for each in after} == {None}


@pytest.mark.slow
def test_what_a_bot_prints_is_shown_on_demand_and_after_a_failure(tmp_path: Path) -> None:
    text = "def choose(state, clock):\n    print('hm', state.to_move)\n    return {}\n"
    version = take_snapshot("x", snapshot(tmp_path, text.format("state.legal_moves()[0]")), {})
    assert not any(each.log for each in examine(version, GAME))
    shown = [each.log for each in examine(version, GAME, TrialSetup(shows_output=True))]
    assert "hm 0" in shown[1]
    (tmp_path / "mine" / "bot.py").write_text(text.format("None"))
    failed = [
        each for each in examine(take_snapshot("x", f"{tmp_path}/mine", {}), GAME) if each.log
    ]
    assert failed[0].log == ("hm 0",)
    assert failed[0].is_passed is False


def warnings_of_files(version: BotVersion) -> list[str]:
    """Not those of time: beside other tests, any bot may be slow."""
    (found,) = check(version, [GAME])
    return [text for text in found.warnings if text.startswith("it opens ")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (
            "weights.npz",
            "'weights.npz', which is not kept with it: put weights.npz into the bot's folder or "
            "register with --with weights.npz, and open Path(__file__).parent / 'weights.npz'",
        ),
        ("kepd", "'kepd', which is not kept with it (did you mean 'kept'?): put kepd into"),
        ("/srv/no/weights.npz", "'/srv/no/weights.npz', which is not kept with it"),
        ("kept", "'kept', which is kept beside it: write Path(__file__).parent / 'kept'"),
    ],
)
def test_files_that_a_bot_opens_and_does_not_have_are_named(
    path: str, expected: str, tmp_path: Path
) -> None:
    version = take_snapshot("x", snapshot(tmp_path, READS.format(path), kept="1"), {})
    (warning,) = warnings_of_files(version)
    assert warning.startswith(f"it opens {expected}")
    (finding,) = (each for each in examine(version, GAME) if each.demand.startswith("opens"))
    assert (finding.is_passed, finding.detail) == (False, warning)


@pytest.mark.slow
def test_files_of_its_own_and_of_python_are_not_named(tmp_path: Path) -> None:
    text = (
        "import json, decimal, zoneinfo, tempfile\nfrom pathlib import Path\n"
        "(Path(__file__).parent / 'kept').read_text()\n"
        "with open('made', 'w') as file: file.write('1')\n"
        "open('made').read()\n"
        "with tempfile.NamedTemporaryFile('w+') as file: open(file.name).read()\n"
    )
    version = take_snapshot("x", snapshot(tmp_path, text + READS.format("made"), kept="1"), {})
    assert warnings_of_files(version) == []


def test_a_bot_that_fails_for_lack_of_a_file_is_told_which(tmp_path: Path) -> None:
    text = "WEIGHTS = open('weights.npz').read()\n" + READS.format("x")
    with pytest.raises(CheckError, match=r"it opens 'weights\.npz', which is not kept with it"):
        check(take_snapshot("x", snapshot(tmp_path, text), {}), [GAME])


def test_what_a_program_says_before_it_ends_is_shown(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\necho no model.bin here >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(CheckError) as caught:
        check(take_snapshot("x", "exec:./bot", {}, tmp_path), [GAME])
    assert "exited with status 3\n  | no model.bin here" in str(caught.value)


@pytest.mark.slow
def test_a_fault_in_a_game_is_found_and_lateness_is_not(tmp_path: Path) -> None:
    text = "def choose(state, clock):\n    return state.legal_moves()[6]\n"
    version = take_snapshot("x", snapshot(tmp_path, text), {})
    limits = Limits(move_s=0.1)
    assert fault_in(version, find_game("connectfour"), limits, NO_ENVIRONMENT) == ""
    assert "IndexError" in fault_in(version, GAME, limits, NO_ENVIRONMENT)
    (tmp_path / "mine" / "bot.py").write_text(SLOW)
    assert fault_in(take_snapshot("x", f"{tmp_path}/mine", {}), GAME, limits, NO_ENVIRONMENT) == ""
