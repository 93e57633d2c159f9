"""No example of a help takes long: those that need no league are run as they are printed."""

import re
import resource
import shlex
from pathlib import Path

import click
import pytest

from league.cli.main import cli
from tests.league.command import start
from tests.waiting import PATIENCE_S

CPU_S = 10
"""The most processor time of an example, its start included."""

ALONE = ("bench", "explain", "games", "perft", "power", "solve", "sprt")
"""The commands that need no league."""


def examples() -> list[str]:
    """Return the examples of those commands that name no file."""
    found = []
    for name in ALONE:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        texts = re.findall(rf"^\s+league ({name}\b.*)$", command.help or "", re.MULTILINE)
        needs = ("--file", "--match", ".py")
        found += [text for text in texts if not any(each in text for each in needs)]
    return found


def test_every_command_has_an_example_that_can_be_run() -> None:
    assert {text.split()[0] for text in examples()} == set(ALONE)


@pytest.mark.slow
@pytest.mark.parametrize("text", examples())
def test_an_example_is_over_soon(tmp_path: Path, text: str) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = start(tmp_path, *shlex.split(text))
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, (out, err)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used < CPU_S
