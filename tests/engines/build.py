"""Building the engine `plain.c` once, for tests and benchmarks."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

from league.model.records import BotVersion

SOURCE = Path(__file__).with_name("plain.c")
COMPILER = shutil.which("cc") or shutil.which("gcc") or ""
NEEDS = "needs a C compiler"


@cache
def plain_engine(folder: Path) -> Path:
    """Compile the engine into `folder`, and return its file."""
    program = folder / "plain"
    subprocess.run([COMPILER, "-O2", "-o", str(program), str(SOURCE)], check=True)
    return program


def plain_bot(program: Path, **options: object) -> BotVersion:
    """Return the engine as a bot under these of its options."""
    texts = {name: str(value) for name, value in options.items()}
    return BotVersion("plain", f"uci:{program}", options=texts, folder="/")
