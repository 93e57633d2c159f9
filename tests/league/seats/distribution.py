"""Engines from the distribution's packages, where they are installed."""

import os
import shutil

import pytest

# Debian keeps games where not every user's path leads.
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])


def program(name: str) -> str:
    """Return the file of a program; skip the test where there is none."""
    found = shutil.which(name, path=_PATH)
    if found is None:
        pytest.skip(f"needs the program {name} (the distribution's package of that name)")
    return found
