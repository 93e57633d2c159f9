"""A column of standings is one entry, and every medium has it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from league.analysis import standing_columns
from league.analysis.standing_columns import StandingColumn
from league.cli.main import cli
from tests.league.hosting.web.secret_league import a_secret_league

DRAWS = StandingColumn(
    "sample",
    "sample",
    lambda row, _: f"{row.draws / row.matches:.3%}",
    lambda row: row.draws,
    about="the share of its matches that it drew",
)


@pytest.mark.slow
def test_a_new_column_is_in_every_medium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing_columns, "COLUMNS", (*standing_columns.COLUMNS, DRAWS))
    monkeypatch.chdir(tmp_path)
    with a_secret_league(tmp_path) as league:
        boss = league.visitor("")
        pages = [boss.ask(path) for path in ("/games/connectfour", "/tournaments/1", "/season")]

    def say(*words: str) -> str:
        found = CliRunner().invoke(cli, words)
        assert found.exit_code == 0, (words, found.output, found.exception)
        return found.stdout

    text = say("standings", "--game", "connectfour")
    assert "sample\n" in text
    assert "%\n" in text
    assert ",sample," in say("standings", "--csv")
    assert "| sample |\n" in say("report", "1", "--markdown")
    for page in (*(each.text for each in pages), say("report", "1", "--html")):
        assert f'<abbr title="{DRAWS.about}">Sample</abbr>' in page
        assert "000%</td>" in page


def test_columns_have_keys_of_their_own() -> None:
    keys = [each.key for each in standing_columns.COLUMNS]
    assert len(keys) == len(set(keys))
