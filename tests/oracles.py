"""Published numbers in files that stand beside the project, where they are present."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "oracles"


def oracle_lines(name: str) -> list[str]:
    """Return the lines of a file that are not empty; skip the test where the file is absent."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"no {name} in shared/oracles beside the project")
    return [line for line in path.read_text().splitlines() if line.strip()]
