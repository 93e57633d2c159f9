"""The limits of a bot's process, which are not those of the process that starts it."""

import resource
import subprocess
import sys

import pytest

from league.seats.process.rlimits import ProcessLimits
from tests.promises import on_linux

TELLS = "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0])"
STARTS = f"""
import resource, subprocess, sys
from league.seats.process.rlimits import ProcessLimits
hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, hard))
for limits in (ProcessLimits.none(), ProcessLimits.within(64, None)):
    words, enter = limits.applied([sys.executable, "-c", {TELLS!r}], {{}})
    print(subprocess.run(words, preexec_fn=enter, capture_output=True, text=True).stdout, end="")
"""


@on_linux("the kernel bounds the memory of a process")
@pytest.mark.slow
def test_the_memory_limit_of_a_checker_is_not_that_of_its_bots() -> None:
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    found = subprocess.run(
        [sys.executable, "-c", STARTS], capture_output=True, text=True, check=True
    )
    assert list(map(int, found.stdout.split())) == [hard, 8 * 64 << 20]
    assert ProcessLimits.none().limits == {}
