"""The examples of docs/how-to/use-from-python.md, run as scripts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import DOCS, EXAMPLES


@pytest.mark.slow
def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text((EXAMPLES / "centre.py").read_text())
    blocks = re.findall(
        r"```python\n(.*?)```", (DOCS / "how-to" / "use-from-python.md").read_text(), re.DOTALL
    )
    printed = []
    for block in blocks:
        (tmp_path / "script.py").write_text(block)
        done = subprocess.run(
            [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    assert re.search(r"^connectfour, tournament 1\n\n rank +bot +points", printed[0])
    assert printed[1] == "True\n"
    assert re.fullmatch(r"1 deep \d+ \d\.\d+\n2 mine \d+ \d\.\d+\n", printed[2])
    assert printed[3].startswith("bot   seat\ndeep  0       1.0\n")
    assert re.fullmatch(r"[abc][123]\nTrue False\n", printed[4])
