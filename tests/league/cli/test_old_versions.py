"""`good@1`: an older version of a bot, wherever a bot is named."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.league.command import both, league

BOT = """
def choose(state, clock):
    return state.legal_moves()[{place}]
"""


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of a bot with two versions, which have met."""
    made = tmp_path_factory.mktemp("met")
    for place in (0, -1):
        (made / "good.py").write_text(BOT.format(place=place))
        league(made, "register", "good", "good.py", "--no-check")
    run = ("run", "--game", "tictactoe", "--rounds", "1", "--workers", "1", "--quiet")
    league(made, *run, "--bots", "good@1,good", "--move-time", "1h")
    return made


@pytest.fixture
def folder(met: Path, tmp_path: Path) -> Path:
    """Copy that league."""
    return Path(shutil.copytree(met, tmp_path, dirs_exist_ok=True))


@pytest.mark.slow
def test_old_versions_play_and_are_compared(folder: Path) -> None:
    assert {tuple(each["versions"]) for each in found(folder, "matches")} == {(1, 2), (2, 1)}
    (met,) = found(folder, "stats", "versus", "good@2", "good@1")
    assert (met["bot"], met["against"], met["matches"]) == ("good v2", "good", 2)
    assert len(found(folder, "matches", "--bot", "good@1")) == 2
    assert found(folder, "matches", "--bot", "good v2") == found(
        folder, "matches", "--bot", "good@2"
    )
    for newest in ("good v2", "good@newest"):
        assert found(folder, "stats", "versus", newest, "good v1") == [met]
    league(folder, "run", "--again", "1", "--bots", "good@2,good@1", "--quiet")
    assert "good@1 is out" in "".join(both(folder, "tournament", "withdraw", "2", "good@1"))


@pytest.mark.slow
def test_the_settings_of_a_tournament_name_the_old_version(folder: Path) -> None:
    text = league(folder, "tournaments", "1")
    settings = tomllib.loads(text[text.index("bots = ") :].split("\n\n")[0])
    assert settings["bots"] == ["good@1", "good"]


@pytest.mark.slow
def test_the_source_of_a_version_is_printed(folder: Path) -> None:
    assert league(folder, "bots", "good", "--source", "1") == BOT.format(place=0)
    assert league(folder, "bots", "good", "--source", "2") == BOT.format(place=-1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bots", "good@3"], "no bot 'good@3': 'good' has versions 1 to 2"),
        (["bots", "god@1"], "no bot 'god@1' (did you mean 'good'?)"),
        (["bots", "god@newest"], "no bot 'god@newest' (did you mean 'good'?)"),
        (["bots", "nobody"], "no bot 'nobody' (known: good)"),
        (
            ["stats", "versus", "good", "good@2"],
            "'good' and 'good@2' are the same version: name two",
        ),
        (["retire", "good@1"], "'good@1' is a version: only 'good' with all its versions can be"),
        (["run", "--game", "tictactoe", "--bots", "good,good@2"], "'good' is named twice"),
    ],
)
def test_wrong_versions_are_told(folder: Path, arguments: list[str], said: str) -> None:
    assert said in league(folder, *arguments, code=1)


def found(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """Return what a command tells as JSON."""
    rows: list[dict[str, Any]] = json.loads(league(folder, *arguments, "--json"))
    return rows
