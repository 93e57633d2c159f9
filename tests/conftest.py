"""Settings for all tests."""

import gc
import os
import shutil
import signal
from pathlib import Path

# As the command does, before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from bots.support.search import deepen_stack
from league.platform import core_numbers
from tests.engines.build import COMPILER, NEEDS, plain_engine

# On a disk each database that is closed waits until all of it is written, and there are hundreds.
# A container may have but 64 MB of such memory, and a Mac has none.
_MEMORY = Path("/dev/shm")  # noqa: S108 (pytest makes a folder of its own in it)
if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > 2e9:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))

# How long one example takes says more of the machine than of the code.
# Every run tries the same examples; "exploring" tries new ones.
settings.register_profile("quick", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=100, derandomize=True)
settings.register_profile("exploring", deadline=None, max_examples=100)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# A shell has its background jobs ignore interrupts, and so would every process started here.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Searches deepen it, and Hypothesis warns of a limit that changes during a test.
deepen_stack()


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program of our UCI engine; skip where it can't be built."""
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    if not COMPILER:
        pytest.skip(NEEDS)
    return plain_engine(tmp_path_factory.mktemp("engine"))


def pytest_xdist_auto_num_workers() -> int:
    """Take a worker more than cores: many tests wait for processes that sleep."""
    return len(core_numbers()) + 1


def pytest_collection_finish() -> None:
    """Keep the garbage collector from visiting all modules and tests again and again."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
