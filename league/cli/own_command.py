"""The commands of this program in its output, as the user can type them."""

import re
import shlex
import shutil
import sys
from pathlib import Path

NAME = "league"

_COMMAND = re.compile(rf"(?m)(^ {{2,}}|')({NAME})(?= [a-z])")
"""A command on a line of its own, or in quotes in a sentence."""


def as_typed(text: str) -> str:
    """Return a text whose commands begin as the shell of this process finds the program."""
    if f"{NAME} " not in text or (typed := program()) == NAME:
        return text
    return _COMMAND.sub(lambda found: found[1] + typed, text)


def program() -> str:
    """Return the word that starts this program: `.venv/bin/league` where no venv is active."""
    started = Path(sys.argv[0])
    if started.name != NAME or not started.is_file():
        return NAME
    found = shutil.which(NAME)
    if found and Path(found).samefile(started):
        return NAME
    path, here = started.absolute(), Path.cwd()
    if path.is_relative_to(here):
        path = path.relative_to(here)
    return shlex.quote(str(path) if len(path.parts) > 1 else f"./{path}")
