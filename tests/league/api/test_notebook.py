"""The notebook of the examples, run from top to bottom."""

import os
import shutil
from pathlib import Path

import pytest

from tests.paths import EXAMPLES

TIMEOUT_S = 600


@pytest.mark.slow
def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient", reason="needs the extra 'dev'")
    nbformat = pytest.importorskip("nbformat", reason="needs the extra 'dev'")
    for variable in ("HOME", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(EXAMPLES.parent)]))
    notebook = nbformat.read(shutil.copy(EXAMPLES / "league.ipynb", tmp_path), as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=TIMEOUT_S, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    shown = [
        {kind for output in cell.outputs for kind in output.get("data", {})}
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    printed = "".join(
        output.get("text", "")
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )
    assert "connectfour, tournament 1" in printed
    assert "Warning" not in printed
    assert sum("text/html" in kinds for kinds in shown) >= 5
    assert any("image/svg+xml" in kinds for kinds in shown)
