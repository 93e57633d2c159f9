"""Starting a bot's process: its variables, its folder, and what it may cost."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from league.records import Limits
from league.seats.process import BotProcess

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
# Where the compiled search is kept.
_CACHES = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def launch(
    command: Sequence[str], folder: Path, limits: Limits, readable: Sequence[Path] = ()
) -> BotProcess:
    """Start `command` in `folder` as a bot's process.

    `readable` are the files and folders of its own that it needs to see besides the system's and
    the league's code. Raises `OSError` when it can't be started.
    """
    return BotProcess(command, _environment(), folder)


def _environment() -> dict[str, str]:
    env = {name: os.environ[name] for name in (*_PASSED_ON, *_CACHES) if name in os.environ}
    # The paths of this process, so that a bot named by its module is found by its process too.
    env["PYTHONPATH"] = os.pathsep.join(each for each in sys.path if each)
    # Sets of texts iterate alike in every process: the same seed gives the same moves.
    env["PYTHONHASHSEED"] = "0"
    env.update(dict.fromkeys(_ONE_THREAD, "1"))
    return env
