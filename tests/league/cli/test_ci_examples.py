"""The files of examples/ci: what they run, run here by a shell."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.paths import EXAMPLES

yaml = pytest.importorskip("yaml", reason="needs the extra 'dev'")

CI = EXAMPLES / "ci"
BOT = "def choose(state, clock):\n    return state.legal_moves()[{place}]\n"
OPTIONS = "--game tictactoe --elo0 -200 --batch 4 --workers 1 --move-time 1h"
FILES = {"gate.md", "gate.xml", "league.db"}


def run(folder: Path, script: str, **variables: str) -> int:
    """Run lines as a CI service does, with the `league` of this interpreter; return the code."""
    programs = folder.parent / "bin"
    programs.mkdir(exist_ok=True)
    command = programs / "league"
    code = "from league.cli.main import main; main()"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n')
    command.chmod(0o755)
    found = subprocess.run(
        ["/bin/bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, **variables, "PATH": f"{programs}:{os.environ['PATH']}"},
        check=False,
    )
    return found.returncode


def steps(inputs: Mapping[str, str]) -> list[tuple[str, dict[str, str]]]:
    """Return the scripts of the action but for the installation, each with its variables."""
    action: dict[str, Any] = yaml.safe_load((CI / "github-action.yml").read_text("utf-8"))
    given = {name: each.get("default", "") for name, each in action["inputs"].items()}
    given |= inputs

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], text)

    return [
        (each["run"], {name: filled(value) for name, value in each.get("env", {}).items()})
        for each in action["runs"]["steps"]
        if "run" in each and each["name"] != "Install"
    ]


def files_in(folder: Path) -> set[str]:
    """Return the names of the files in a folder that are not of a bot or a log."""
    return {path.name for path in folder.iterdir() if path.suffix in (".md", ".xml", ".db")}


@pytest.mark.parametrize(
    ("change", "against", "more", "code"),
    [
        ("minimax:depth=3", "random", "", 0),
        ("random", "minimax:depth=3", "", 1),
        ("broken.py", "random", "", 1),
        ("random", "minimax:depth=3", " --rounds 1", 2),
    ],
)
@pytest.mark.slow
def test_the_action_of_github_ends_with_the_verdict(
    tmp_path: Path, change: str, against: str, more: str, code: int
) -> None:
    folder, summary = tmp_path / "checkout", tmp_path / "summary.md"
    folder.mkdir()
    (folder / "broken.py").write_text("def choose(state clock):\n")
    inputs = {"change": change, "against": against, "options": OPTIONS + more}
    ((script, variables),) = steps(inputs)
    assert run(folder, script, **variables, GITHUB_STEP_SUMMARY=str(summary)) == code
    assert files_in(folder / "gate") == FILES
    assert summary.read_text("utf-8").startswith("## Gate: ")
    assert summary.read_text("utf-8") == (folder / "gate" / "gate.md").read_text("utf-8")


def test_the_action_of_github_does_not_hide_an_error(tmp_path: Path) -> None:
    inputs = {"change": "gone.py", "against": "main/bot.py", "options": OPTIONS}
    ((script, variables),) = steps(inputs)
    (tmp_path / "checkout").mkdir()
    summary = str(tmp_path / "summary.md")
    assert run(tmp_path / "checkout", script, **variables, GITHUB_STEP_SUMMARY=summary) == 70
    assert not Path(summary).exists()


def git(folder: Path, *arguments: str) -> None:
    """Run git without the settings of this machine."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, env=env, check=True)  # noqa: S607


@pytest.mark.slow
def test_the_job_of_gitlab_plays_the_change_against_its_target(tmp_path: Path) -> None:
    origin, folder = tmp_path / "origin", tmp_path / "checkout"
    origin.mkdir()
    git(origin, "init", "-q", "-b", "trunk")
    (origin / "bot.py").write_text(BOT.format(place=-1))
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "Add a bot")
    git(tmp_path, "clone", "-q", f"file://{origin}", "checkout")
    (folder / "bot.py").write_text("def choose(state, clock):\n    raise SystemExit(1)\n")
    job: dict[str, Any] = yaml.safe_load((CI / "gitlab-gate.yml").read_text("utf-8"))["gate"]
    variables = job["variables"] | {
        "OPTIONS": OPTIONS,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "trunk",
    }
    assert run(folder, "\n".join(job["script"]), **variables) == 1
    assert files_in(folder / "gate") == FILES
    assert "bot does not pass its check" in (folder / "gate" / "gate.md").read_text("utf-8")
    assert (folder / "main" / "bot.py").read_text() == BOT.format(place=-1)
    assert job["artifacts"]["reports"]["junit"] == "gate/gate.xml"
    (folder / "bot.py").write_text(BOT.format(place=-1))
    assert run(folder, "\n".join(job["script"][2:]), **variables) == 0
