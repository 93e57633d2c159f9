"""The trial of a bot: what it says of time and files, and of programs that do not start."""

from pathlib import Path

import pytest

from games.support.specs import find_game
from league.model.errors import CheckError
from league.model.records import Limits
from league.registration import trial
from league.registration.check import examine
from league.registration.source_snapshot import take_snapshot
from league.registration.trial import Checked, check, fault_in
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
    monkeypatch.setattr(trial, "CHECK_MATCHES", 1)
    (found,) = check(take_snapshot("x", snapshot(tmp_path, source), {}), [GAME])
    assert found.is_late
    assert "loses on time at the default limit of 100 ms a move" in found.warnings[0]


@pytest.mark.slow
def test_a_bot_that_uses_its_clock_up_is_tried_at_the_default_limit(tmp_path: Path) -> None:
    assert check(take_snapshot("x", snapshot(tmp_path, MEASURES), {}), [GAME])


def test_the_warning_names_a_limit_that_is_enough() -> None:
    found = Checked(
        game="x", matches=3, moves=9, slowest_s=0.31, mean_s=0.3, first_s=0.3, is_late=True
    )
    assert "it needs 310 ms" in found.warnings[0]
    assert "--move-time 500ms" in found.warnings[0]


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
    (found,) = check(version, [GAME])
    (warning,) = found.warnings
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
    assert check(version, [GAME])[0].warnings == ()


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
    limits = Limits(move_s=trial.HURRIED.move_s)
    assert fault_in(version, find_game("connectfour"), limits, NO_ENVIRONMENT) == ""
    assert "IndexError" in fault_in(version, GAME, limits, NO_ENVIRONMENT)
    (tmp_path / "mine" / "bot.py").write_text(SLOW)
    assert fault_in(take_snapshot("x", f"{tmp_path}/mine", {}), GAME, limits, NO_ENVIRONMENT) == ""
