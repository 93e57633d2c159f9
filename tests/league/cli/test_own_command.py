"""Commands in the output, as somebody without an active virtual environment can type them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from league.cli.own_command import NAME, as_typed, program

TEXT = "no bots yet: 'league register NAME SPEC' adds one; a league of one\n  league check x\n"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start this program as `.venv/bin/league` of the current folder."""
    path = tmp_path / ".venv" / "bin" / "league"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return path


def test_without_an_active_environment_the_path_is_told(script: Path) -> None:
    assert as_typed(TEXT) == (
        "no bots yet: '.venv/bin/league register NAME SPEC' adds one; a league of one\n"
        "  .venv/bin/league check x\n"
    )


def test_from_another_folder_the_whole_path_is_told(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (script.parents[2] / "my bots").mkdir()
    monkeypatch.chdir(script.parents[2] / "my bots")
    assert program() == str(script)
    monkeypatch.chdir(script.parent)
    assert program() == "./league"


def test_with_an_active_environment_the_name_is_enough(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{script.parent}:/usr/bin")
    assert as_typed(TEXT) == TEXT
    monkeypatch.setattr(sys, "argv", ["/usr/lib/notebook.py"])
    monkeypatch.setenv("PATH", "/usr/bin")
    assert as_typed(TEXT) == TEXT


@pytest.mark.slow
def test_what_the_command_prints_can_be_typed(tmp_path: Path) -> None:
    installed = Path(sys.executable).with_name("league")
    if not installed.exists() or shutil.which("league", path="/usr/bin:/bin"):
        pytest.skip("the command is not installed beside this Python, or is everywhere")
    (tmp_path / "bin").symlink_to(installed.parent)
    env = {**os.environ, "PATH": "/usr/bin:/bin"}
    found = subprocess.run(
        [f"bin/{NAME}", "why"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert "'bin/league register NAME SPEC' makes one" in found.stderr
    told = subprocess.run(
        [f"bin/{NAME}", "check"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert "Usage: league check" in told.stderr
